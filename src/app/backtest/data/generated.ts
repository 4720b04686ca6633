import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { INTERVAL_MS, intervalStart } from '../../../domain/index.ts';
import type { PriceRange } from '../../../history/index.ts';
import { HOUR_MS, readMoment, seededRandom } from '../../../kernel/index.ts';
import { syntheticCandles, syntheticSchema } from '../../../sim/index.ts';
import type { BacktestConfig, GeneratedSettings } from '../config.ts';
import { eachColumn } from '../feeds/each-column.ts';
import type { CandleSource } from './source.ts';

/** The period made up where none is given: 30 days from 2024-01-01. */
const FROM_MS = 1_704_067_200_000;
const HOURS = 30 * 24;
/** Price steps below this share of the price, a tenth of a percent, are fine enough: not told. */
const TOLD_SHARE = 0.001;

/** A source without its market, whose rules depend on the prices. */
export type GeneratedRows = Omit<CandleSource, 'market' | 'worth'>;

/** The made-up candles of a market, which stand in for a dataset. */
export function generatedRows(
  id: string,
  { backtest, settings }: { backtest: BacktestConfig; settings: GeneratedSettings },
): GeneratedRows {
  const { seed, interval, priceScale, amountScale, ...process } = settings;
  const named = { ...process, seed, interval, priceScale, amountScale };
  const parameters = syntheticSchema.parse(process);
  const stepMs = INTERVAL_MS[interval];
  const fromMs = (readMoment(backtest.from) ?? FROM_MS) - backtest.warmUpHours * HOUR_MS;
  const firstMs = intervalStart(fromMs, interval);
  const endMs = readMoment(backtest.to) ?? firstMs + HOURS * HOUR_MS;
  const scales = { priceScale, amountScale };
  const name = `made-up.${id}.${interval}`;
  return {
    kind: 'candles',
    ...{ interval, stepMs, firstMs, endMs },
    ...{ name, findings: stepsOf(id, { name, settings }) },
    hash: createHash('sha256')
      .update(JSON.stringify([id, named, firstMs]))
      .digest('hex'),
    async *chunks(from, to) {
      const random = seededRandom(`${seed} ${id}`);
      const span = { fromMs: firstMs, toMs: Math.min(to, endMs), stepMs };
      for (const chunk of syntheticCandles({ parameters, random, ...scales, ...span })) {
        // Signals and the terminal get their turn.
        await setImmediate();
        const first = chunk.time.findIndex((time) => time >= from);
        if (first >= 0) yield eachColumn(chunk, (column) => column.subarray(first));
      }
    },
  };
}

/** Warns of price steps too coarse for the price: the default of 2 places is made for money. */
function stepsOf(
  id: string,
  { name, settings }: { readonly name: string; readonly settings: GeneratedSettings },
): string[] {
  const step = 10 ** -settings.priceScale;
  const share = step / settings.startPrice;
  if (share < TOLD_SHARE) return [];
  return [
    `The prices of ${name} move in steps of ${step}, ${Number((100 * share).toPrecision(2))} % of the ` +
      `starting price: set more decimal places (backtest.generate.${id}.priceScale).`,
  ];
}

/** The lowest and the highest price. */
export async function generatedRange({
  chunks,
  firstMs,
  endMs,
}: GeneratedRows): Promise<PriceRange> {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = 0;
  for await (const { low, high } of chunks(firstMs, endMs)) {
    for (const price of low) lowest = Math.min(lowest, price);
    for (const price of high) highest = Math.max(highest, price);
  }
  return { lowest, highest };
}
