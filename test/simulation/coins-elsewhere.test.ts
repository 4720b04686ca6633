import { describe, expect, it } from 'vitest';
import type { Market, Side } from '../../src/domain/index.ts';
import { order, quotes, target } from '../../src/strategy/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import { crowdFixture, type Wish } from './crowd.ts';

const SMALL = { minAmount: 0.001, minSize: 0.001 };
const ETH_BTC = makeMarket({ ...SMALL, id: 'eth_btc', base: 'eth', quote: 'btc', priceScale: 4 });
const ETH_USDT = makeMarket({ ...SMALL, id: 'eth_usdt', base: 'eth' });
const OUT_MS = 10_000;
/** What fees leave, less than the least order. */
const DUST = 0.0101;

interface Play {
  /** The position that is to be flat from `OUT_MS` on. */
  readonly held: number;
  readonly market: Market;
  readonly balances: Readonly<Record<string, string>>;
  readonly wish: Wish['of'];
  /** What the strategy that is to be out has there itself from 5 s on. Default: nothing. */
  readonly own?: Wish['of'];
  /** The bids that the exit may sell to, each 100 ms. Default: plenty. */
  readonly bids?: readonly [number, number][];
}

/**
 * When an exit was out whose coins orders of another market hold, what was told of there, and how
 * often one of these left.
 */
async function play({ held, market, balances, wish, own, bids = [[99.9, 50]] }: Play) {
  const stop: readonly Wish[] = [
    { atMs: 1_000, of: (here) => target(here, held) },
    ...(own === undefined ? [] : [{ atMs: 5_000, of: () => own(market) }]),
    { atMs: OUT_MS, of: (here) => target(here, 0) },
  ];
  // Wished all the time: it must not come back ahead of the exit.
  const holding = Array.from({ length: 40 }, (_, at) => ({ atMs: 5_000 + 500 * at, of: wish }));
  const plenty = { orderValueMax: 1e6, openValueMax: 1e6, positionValueMax: 1e6 };
  const bot = await crowdFixture({
    ...{ wishes: { stop }, beside: { market, wishes: { grid: holding } }, balances },
    ...{ latencyMs: 50, risk: { ...plenty, dailyLossMax: 1e6, drawdownMax: 1e6 } },
  });
  const [bid, ask] = market === ETH_BTC ? [0.0495, 0.051] : [4.95, 5.1];
  let outMs = Number.POSITIVE_INFINITY;
  for (let atMs = 0; atMs < 2 * OUT_MS; atMs += 100) {
    bot.book(bids, [[100.1, 50]]);
    bot.book([[bid, 100]], [[ask, 100]], market.id);
    await bot.run(100);
    const isOut = Math.abs(bot.positionOf('stop')) < DUST;
    if (atMs > OUT_MS && isOut) outMs = Math.min(outMs, atMs);
  }
  const told = bot.events.flatMap((event) =>
    event.kind === 'refusal' && event.market === market.id
      ? [`${event.strategy}: ${event.refusal.limit}`]
      : [],
  );
  const left = bot.events.filter(
    (event) =>
      event.kind === 'order' && event.order.status === 'pending' && event.order.strategy === 'grid',
  );
  return { outMs, told, left: left.length };
}

const bidOf =
  (price: number, amount: number): Wish['of'] =>
  (market) =>
    quotes(market, [[price, amount]], []);

const taggedOf =
  (side: Side, price: number, amount: number): Wish['of'] =>
  (market) =>
    order(market, { tag: 'mine', side, price, amount });

describe('an exit whose coins orders of another market hold', () => {
  const long = { held: 2, market: ETH_BTC, balances: { usdt: '100000', btc: '0', eth: '0' } };
  const short = { held: -5, market: ETH_USDT, balances: { usdt: '100', btc: '5', eth: '0' } };

  it.each<[string, Play]>([
    ['bids that would pay with them', { ...long, wish: bidOf(0.045, 40) }],
    ['an order by a tag', { ...long, wish: taggedOf('buy', 0.045, 40) }],
    ['bids for what else its money buys', { ...short, wish: bidOf(4.5, 120) }],
  ])('is out soon beside %s', async (_, options) => {
    expect((await play(options)).outMs).toBeLessThan(OUT_MS + 3_000);
  });

  it('keeps them away until it is through, however long that takes', async () => {
    const bids: [number, number][] = [
      [99.9, 0.3],
      [90, 50],
    ];
    const { outMs, left } = await play({ ...long, wish: bidOf(0.045, 20), bids });
    expect([left, outMs > OUT_MS + 3_000]).toEqual([1, true]);
    expect(outMs).toBeLessThan(2 * OUT_MS);
  });

  it('keeps them away where it empties the book at each try', async () => {
    const wish: Wish['of'] = (market) =>
      quotes(
        market,
        [0.045, 0.0449, 0.0448, 0.0447].map((at) => [at, 10] as const),
        [],
      );
    const { left } = await play({ ...long, wish, bids: [[99.9, 0.01]] });
    expect(left).toBe(4);
  });

  it('has its own strategy told of an order by a tag that gives way', async () => {
    const { outMs, told } = await play({
      ...{ ...long, wish: bidOf(0.045, 1), own: taggedOf('buy', 0.045, 40) },
    });
    expect(outMs).toBeLessThan(OUT_MS + 3_000);
    expect(told).toContain('stop: that it rests no more: an exit needs the room that it takes');
  });
});
