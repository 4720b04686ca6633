import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ADOPTED } from '../../src/ledger/index.ts';
import { RiskGate } from '../../src/risk/index.ts';
import {
  anyLive,
  type LiveUnits,
  makeRisk,
  type RiskSetup,
  restOf,
  sketchOf,
  sum,
} from './fixture.ts';

function unwelcomeIn(state: 'ACTIVE' | 'REDUCING' | 'HALTED', setup: RiskSetup): string[] {
  const risk = makeRisk(setup);
  if (state !== 'ACTIVE') risk.state.set(state, 'test');
  const gate = new RiskGate(risk.view);
  return gate.unwelcome().map(({ clientOrderId }) => clientOrderId);
}

/** Orders in two markets; the data of the first turn stale at once, those of the other stay. */
function staleRisk(limits: RiskSetup['limits'] = {}) {
  const live = [{}, { market: 'eth_usdt' }, { side: 'sell', status: 'cancelling' }] as const;
  const risk = makeRisk({ live, limits });
  const fresh = new Set(['eth_usdt']);
  const view = {
    ...risk.view,
    prices: { ...risk.view.prices, isFresh: (id: string) => fresh.has(id) },
  };
  const gate = new RiskGate(view);
  /** The unwelcome orders after some seconds, asked for each second as the executor does. */
  const after = (seconds: number) => {
    let last: string[] = [];
    for (let i = 0; i <= seconds; i++) {
      if (i > 0) risk.clock.advanceBy(1_000);
      last = gate.unwelcome().map(({ clientOrderId }) => clientOrderId);
    }
    return last;
  };
  return { ...risk, fresh, after, gate };
}

describe('RiskGate.unwelcome on stale data', () => {
  it('is all of a market whose data are stale for 30 s, and nothing before', () => {
    const { after } = staleRisk();
    expect(after(29)).toEqual([]);
    expect(after(1)).toEqual(['live0', 'live2']);
  });

  it('is all of every market whose data are stale', () => {
    const { after, fresh } = staleRisk();
    fresh.clear();
    expect(after(30)).toEqual(['live0', 'live1', 'live2']);
  });

  it('counts anew once the data are fresh, and is nothing at once', () => {
    const { after, fresh } = staleRisk();
    after(31);
    fresh.add('btc_usdt');
    expect(after(0)).toEqual([]);
    fresh.delete('btc_usdt');
    expect(after(28)).toEqual([]);
    expect(after(3)).toEqual(['live0', 'live2']);
  });

  it('goes by the limit of the market, and is nothing ever where that is 0', () => {
    const ofMarket = (staleRestMaxMs: number) => ({ markets: { btc_usdt: { staleRestMaxMs } } });
    expect(staleRisk(ofMarket(2_000)).after(2)).toEqual(['live0', 'live2']);
    expect(staleRisk({ staleRestMaxMs: 0 }).after(600)).toEqual([]);
    expect(staleRisk({ staleRestMaxMs: 1_000, ...ofMarket(0) }).after(600)).toEqual([]);
  });

  it('joins what may not stay while trading is reducing, each order once', () => {
    const { after, state } = staleRisk();
    state.set('REDUCING', 'test');
    expect(after(30)).toEqual(['live0', 'live2', 'live1']);
  });
});

describe('RiskGate.unwelcomeFromMs of stale data', () => {
  it('is to be asked for when the data grow old, and when orders have rested on them for too long', () => {
    const { view, clock, bus } = makeRisk({ live: [{}], limits: { staleRestMaxMs: 5_000 } });
    let freshUntilMs = clock.now() + 400;
    const isFresh = () => clock.now() < freshUntilMs;
    const prices = { ...view.prices, isFresh, freshUntilMs: () => freshUntilMs };
    const gate = new RiskGate({ ...view, prices });
    /** The unwelcome orders at the time to ask again, and how long that took. */
    const next = () => {
      const waitMs = gate.unwelcomeFromMs() - clock.now();
      clock.advanceBy(waitMs);
      return [waitMs, gate.unwelcome().length];
    };
    expect(gate.unwelcome()).toEqual([]);
    expect(Array.from({ length: 6 }, next)).toEqual([
      [400, 0],
      ...Array(4).fill([1_000, 0]),
      [1_000, 1],
    ]);
    expect(gate.unwelcomeFromMs()).toBe(Number.POSITIVE_INFINITY);
    freshUntilMs = Number.POSITIVE_INFINITY;
    expect(gate.unwelcome()).toEqual([]);
    freshUntilMs = clock.now();
    const told = { time: clock.now(), market: 'btc_usdt', stream: 'depth', fresh: false } as const;
    bus.publish({ kind: 'freshness', ...told, ageMs: 0 });
    gate.unwelcome();
    expect(next()).toEqual([1_000, 0]);
  });

  it('is to be asked for within that time where data are stale that are not old: a crossed book', () => {
    const { view, clock } = makeRisk({ live: [{}], limits: { staleRestMaxMs: 2_500 } });
    let isFresh = true;
    const freshUntilMs = () => clock.now() + 3_600_000;
    const gate = new RiskGate({
      ...view,
      prices: { ...view.prices, isFresh: () => isFresh, freshUntilMs },
    });
    gate.unwelcome();
    const waitMs = gate.unwelcomeFromMs() - clock.now();
    isFresh = false;
    expect(waitMs).toBe(2_500);
    clock.advanceBy(waitMs);
    gate.unwelcome();
    clock.advanceBy(2_500);
    expect(gate.unwelcome()).toHaveLength(1);
  });

  it('is to be asked for each second of that, so that data fresh again in between count anew', () => {
    const { view, clock } = makeRisk({ live: [{}], limits: { staleRestMaxMs: 2_500 } });
    let isFresh = false;
    const gate = new RiskGate({ ...view, prices: { ...view.prices, isFresh: () => isFresh } });
    const next = () => {
      const waitMs = gate.unwelcomeFromMs() - clock.now();
      clock.advanceBy(waitMs);
      return [waitMs, gate.unwelcome().length];
    };
    gate.unwelcome();
    expect([next(), next()]).toEqual(Array(2).fill([1_000, 0]));
    isFresh = true;
    expect(next()).toEqual([500, 0]);
    isFresh = false;
    clock.advanceBy(1_000);
    gate.unwelcome();
    expect([next(), next(), next()]).toEqual([...Array(2).fill([1_000, 0]), [500, 1]]);
  });
});

describe('RiskGate.whyUnwelcome', () => {
  const SHRINKS = 'where nothing rests that could open a position';
  /** The reasons of all unwelcome orders. */
  function reasonsOf({ view }: ReturnType<typeof makeRisk>): string[] {
    const gate = new RiskGate(view);
    return gate.unwelcome().map((order) => gate.whyUnwelcome(order).reason);
  }

  it('names the state of trading, whatever the data are', () => {
    for (const state of ['REDUCING', 'HALTED'] as const) {
      const risk = makeRisk({ live: [{}] });
      risk.state.set(state, 'test');
      risk.knobs.fresh = false;
      const reason = `trading is ${state}${state === 'HALTED' ? '' : `, ${SHRINKS}`}`;
      expect(reasonsOf(risk)).toEqual([reason]);
    }
  });

  it('names the setting of stale data, also where it is of the market alone', () => {
    const reasons = (limits: RiskSetup['limits']) => {
      const { after, gate } = staleRisk(limits);
      after(31);
      return gate.unwelcome().map((order) => gate.whyUnwelcome(order));
    };
    const own = { markets: { btc_usdt: { staleRestMaxMs: 2_500 } } };
    const cause = 'staleData';
    const text = (seconds: number, setting: string) =>
      `its data have been stale for ${seconds} s (risk.${setting})`;
    expect(reasons({})[0]).toEqual({ cause, reason: text(30, 'staleRestMaxMs') });
    const reason = text(2.5, 'markets.btc_usdt.staleRestMaxMs');
    expect(reasons(own)[0]).toEqual({ cause, reason });
  });

  it.each(['priceMin', 'priceMax'] as const)('names %s as the cause', (cause) => {
    const risk = makeRisk({ live: [{ price: 90 }, { price: 120 }], limits: { [cause]: 100 } });
    const gate = new RiskGate(risk.view);
    expect(gate.unwelcome().map((order) => gate.whyUnwelcome(order).cause)).toEqual([cause]);
  });

  it('names the blackout and the bounds of the price, with their settings', () => {
    const blackouts = [{ from: '00:00', to: '00:00' }];
    expect(reasonsOf(makeRisk({ live: [{}], limits: { blackouts } }))).toEqual([
      `a blackout from 00:00 to 00:00 UTC (risk.blackouts), ${SHRINKS}`,
    ]);
    const live = [{ price: 90 }, { price: 120 }];
    const markets = { btc_usdt: { priceMax: 110 } };
    expect(reasonsOf(makeRisk({ live, limits: { priceMin: 95, markets } })).sort()).toEqual([
      `a price above 110 (risk.markets.btc_usdt.priceMax), ${SHRINKS}`,
      `a price below 95 (risk.priceMin), ${SHRINKS}`,
    ]);
  });
});

describe('RiskGate.unwelcome', () => {
  it('is nothing while trading is active, and everything while it is halted', () => {
    const live = [{}, { side: 'sell' }, { status: 'unknown' }, { market: 'eth_usdt' }] as const;
    expect(unwelcomeIn('ACTIVE', { live })).toEqual([]);
    expect(unwelcomeIn('HALTED', { live })).toEqual(['live0', 'live1', 'live2', 'live3']);
  });

  it('keeps, while trading is reducing, the nearest orders that shrink the position', () => {
    const live = [
      { side: 'sell', price: 102, amount: 1 },
      { side: 'sell', price: 101, amount: 2, filled: 1.5 },
      { side: 'sell', price: 103, amount: 0.5 },
      { side: 'buy', price: 99, amount: 0.1 },
    ] as const;
    const unwelcome = unwelcomeIn('REDUCING', { live, held: { maker: 1 } });
    expect(unwelcome).toEqual(['live3', 'live0']);
  });

  it('takes an adopted order for one that may close what others hold', () => {
    const live = [
      { side: 'sell', price: 105, amount: 1, strategy: ADOPTED },
      { side: 'sell', price: 106, amount: 1, strategy: ADOPTED },
    ] as const;
    expect(unwelcomeIn('REDUCING', { live, held: { maker: 1 } })).toEqual(['live1']);
    const limits = { priceMax: 100 };
    expect(unwelcomeIn('ACTIVE', { live, held: { maker: 1 }, limits })).toEqual(['live1']);
  });

  it('keeps the nearest of what covers a short position', () => {
    const live = [97, 99, 98].map((price) => ({ price, amount: 0.5 }));
    expect(unwelcomeIn('REDUCING', { live, held: { maker: -1 } })).toEqual(['live0']);
  });

  it('is nothing at the very bounds of the price', () => {
    const live = [{ price: 90 }, { price: 110 }];
    expect(unwelcomeIn('ACTIVE', { live, limits: { priceMin: 90, priceMax: 110 } })).toEqual([]);
  });

  it('keeps an exit within what its strategy holds, whatever others hold against it', () => {
    const live = [{ side: 'sell', type: 'ioc', price: 99.9, amount: 10 }] as const;
    expect(unwelcomeIn('REDUCING', { live, held: { maker: 10, other: -4 } })).toEqual([]);
  });

  it('takes nobody the room for an exit that is only under way', () => {
    const live = [
      { side: 'sell', type: 'ioc', price: 99.9, amount: 1, strategy: 'first' },
      { side: 'sell', price: 101, amount: 1, strategy: 'second' },
    ] as const;
    const held = { first: 1, second: 1, third: -1 };
    expect(unwelcomeIn('REDUCING', { live, held })).toEqual([]);
  });

  it('leaves nothing that could open or turn a position, and drops nothing that fits', () => {
    const held = fc.integer({ min: -30_000, max: 30_000 });
    fc.assert(
      fc.property(anyLive, held, held, (units, maker, other) => {
        const setup = { live: units.map(sketchOf), held: inBase({ maker, other }) };
        const dropped = new Set(unwelcomeIn('REDUCING', setup));
        const orders = units.map((live, at) => ({
          ...live,
          live,
          isKept: !dropped.has(`live${at}`),
        }));
        for (const side of ['buy', 'sell'] as const) {
          const ofSide = orders.filter((order) => order.side === side);
          const rooms = [
            { heldUnits: maker + other, within: ofSide },
            ...Object.entries({ maker, other }).map(([name, heldUnits]) => ({
              ...{ heldUnits, within: ofSide.filter(({ strategy }) => strategy === name) },
            })),
          ].map(({ heldUnits, within }) => ({
            left: Math.max(0, side === 'buy' ? -heldUnits : heldUnits) - keptOf(within),
            within,
          }));
          for (const { left } of rooms) expect(left).toBeGreaterThanOrEqual(0);
          for (const order of ofSide.filter(({ isKept }) => !isKept)) {
            const its = rooms.filter(({ within }) => within.includes(order));
            expect(restOf(order.live)).toBeGreaterThan(Math.min(...its.map(({ left }) => left)));
          }
        }
      }),
      { seed: 41 },
    );
  });
});

function inBase(units: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(units).map(([name, held]) => [name, held / 10_000]));
}

function keptOf(orders: readonly { live: LiveUnits; isKept: boolean }[]): number {
  return sum(
    orders.filter(({ isKept }) => isKept),
    ({ live }) => restOf(live),
  );
}
