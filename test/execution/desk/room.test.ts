import { describe, expect, it } from 'vitest';
import type { LiveOrder, Market, OrderType, Side } from '../../../src/domain/index.ts';
import type { Lack } from '../../../src/execution/desk/refusals.ts';
import { givesRoom, isOpening, Room } from '../../../src/execution/desk/room.ts';
import type { SlotTerms } from '../../../src/execution/desk/slot.ts';
import { order, quotes, target } from '../../../src/strategy/index.ts';
import { makeMarket, makeOpen } from '../../domain/fixture.ts';
import { type CrowdOptions, crowdFixture, type Wish } from '../../simulation/crowd.ts';
import { amount } from '../exchange-model.ts';

describe('givesRoom', () => {
  const quote = makeOpen({ strategy: 'maker', tag: 'quotes/ask/0' });
  const owner = { strategy: 'stop', market: makeMarket() };
  const gives = (overrides: object, rests = false): boolean =>
    givesRoom({ ...quote, ...overrides } as LiveOrder, { owner, mayRest: () => rests });

  it('is so of quotes and orders of other strategies that may be cancelled, or soon', () => {
    expect(gives({})).toBe(true);
    expect(gives({ tag: 'mine' })).toBe(true);
    expect(gives({ status: 'cancelling' })).toBe(true);
    expect(gives({ status: 'pending' })).toBe(true);
  });

  it('is so of its own in another market, which hold the same coins', () => {
    expect(gives({ strategy: 'stop', market: 'eth_btc' })).toBe(true);
  });

  it('is not so of its own, of what takes at once, is in doubt or rests unwished', () => {
    expect(gives({ strategy: 'stop' })).toBe(false);
    expect(gives({ type: 'ioc' })).toBe(false);
    expect(gives({ tag: 'target/' })).toBe(false);
    expect(gives({ status: 'unknown', exchangeOrderId: undefined })).toBe(false);
    expect(gives({}, true)).toBe(false);
  });
});

describe('isOpening', () => {
  const ask = (of: number, type: OrderType = 'limit') =>
    ({ side: 'sell', type, price: 100, amount: of, tag: 'mine' }) as SlotTerms;
  const live = [
    makeOpen({ side: 'sell', amount: amount(2), filledAmount: amount(0.5) }),
    makeOpen({ side: 'buy' }),
  ];

  it('goes by what is held, less what rests on its side beside what rests', () => {
    expect(isOpening(ask(1), { held: 0, live: [], before: [] })).toBe(true);
    expect(isOpening(ask(1), { held: -1, live: [], before: [] })).toBe(true);
    expect(isOpening(ask(1), { held: 1, live: [], before: [] })).toBe(false);
    expect(isOpening(ask(1), { held: 2, live, before: [] })).toBe(true);
    expect(isOpening(ask(1), { held: 2.5, live, before: [] })).toBe(false);
    expect(isOpening(ask(2, 'ioc'), { held: 2, live, before: [] })).toBe(false);
    const before = [ask(1), { ...ask(1), side: 'buy' } as SlotTerms];
    expect(isOpening(ask(1), { held: 1.5, live: [], before })).toBe(true);
    expect(isOpening(ask(1), { held: 2, live: [], before })).toBe(false);
  });

  it('goes by what is short for what buys', () => {
    const bid = { ...ask(1), side: 'buy' } as SlotTerms;
    expect(isOpening(bid, { held: -1, live: [], before: [] })).toBe(false);
    expect(isOpening(bid, { held: 1, live: [], before: [] })).toBe(true);
    expect(isOpening(bid, { held: -1.5, live, before: [] })).toBe(true);
    expect(isOpening(bid, { held: -2, live, before: [] })).toBe(false);
  });
});

/** A room whose exit sells, and its state. */
function roomFixture() {
  const room = new Room();
  const taker = makeOpen({ side: 'sell' });
  const market = taker.market;
  const isKeptOn = (side: Side) => room.isKeptOn({ market, side });
  const stands = () => ({ kept: isKeptOn('sell'), freed: room.isFreed, short: room.isShort });
  /** Looks for the takers of the room, of which there are so many. Returns how many must end. */
  const clear = (takers: number, side: Side = 'sell', nowMs = 0) => {
    const takersOf = () => new Array<LiveOrder>(takers).fill(taker);
    return room.clear({ market, side }, { nowMs, takersOf }).length;
  };
  const refuse = (lacks: Lack | undefined, isSoon = false, nowMs = 60_000) =>
    room.refused({ lacks, isSoon }, nowMs);
  /** Ends all takers of the room. */
  const free = () => {
    refuse('room');
    clear(1);
    clear(0);
  };
  return { room, isKeptOn, stands, clear, refuse, free };
}

describe('Room', () => {
  const NONE = { kept: false, freed: false, short: false };
  const KEPT = { ...NONE, kept: true };

  it('is looked at for what takes it from the first refusal on, until it is left', () => {
    const { room, isKeptOn, stands, clear, refuse } = roomFixture();
    expect([clear(1), stands()]).toEqual([0, NONE]);
    refuse('room');
    expect(stands()).toEqual({ ...NONE, short: true });
    expect([clear(1), stands()]).toEqual([1, KEPT]);
    expect([clear(2), stands()]).toEqual([2, KEPT]);
    expect(isKeptOn('buy')).toBe(false);
    expect([clear(0), stands()]).toEqual([0, { ...KEPT, freed: true }]);
    expect([clear(1), stands()]).toEqual([1, KEPT]);
    room.leave();
    expect([stands(), clear(1)]).toEqual([NONE, 0]);
  });

  it('is kept behind an order that leaves, and looked at again where that is cut', () => {
    const { room, stands, clear, free } = roomFixture();
    free();
    room.placed(false, 0);
    expect(stands()).toEqual(KEPT);
    room.placed(true, 0);
    expect(stands()).toEqual({ ...KEPT, short: true });
    expect([clear(0), stands()]).toEqual([0, KEPT]);
  });

  it.each<[string, Lack | undefined, boolean, typeof NONE]>([
    ['left in the end where nothing takes the room that its order lacks', 'room', false, NONE],
    ['kept where it lacks coins: they may be told of later', 'coins', false, KEPT],
    ['left in the end where it lacks neither', undefined, false, NONE],
    ['kept where it may leave a moment later', undefined, true, KEPT],
  ])('is %s', (_what, lacks, isSoon, then) => {
    const { stands, clear, refuse, free } = roomFixture();
    free();
    refuse(lacks, isSoon);
    expect(stands().freed).toBe(false);
    expect([clear(0, 'sell', 60_000), stands()]).toEqual([0, then]);
  });

  it('is kept for a minute behind the last order where none can leave', () => {
    const { room, stands, clear, refuse, free } = roomFixture();
    free();
    room.placed(false, 30_000);
    refuse('room', false, 60_000);
    expect([clear(0, 'sell', 60_000), stands()]).toEqual([0, KEPT]);
    refuse(undefined, false, 70_000);
    room.wait(89_999);
    expect(stands()).toEqual(KEPT);
    room.wait(90_000);
    expect(stands()).toEqual(NONE);
  });

  it('is left by an exit of the other side, and remembers nothing of what was before', () => {
    const { room, stands, clear, refuse, free } = roomFixture();
    free();
    expect([clear(1, 'buy'), stands()]).toEqual([0, NONE]);
    refuse('room');
    room.leave();
    expect(stands()).toEqual(NONE);
    refuse('room');
    clear(1);
    room.leave();
    refuse('room');
    expect([clear(0), stands()]).toEqual([0, NONE]);
  });
});

const HAIR = 1e-9;
/** Dust left by fees, less than the least order. */
const DUST = 0.0101;

type Limits = { readonly longMax?: number; readonly shortMax?: number };

/** `stop` holds 2 from the first second on and wishes to be out from the tenth. */
const STOP: readonly Wish[] = [
  { atMs: 1_000, of: (market) => target(market, 2) },
  { atMs: 10_000, of: (market) => target(market, 0) },
];

/** An exit takes four parts of it. */
const THIN: readonly [number, number][] = [
  [99.99, 0.5],
  [95, 50],
];

const asksOf =
  (...asks: readonly (readonly [number, number])[]): Wish['of'] =>
  (market: Market) =>
    quotes(market, [], [...asks]);

interface PlayOptions extends Pick<CrowdOptions, 'latencyMs' | 'balances'> {
  readonly maker: readonly Wish[];
  readonly limits?: Limits & {
    readonly positionValueMax?: number;
    readonly orderValueMax?: number;
  };
  readonly stop?: readonly Wish[];
  readonly untilMs?: number;
  readonly bids?: readonly [number, number][];
}

/** Both in one market; what of `shortMax` is passed at any moment, and who holds and rests what. */
async function play(options: PlayOptions) {
  const { maker, limits = {}, stop = STOP, untilMs = 30_000, bids = [[99.99, 50]] } = options;
  const { latencyMs = 0, balances } = options;
  const { shortMax = Number.POSITIVE_INFINITY } = limits;
  const bot = await crowdFixture({
    ...{ wishes: { stop, maker }, latencyMs, ...(balances && { balances }) },
    risk: { positionValueMax: 1e5, openValueMax: 1e5, orderValueMax: 1e4, ...limits },
  });
  const wrong: string[] = [];
  let outMs = Number.POSITIVE_INFINITY;
  let asked = 0;
  for (let atMs = 0; atMs < untilMs; atMs += 50) {
    bot.book([...bids], [[100.01, 50]]);
    await bot.run(50);
    const { sells } = bot.resting();
    if (sells - bot.positionOf() > shortMax + HAIR) wrong.push(`${atMs}: ${sells} are asked`);
    if (atMs < 9_900) asked = Math.max(asked, sells);
    if (atMs > 10_000 && bot.positionOf('stop') < DUST) outMs = Math.min(outMs, atMs);
  }
  const requests = (operation: string): number =>
    bot.events.filter((event) => event.kind === 'request' && event.operation === operation).length;
  const startMs = bot.clock.now() - untilMs;
  const placedWithin = (strategy: string, { fromMs, toMs }: { fromMs: number; toMs: number }) =>
    bot.events.filter(
      (event) =>
        event.kind === 'order' &&
        event.order.strategy === strategy &&
        event.order.status === 'pending' &&
        event.time >= startMs + fromMs &&
        event.time < startMs + toMs,
    ).length;
  const refusalsOf = (strategy: string) =>
    bot.events.flatMap((event) =>
      event.kind === 'refusal' && event.strategy === strategy ? [event.refusal] : [],
    );
  return { wrong, outMs, asked, bot, requests, placedWithin, refusalsOf, ...bot.resting() };
}

describe('Executor.wish: an exit beside asks of a strategy that holds nothing', () => {
  it.each<[string, Limits & { positionValueMax?: number }, number, number]>([
    ['shortMax is 0', { longMax: 3, shortMax: 0 }, 1.9, 0],
    ['shortMax leaves room', { longMax: 3, shortMax: 2 }, 3.9, 0],
    ['its value is bounded', { positionValueMax: 230 }, 2.4, 0],
  ])('leaves at once where %s, and holds the limit', async (_what, limits, ask, left) => {
    for (const latencyMs of [0, 100]) {
      const maker = [{ atMs: 5_000, of: asksOf([103, ask]) }];
      const seen = await play({ maker, limits, latencyMs });
      expect(seen.asked).toBe(ask);
      expect(seen.outMs).toBeLessThan(10_000 + 200 + 5 * latencyMs);
      expect(seen.wrong).toEqual([]);
      expect(seen.sells).toBe(left);
    }
  });

  it('has as few of them give way as it needs, the large ones and the far ones first', async () => {
    const asks = [0.5, 1.4, 0.5, 0.5, 1].map((of, at) => [102 + at, of] as const);
    const seen = await play({
      maker: [{ atMs: 5_000, of: asksOf(...asks) }],
      limits: { longMax: 3, shortMax: 2 },
    });
    expect(seen.asked).toBeCloseTo(3.9);
    expect(seen.outMs).toBeLessThan(11_000);
    expect(seen.requests('cancel')).toBe(2);
    expect(seen.sells).toBeCloseTo(1.5);
  });

  it('has them come back behind it, as far as the limit lets them', async () => {
    const seen = await play({
      maker: [{ atMs: 5_000, of: asksOf([103, 1.9]) }],
      stop: [STOP[0]!, { atMs: 10_000, of: (market) => target(market, 1) }],
      limits: { longMax: 3, shortMax: 1 },
    });
    expect(seen.sells).toBe(1.9);
    expect(seen.bot.positionOf('stop')).toBeCloseTo(1, 2);
    expect(seen.wrong).toEqual([]);
  });
});

describe('Executor.wish: what opens beside an exit that makes room', () => {
  it('does not leave before its last part, however often it is wished', async () => {
    const levels = (shift: number) =>
      asksOf(...Array.from({ length: 4 }, (_, at) => [103 + at + shift, 0.97] as const));
    const again = Array.from({ length: 100 }, (_, at) => ({
      atMs: 10_000 + at * 100,
      of: levels((at % 2) / 10),
    }));
    const seen = await play({
      maker: [{ atMs: 8_000, of: levels(0) }, ...again],
      limits: { longMax: 3, shortMax: 2 },
      ...{ latencyMs: 50, bids: THIN },
    });
    expect(seen.asked).toBeCloseTo(3.88);
    expect(seen.outMs).toBeLessThan(15_000);
    expect(seen.wrong).toEqual([]);
    expect(seen.placedWithin('maker', { fromMs: 10_300, toMs: seen.outMs })).toBe(0);
    expect(seen.sells).toBeCloseTo(1.94);
  });

  it('may bid at the best of the book meanwhile: the exit leaves past it', async () => {
    const both: Wish['of'] = (market) => quotes(market, [[100, 1]], [[103, 1.9]]);
    const maker = Array.from({ length: 40 }, (_, at) => ({ atMs: 5_000 + at * 500, of: both }));
    const limits = { longMax: 3, shortMax: 0 };
    const seen = await play({ maker, limits, latencyMs: 50, bids: [[99, 50]] });
    expect(seen.outMs).toBeLessThan(12_000);
    expect(seen.wrong).toEqual([]);
  });

  it('waits where it is of a target', async () => {
    const seen = await play({
      maker: [
        { atMs: 5_000, of: asksOf([103, 3.9]) },
        { atMs: 10_050, of: (market) => target(market, -2) },
      ],
      limits: { longMax: 3, shortMax: 2 },
      ...{ latencyMs: 50, bids: THIN },
    });
    expect(seen.wrong).toEqual([]);
    expect(seen.outMs).toBeLessThan(15_000);
    expect(seen.bot.positionOf('maker')).toBeCloseTo(-2, 1);
  });

  it('does not hold the coins of the exit, where the account has no others', async () => {
    const seen = await play({
      maker: [{ atMs: 5_000, of: asksOf([103, 0.9], [104, 1]) }],
      ...{ balances: { usdt: '100000', btc: '0' }, latencyMs: 50 },
    });
    expect(seen.asked).toBeCloseTo(1.9);
    expect(seen.outMs).toBeLessThan(11_500);
    expect(seen.sells).toBe(0);
  });
});

describe('Executor.wish: asks that leave together beside an exit that makes room', () => {
  it('leave as far as what is held covers them all', async () => {
    const levels = (shift: number) => asksOf([103 + shift, 0.97], [104 + shift, 0.97]);
    const again = Array.from({ length: 100 }, (_, at) => ({
      atMs: 8_000 + at * 100,
      of: levels((at % 7) / 10),
    }));
    const bot = await crowdFixture({
      wishes: {
        stop: STOP,
        maker: [{ atMs: 2_000, of: (market) => target(market, 1) }, ...again],
      },
      risk: {
        ...{ positionValueMax: 1e5, openValueMax: 1e5, orderValueMax: 1e4 },
        ...{ longMax: 3, shortMax: 0 },
      },
      latencyMs: 50,
    });
    let asked = 0;
    for (
      let atMs = 0;
      atMs < 14_000 && (atMs < 11_000 || bot.positionOf('stop') > DUST);
      atMs += 50
    ) {
      bot.book(atMs < 9_000 ? [[99.99, 50]] : [[99.99, 0.2]], [[100.01, 50]]);
      await bot.run(50);
      if (atMs > 10_400) asked = Math.max(asked, bot.resting().sells);
    }
    expect(asked).toBeCloseTo(0.97);
  });
});

describe('Executor.wish: a way from long to short beside an exit that makes room', () => {
  it('goes to flat meanwhile, and on once the exit is through', async () => {
    const wishes = {
      stop: [
        STOP[0]!,
        { atMs: 10_000, of: (market: Market) => target(market, 0, { priceLimit: 99 }) },
        { atMs: 25_000, of: (market: Market) => target(market, 2) },
      ],
      turn: [
        { atMs: 2_000, of: (market: Market) => target(market, 1) },
        { atMs: 12_000, of: (market: Market) => target(market, -0.5) },
      ],
      maker: [{ atMs: 5_000, of: asksOf([103, 2.9]) }],
    };
    const bot = await crowdFixture({
      ...{ wishes, latencyMs: 50 },
      risk: {
        ...{ positionValueMax: 1e5, openValueMax: 1e5, orderValueMax: 1e4 },
        ...{ longMax: 3, shortMax: 0 },
      },
    });
    const during = async (fromMs: number, untilMs: number) => {
      for (let atMs = fromMs; atMs < untilMs; atMs += 50) {
        // Few trade with the exit: it takes long.
        bot.book([[99.99, atMs < 9_000 ? 50 : 0.1]], [[100.01, 50]]);
        await bot.run(50);
      }
    };
    await during(0, 12_000);
    expect(bot.resting().sells).toBe(0);
    expect(bot.positionOf('turn')).toBeCloseTo(1, 2);
    await during(12_000, 25_000);
    expect(bot.positionOf('stop')).toBeGreaterThan(0.5);
    expect(bot.positionOf('turn')).toBeLessThan(0.5);
    await during(25_000, 60_000);
    expect(bot.positionOf('turn')).toBeCloseTo(-0.5, 2);
  });
});

describe('Executor.wish: an exit beside an order that opens', () => {
  const orderOf =
    (of: number, tag = 'mine'): Wish['of'] =>
    (market) =>
      order(market, { tag, side: 'sell', type: 'postOnly', price: 103, amount: of });

  it('sends it away and tells its strategy, once', async () => {
    const seen = await play({
      maker: [{ atMs: 5_000, of: orderOf(1.9) }],
      limits: { longMax: 3, shortMax: 0 },
      latencyMs: 50,
    });
    expect(seen.asked).toBe(1.9);
    expect(seen.outMs).toBeLessThan(12_000);
    expect(seen.sells).toBe(0);
    expect(seen.refusalsOf('maker')).toEqual([
      {
        code: 'position',
        limit: 'that it rests no more: an exit needs the room that it takes',
        observed: 'sell 1.9 at 103',
        scope: 'order',
      },
    ]);
  });

  it('refuses one that is wished meanwhile', async () => {
    const seen = await play({
      maker: [
        { atMs: 5_000, of: orderOf(3.9) },
        { atMs: 11_500, of: orderOf(0.1, 'other') },
      ],
      limits: { longMax: 3, shortMax: 2 },
      ...{ latencyMs: 50, bids: THIN },
    });
    expect(seen.outMs).toBeLessThan(15_000);
    expect(seen.sells).toBe(0);
    expect(seen.refusalsOf('maker').map(({ code }) => code)).toEqual(['position', 'position']);
    expect(seen.placedWithin('maker', { fromMs: 10_300, toMs: 30_000 })).toBe(0);
  });

  it('leaves what its strategy holds to that, and its asks', async () => {
    const seen = await play({
      maker: [
        { atMs: 2_000, of: (market) => target(market, 1) },
        { atMs: 5_000, of: asksOf([103, 0.99]) },
        { atMs: 5_100, of: orderOf(1.9) },
      ],
      limits: { longMax: 3, shortMax: 0 },
    });
    expect(seen.asked).toBeCloseTo(2.89);
    expect(seen.outMs).toBeLessThan(12_000);
    expect(seen.sells).toBeCloseTo(0.99);
    expect(seen.wrong).toEqual([]);
  });
});
