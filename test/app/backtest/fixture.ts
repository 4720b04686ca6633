import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import {
  type BacktestDeployment,
  type CandleSource,
  loadBacktest,
  runBacktest,
} from '../../../src/app/backtest/index.ts';
import { type CandleColumns, currenciesOf, type TradingEvent } from '../../../src/domain/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { scratchFolder } from '../fixture.ts';

/** 2024-01-01T00:00Z. */
export const START_MS = Date.UTC(2024, 0, 1);
export const MINUTE = 60_000;

/** A strategy that wishes what a list says, by the minute that closes: see `SCRIPT`. */
const SCRIPTED = `import { defineStrategy, filter, map, mergeMap, quotes, target, z } from '#strategy';
export default defineStrategy({
  name: 'scripted',
  params: z.strictObject({ wishes: z.record(z.string(), z.any()), coarse: z.boolean().default(false) }),
  run(context) {
    const { wishes, coarse } = context.params;
    const start = ${START_MS};
    return context.candles(coarse ? '5min' : '1min').pipe(
      map(({ openTime }) => wishes[String((openTime - start) / ${MINUTE})]),
      filter((wish) => wish !== undefined),
      mergeMap((wishes) => [wishes].flat()),
      map((wish) =>
        typeof wish === 'number'
          ? target(context.market, wish)
          : quotes(context.market, wish.bids ?? [], wish.asks ?? [], { postOnly: false }),
      ),
    );
  },
});
`;

/** What a market does in a minute. Default of open, high and low: the close. */
export interface Minute {
  readonly close: number;
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
  readonly volume?: number;
  /** Minutes after the start. Default: its place. */
  readonly at?: number;
}

export function minuteColumns(minutes: readonly Minute[]): CandleColumns {
  return {
    time: Float64Array.from(minutes, ({ at }, place) => START_MS + (at ?? place) * MINUTE),
    open: Float64Array.from(minutes, ({ open, close }) => open ?? close),
    high: Float64Array.from(minutes, ({ high, open, close }) => high ?? Math.max(open ?? 0, close)),
    low: Float64Array.from(
      minutes,
      ({ low, open, close }) => low ?? Math.min(open ?? close, close),
    ),
    close: Float64Array.from(minutes, ({ close }) => close),
    volume: Float64Array.from(minutes, ({ volume = 1_000 }) => volume),
  };
}

/** Minutes of a market in memory, in chunks of `chunkRows`. */
export function minuteSource(minutes: readonly Minute[], chunkRows = 1_000): CandleSource {
  const columns = minuteColumns(minutes);
  const slice = (first: number, end: number): CandleColumns => {
    const entries = Object.entries(columns).map(([name, column]) => [
      name,
      column.subarray(first, end),
    ]);
    return Object.fromEntries(entries) as CandleColumns;
  };
  return {
    ...{ kind: 'candles', name: 'test', hash: 'test', interval: '1min', stepMs: MINUTE },
    market: makeMarket({ minAmount: 0.001, minSize: 0 }),
    firstMs: columns.time[0]!,
    endMs: columns.time.at(-1)! + MINUTE,
    async *chunks(from, to) {
      const start = columns.time.findIndex((time) => time >= from);
      const end = columns.time.findLastIndex((time) => time < to) + 1;
      if (start < 0) return;
      for (let first = start; first < end; first += chunkRows) {
        yield slice(first, Math.min(end, first + chunkRows));
      }
    },
  };
}

/** Minutes of the market of that name, which is that of the source too. */
export function sourceOf(id: string, minutes: readonly Minute[], chunkRows?: number): CandleSource {
  const source = minuteSource(minutes, chunkRows);
  return { ...source, name: id, market: { ...source.market, id, ...currenciesOf(id) } };
}

/** Limits of risk that nothing meets. */
export const LIMITS = {
  ...{ orderValueMax: 1e6, openValueMax: 1e6, positionValueMax: 1e6 },
  ...{ dailyLossMax: 1e6, drawdownMax: 1e6, collarFraction: 0.5, bandFraction: 0.9 },
};

/** A target, or quotes. */
type Wish = number | { readonly bids?: object[]; readonly asks?: object[] };

/** A wish by the minute at whose close it is made, or several. */
export type Script = Readonly<Record<number, Wish | readonly Wish[]>>;

export interface ReplayOptions {
  readonly minutes: readonly Minute[];
  readonly script: Script;
  /** Settings of the section backtest. */
  readonly backtest?: object;
  /** Other settings of the deployment. */
  readonly settings?: object;
  readonly coarse?: boolean;
  /** Another strategy's text. Default: one that does what the script says. */
  readonly text?: string;
  readonly chunkRows?: number;
  readonly onProgress?: () => boolean;
}

/** A deployment's file: of btc_usdt, if the settings don't say otherwise. */
export function backtestFile(settings: object, text = SCRIPTED): string {
  const folder = scratchFolder();
  const file = join(folder, 'deployment.yaml');
  writeFileSync(join(folder, 'scripted.ts'), text);
  const usual = { name: 'test', venue: { kind: 'simulated' }, markets: ['btc_usdt'] };
  writeFileSync(file, stringify({ ...usual, ...settings }));
  return file;
}

/** A deployment whose strategy does as a script says. */
export function scriptedDeployment(
  options: Omit<ReplayOptions, 'minutes' | 'chunkRows' | 'onProgress'>,
): BacktestDeployment {
  const { script, backtest, settings, coarse, text } = options;
  const deploymentSettings = {
    strategies: [
      {
        use: './scripted.ts',
        name: 'scripted',
        params: { wishes: script, ...(coarse && { coarse }) },
      },
    ],
    fees: { maker: 0, taker: 0 },
    risk: LIMITS,
    ...settings,
    backtest: {
      balances: { usdt: '10000', btc: '10' },
      fill: { model: 'candles', volumeCap: null },
      ...backtest,
    },
  };
  return loadBacktest(backtestFile(deploymentSettings, text));
}

/** Replays minutes with a strategy that does as it is told. */
export async function replayed(options: ReplayOptions) {
  const { minutes, chunkRows, onProgress } = options;
  const deployment = scriptedDeployment(options);
  const sources = [minuteSource(minutes, chunkRows)];
  const events: TradingEvent[] = [];
  const result = await runBacktest({
    ...{ deployment, sources, ...(onProgress && { onProgress }) },
    onEvent: (event) => void events.push(event),
  });
  const trades = Array.from(result.record.fills, ({ side, amount, price, time }) => {
    return [side, amount, price, (time - START_MS) / MINUTE] as const;
  });
  return { ...result, trades, events };
}
