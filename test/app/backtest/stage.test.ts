import { describe, expect, it } from 'vitest';
import { play } from '../../../src/app/backtest/feeds/playback.ts';
import { runBacktest } from '../../../src/app/backtest/index.ts';
import { INPUTS } from '../../../src/app/backtest/output/inputs.ts';
import { openSpools } from '../../../src/app/backtest/record/spools.ts';
import { setStage } from '../../../src/app/backtest/stage.ts';
import { complete } from '../../../src/app/time/drive.ts';
import type { OrderState } from '../../../src/domain/index.ts';
import { HashJournal } from '../../../src/storage/index.ts';
import { wholeCurve } from '../../report/fixture.ts';
import { MINUTE, minuteSource, START_MS, scriptedDeployment, sourceOf } from './fixture.ts';

/** One order a minute, each of another price than the one before. */
const MINUTES = 300;

/** How many of the orders of a run its ledger knows at the end. */
async function knownOrders(settings: object): Promise<number> {
  const minutes = Array.from({ length: MINUTES }, () => ({ close: 100 }));
  const wish = (at: number) => ({ bids: [{ price: 99 - (at % 2), amount: 0.1 }], asks: [] });
  const script = Object.fromEntries(minutes.map((_, at) => [at, wish(at)]));
  const deployment = scriptedDeployment({ script, backtest: settings });
  const period = { warmFromMs: START_MS, fromMs: START_MS, toMs: START_MS + MINUTES * MINUTE };
  const stage = await setStage(deployment, {
    ...{
      sources: [minuteSource(minutes)],
      period,
      journal: new HashJournal({ leavesOut: INPUTS }),
    },
    spools: openSpools(),
  });
  const { bot, clock, exchange, feeds, meters, known } = stage;
  const ids = new Set<string>();
  bot.bus.on('order').subscribe(({ order }: { order: OrderState }) => ids.add(order.clientOrderId));
  await complete(bot.engine.start(), clock);
  await known.tell(() => true);
  for (const feed of feeds) await feed.refill();
  exchange.line.isSlow = true;
  await play({ feeds, clock, meters, onChunk: () => true });
  expect(ids.size).toBeGreaterThan(MINUTES - 5);
  return [...ids].filter((id) => bot.sources.orders.get(id) !== undefined).length;
}

describe('setStage', () => {
  it('has few orders that are over known again where nothing is told late', async () => {
    expect(await knownOrders({})).toBe(256 + 1);
  });

  it('has all of the last minutes known where news take time', async () => {
    expect(await knownOrders({ latency: { order: 40, answer: 60 } })).toBeGreaterThan(MINUTES - 5);
  });
});

/** A few trades in the first market of all, and one a minute in the other. */
const RARELY = `import { defineStrategy, map, merge, take, target, z } from '#strategy';
export default defineStrategy({
  name: 'scripted',
  params: z.any(),
  run: ({ markets, candles }) =>
    merge(
      ...markets.map((market, place) =>
        candles('1min', market).pipe(
          take(place === 0 ? 4 : Number.POSITIVE_INFINITY),
          map((_, at) => target(market, (at + 1) % 2, { slippage: 0.5 })),
        ),
      ),
    ),
});
`;

describe('a market whose last orders are long over', () => {
  it('has none of them booked again by what the stop reads', async () => {
    const markets = ['eth_usdt', 'btc_usdt'];
    const minutes = Array.from({ length: 600 }, () => ({ close: 100 }));
    const sources = markets.map((id) => sourceOf(id, minutes));
    const deployment = scriptedDeployment({
      ...{ script: {}, text: RARELY, settings: { markets } },
      backtest: { balances: { usdt: '10000' } },
    });
    const { record } = await runBacktest({ deployment, sources });
    expect(record.trading).toBeUndefined();
    expect(record.counts.fills).toBe(604);
    const { positions } = wholeCurve(record);
    expect(markets.map((id) => positions.get(id)!.at(-1))).toEqual([0, 0]);
  });
});

describe('setStage', () => {
  it.each(['balances', 'lent'])(
    'names the place in %s that a currency cannot hold',
    async (key) => {
      const backtest = { balances: { btc: '1' }, [key]: { usdt: '0.123456789' } };
      const deployment = scriptedDeployment({ script: {}, backtest });
      const sources = [minuteSource([{ close: 100 }])];
      await expect(runBacktest({ deployment, sources })).rejects.toThrow(
        `${deployment.yaml.locate(['backtest', key, 'usdt'])}: Cannot hold 0.123456789 usdt: `,
      );
    },
  );
});
