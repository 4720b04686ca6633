import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Source } from '../../../src/app/backtest/data/source.ts';
import { play } from '../../../src/app/backtest/feeds/playback.ts';
import type { BacktestDeployment } from '../../../src/app/backtest/index.ts';
import { INPUTS } from '../../../src/app/backtest/output/inputs.ts';
import { openSpools } from '../../../src/app/backtest/record/spools.ts';
import { setStage } from '../../../src/app/backtest/stage.ts';
import { complete } from '../../../src/app/time/drive.ts';
import { Decimal, seededRandom } from '../../../src/kernel/index.ts';
import { HashJournal } from '../../../src/storage/index.ts';
import { MINUTE, type Minute, minuteSource, START_MS, scriptedDeployment } from './fixture.ts';

/** Minutes that wander, with outages in all but the last twenty. */
const WANDERING = 60;
const CALM = 20;

interface Troubled {
  readonly seed: number;
  readonly kind: 'quotes' | 'targets';
  readonly at: 'thisClose' | 'nextOpen';
  readonly simulate: object;
  readonly latency: object;
}

function troubled({ seed, kind, at, simulate, latency }: Troubled) {
  const random = seededRandom(seed);
  let price = 100;
  const minutes = Array.from({ length: WANDERING + CALM }, () => {
    const open = price;
    price += (random.integer(21) - 10) / 10;
    const [high, low] = [Math.max(open, price) + 0.5, Math.min(open, price) - 0.5];
    return { open, close: price, high, low };
  });
  const quote = (price: number) => [{ price: Math.round(100 * price) / 100, amount: 0.1 }];
  const wish = ({ close }: Minute) =>
    kind === 'targets' ? random.integer(3) : { bids: quote(close - 0.4), asks: quote(close + 0.4) };
  const script = Object.fromEntries(
    minutes.slice(0, WANDERING).map((minute, place) => [place, wish(minute)]),
  );
  const fill = { model: 'candles', at, volumeCap: null };
  const deployment = scriptedDeployment({ script, backtest: { fill, simulate, latency } });
  return { deployment, sources: [minuteSource(minutes)] };
}

const PERIOD = {
  warmFromMs: START_MS,
  fromMs: START_MS,
  toMs: START_MS + (WANDERING + CALM) * MINUTE,
};

/** Plays a run to the end of the data, and looks at what the bot and the exchange know then. */
async function played(run: { deployment: BacktestDeployment; sources: readonly Source[] }) {
  const journal = new HashJournal({ leavesOut: INPUTS });
  const stage = await setStage(run.deployment, {
    ...{ sources: run.sources, period: PERIOD, journal, spools: openSpools() },
  });
  const { bot, clock, exchange, feeds, meters, known } = stage;
  const { host, line } = exchange;
  const place = vi.spyOn(host.account('backtest')!.trading, 'place');
  const most = { orders: 0, long: 0, short: 0 };
  const books = () => host.inspect('backtest');
  const open = () => books().openOrders.get('btc_usdt') ?? [];
  const held = (): number => {
    const { available, frozen } = books().balances.find(({ currency }) => currency === 'btc')!;
    return Number(available.plus(frozen).minus(Decimal.of(10)));
  };
  bot.bus.record(() => {
    for (const side of ['buy', 'sell']) {
      most.orders = Math.max(most.orders, open().filter((order) => order.side === side).length);
    }
    most.long = Math.max(most.long, held());
    most.short = Math.max(most.short, -held());
  });
  await complete(bot.engine.start(), clock);
  await known.tell(() => true);
  for (const feed of feeds) await feed.refill();
  line.isSlow = true;
  await play({ feeds, clock, meters, onChunk: () => true });
  const ids = place.mock.calls.map(([{ clientOrderId }]) => clientOrderId);
  const balances = books().balances.map(({ currency, available, frozen }) => {
    return [currency, `${available}`, `${frozen}`];
  });
  const knownBalances = books().balances.map(({ currency }) => {
    const known = bot.balances.get(currency);
    return [currency, `${known?.available}`, `${known?.frozen}`];
  });
  const live = bot.sources.orders.live('btc_usdt');
  return {
    ...{ ids, most, balances, knownBalances, held: held() },
    open: open().map(({ exchangeOrderId }) => exchangeOrderId),
    live: live.map((order) => ('exchangeOrderId' in order ? order.exchangeOrderId : order.status)),
    position: Number(bot.sources.positions.position('btc_usdt', 'scripted').amount),
  };
}

describe('outages of any kind', () => {
  const cut = fc.record({
    fromMs: fc.integer({ min: 0, max: WANDERING * MINUTE }),
    lengthMs: fc.integer({ min: 1, max: 180_000 }),
  });
  const runs = fc.record({
    seed: fc.integer({ min: 0, max: 1e6 }),
    kind: fc.constantFrom('quotes' as const, 'targets' as const),
    at: fc.constantFrom('thisClose' as const, 'nextOpen' as const),
    latency: fc.constantFrom({}, { order: 40, answer: 60, feed: 100 }),
    simulate: fc.record({
      heartbeats: fc.boolean(),
      reconciliation: fc.boolean(),
      rateLimits: fc.boolean(),
      outages: fc.record({
        arriving: fc.constantFrom(0, 0.5, 1),
        stated: fc.array(cut, { minLength: 1, maxLength: 12 }).map((cuts) =>
          cuts.map(({ fromMs, lengthMs }) => ({
            from: new Date(START_MS + fromMs).toISOString(),
            lengthMs,
          })),
        ),
      }),
    }),
  });

  it('send no order twice, and leave books that agree with those of the exchange', async () => {
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const { ids, most, ...end } = await played(troubled(run));
        sent += ids.length;
        expect(new Set(ids).size).toBe(ids.length);
        // One quote a side is wished, or a position of at most two.
        expect(most.orders).toBeLessThanOrEqual(1);
        if (run.kind === 'targets') expect([most.long <= 2, most.short]).toEqual([true, 0]);
        expect(end.knownBalances).toEqual(end.balances);
        expect(end.live).toEqual(end.open);
        expect(end.position).toBeCloseTo(end.held, 9);
      }),
      { numRuns: 30 },
    );
    expect(sent).toBeGreaterThan(500);
  }, 60_000);
});
