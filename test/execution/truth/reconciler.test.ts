import { describe, expect, it } from 'vitest';
import { isFinal } from '../../../src/domain/index.ts';
import {
  CODES,
  ExchangeFailure,
  type OrdersQuery,
  type PlaceRequest,
} from '../../../src/exchange/index.ts';
import type { ReconciliationReport } from '../../../src/execution/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { keptLines } from '../../kernel/fixture.ts';
import { amount, price } from '../exchange-model.ts';
import {
  type Bench,
  createBench,
  depthOf,
  MARKET,
  quotes,
  SECOND_MARKET,
  target,
} from '../fixture.ts';

const FOREIGN: PlaceRequest = {
  market: MARKET.id,
  side: 'buy',
  type: 'limit',
  price: price(42),
  amount: amount(7),
};

function reconcile(bench: Bench, reason = 'start'): ReconciliationReport {
  let report: ReconciliationReport | undefined;
  bench.executor.reconcile(reason).subscribe((value) => {
    report = value;
  });
  bench.clock.advanceBy(3_000);
  return report!;
}

describe('Executor.reconcile', () => {
  it('before the first wish reads every market and the balances', () => {
    const bench = createBench();
    const balance = { currency: 'usdt', available: Decimal.of(5), frozen: Decimal.ZERO };
    bench.model.balances = [balance];
    const report = reconcile(bench);
    expect(report.markets.map(({ market }) => market)).toEqual([MARKET.id, SECOND_MARKET.id]);
    expect(bench.model.of('orders')).toHaveLength(4);
    expect(bench.balances.get('usdt')).toEqual(balance);
    expect(bench.ofKind('reconciliation')).toHaveLength(2);
  });

  it('finds out what pushes did not tell', () => {
    const bench = createBench();
    bench.model.pushDelayMs = undefined;
    bench.wish(quotes([100, 99]));
    bench.clock.advanceBy(50);
    bench.model.fill(bench.model.orders[0]!, 0.4);
    bench.model.fill(bench.model.orders[1]!);
    const report = reconcile(bench, 'the pushes were interrupted');
    expect(report.markets).toMatchObject([{ market: MARKET.id, open: 1, ours: 1, resolved: 1 }]);
    expect(bench.live()).toMatchObject([{ filledAmount: 0.4 }]);
  });

  it('reads the next market after one whose reading changed something', () => {
    const bench = createBench();
    bench.model.pushDelayMs = undefined;
    bench.wish(quotes([100]));
    bench.wish(quotes([50], [], { market: SECOND_MARKET.id }));
    bench.clock.advanceBy(50);
    bench.model.fill(bench.model.orders[0]!, 0.4);
    const report = reconcile(bench, 'the pushes were interrupted');
    const read = bench.model.of('orders').map(({ what }) => (what as OrdersQuery).market);
    expect(read).toEqual([MARKET.id, MARKET.id, SECOND_MARKET.id, SECOND_MARKET.id]);
    expect(report.markets).toMatchObject([
      { market: MARKET.id, ours: 1, resolved: 0 },
      { market: SECOND_MARKET.id, ours: 1, resolved: 0 },
    ]);
  });

  it('asks for an order of ours that the pages do not show', () => {
    const bench = createBench();
    bench.model.pushDelayMs = undefined;
    bench.wish(quotes([100]));
    bench.clock.advanceBy(50);
    bench.model.end(bench.model.orders[0]!);
    for (let i = 0; i < 25; i++) bench.model.end(bench.model.placeForeign(FOREIGN));
    reconcile(bench, 'test');
    const [first] = bench.drafts;
    expect(isFinal(bench.state(first!.clientOrderId))).toBe(true);
  });
});

describe('Executor.reconcile by itself', () => {
  it('happens in markets that have no order just then, too', () => {
    const bench = createBench({ config: { reconcileMs: 10_000 } });
    reconcile(bench);
    bench.wish(quotes([100]));
    bench.wish(quotes([50], [], { market: SECOND_MARKET.id }));
    bench.clock.advanceBy(1_000);
    bench.wish(quotes([], [], { market: SECOND_MARKET.id }));
    bench.clock.advanceBy(9_000);
    const regular = bench.ofKind('reconciliation').filter(({ reason }) => reason === 'regular');
    expect(regular.map(({ market }) => market)).toEqual([MARKET.id, SECOND_MARKET.id]);
  });

  it('happens by itself every minute while orders live', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    bench.clock.advanceBy(190_000);
    expect(bench.ofKind('reconciliation').map(({ reason }) => reason)).toEqual([
      'regular',
      'regular',
      'regular',
    ]);
  });
});

describe('Executor.reconcile and foreign orders', () => {
  it('reports foreign orders and leaves them alone', () => {
    const bench = createBench();
    bench.model.pushDelayMs = undefined;
    bench.model.placeForeign(FOREIGN);
    expect(reconcile(bench).markets[0]).toMatchObject({ open: 1, ours: 0, foreign: 1, adopted: 0 });
    bench.clock.advanceBy(60_000);
    expect(bench.model.open).toHaveLength(1);
    expect(bench.orders.foreign.of(MARKET.id)).toHaveLength(1);
  });

  it.each([
    ['ignore', 'left alone'],
    ['adopt', 'taken over'],
    ['cancel', 'cancelled'],
  ] as const)('says whose foreign orders may be, and what %s makes of them', (policy, fate) => {
    const { lines: said, logger } = keptLines();
    const bench = createBench({ config: { foreignOrders: policy }, logger });
    bench.model.pushDelayMs = undefined;
    bench.model.placeForeign(FOREIGN);
    reconcile(bench);
    expect(said).toEqual([
      `open orders in ${MARKET.id} that are not in the journal are ${fate} (executor.foreignOrders): ` +
        'placed by a person, by another bot of this account, or before a journal was lost',
    ]);
  });

  it('adopts foreign orders where told to: they stay, and are kept alive', () => {
    const bench = createBench({ config: { foreignOrders: 'adopt' } });
    bench.model.placeForeign(FOREIGN);
    expect(reconcile(bench).markets[0]).toMatchObject({ adopted: 1 });
    bench.clock.advanceBy(60_000);
    expect(bench.live()).toMatchObject([{ strategy: 'adopted', status: 'open' }]);
    expect(bench.model.of('cancelAllAfter').length).toBeGreaterThan(3);
    expect(bench.model.open).toHaveLength(1);
  });

  it('cancels foreign orders where told to', () => {
    const bench = createBench({ config: { foreignOrders: 'cancel' } });
    bench.model.placeForeign(FOREIGN);
    reconcile(bench);
    expect(bench.model.open).toEqual([]);
    expect(bench.live()).toEqual([]);
  });

  it.each(['withdrawAll', 'stop'] as const)('keeps none that it adopted behind a %s', (all) => {
    const bench = createBench({ config: { foreignOrders: 'adopt' } });
    bench.model.placeForeign(FOREIGN);
    reconcile(bench);
    bench.clock.advanceBy(60_000);
    expect(bench.model.open).toHaveLength(1);
    bench.executor[all]();
    bench.clock.advanceBy(100);
    expect(bench.model.open).toEqual([]);
  });
});

describe('Executor.reconcile and foreign orders that end', () => {
  it.each(['adopt', 'cancel'] as const)(
    'leaves alone what a push told to be over while the market was read: %s',
    (foreignOrders) => {
      const bench = createBench({ config: { foreignOrders } });
      const foreign = bench.model.placeForeign(FOREIGN);
      let reads = 0;
      bench.model.fate = (operation) =>
        operation === 'orders' && ++reads === 2 ? { backMs: 500 } : {};
      bench.clock.schedule(() => bench.model.fill(foreign), 200);
      const [read] = reconcile(bench).markets;
      expect(read).toMatchObject({ open: 1, foreign: 0, adopted: 0 });
      expect(bench.orders.foreign.of(MARKET.id)).toEqual([]);
      expect(bench.model.of('cancel')).toEqual([]);
      expect(bench.ofKind('fill')).toEqual([]);
    },
  );
});

describe('Executor.reconcile and foreign orders that have ended', () => {
  it.each(['adopt', 'cancel'] as const)(
    'leaves alone what a push told to be over where reads lag behind it: %s',
    (foreignOrders) => {
      const bench = createBench({ config: { foreignOrders } });
      const foreign = bench.model.placeForeign(FOREIGN);
      bench.clock.advanceBy(1_000);
      bench.model.readLagMs = 300;
      bench.model.fill(foreign);
      bench.clock.advanceBy(50);
      const [read] = reconcile(bench).markets;
      expect(read).toMatchObject({ open: 1, foreign: 0, adopted: 0 });
      expect(bench.model.of('cancel')).toEqual([]);
      expect(bench.ofKind('fill')).toEqual([]);
    },
  );
});

describe('Executor.reconcile and orders that ended just before a restart', () => {
  it.each(['adopt', 'cancel'] as const)(
    'takes none of them for a foreign one where reads lag: %s',
    (foreignOrders) => {
      const first = createBench({ idPrefix: 'first' });
      const { clock, model } = first;
      first.wish(quotes([90]));
      clock.advanceBy(1_000);
      model.readLagMs = 1_000;
      model.fill(model.orders[0]!);
      clock.advanceBy(50);
      const endedOrders = first
        .ofKind('order')
        .flatMap(({ order }) => (order.status === 'filled' ? order : []));
      first.kill();
      const bench = createBench({ clock, model, idPrefix: 'second', config: { foreignOrders } });
      bench.restore({ endedOrders });
      const [read] = reconcile(bench).markets;
      expect(endedOrders).toHaveLength(1);
      expect(read).toMatchObject({ open: 1, foreign: 0, adopted: 0 });
      clock.advanceBy(5_000);
      expect(bench.ofKind('fill')).toEqual([]);
    },
  );
});

describe('Executor.reconcile and what is foreign', () => {
  it('finds foreign orders behind pages of closed ones, and reads those pages once', () => {
    const bench = createBench({ config: { foreignOrders: 'adopt' } });
    const hidden = bench.model.placeForeign(FOREIGN);
    for (let i = 0; i < 35; i++) {
      bench.clock.advanceBy(5_000);
      bench.model.end(bench.model.placeForeign(FOREIGN));
    }
    const pages = () => bench.model.of('orders').length;
    reconcile(bench);
    expect(bench.live()).toMatchObject([{ exchangeOrderId: hidden.record.exchangeOrderId }]);
    const thorough = pages();
    bench.clock.advanceBy(58_000);
    expect(pages() - thorough).toBe(2);
    expect(bench.live()).toHaveLength(1);
  });

  it('asks at once after one that it adopts on the word of an old push alone', () => {
    const bench = createBench({ config: { foreignOrders: 'adopt' } });
    bench.model.lists = ({ closed }) => !closed;
    bench.model.pushDelayMs = 20_000;
    const foreign = bench.model.placeForeign(FOREIGN);
    bench.model.pushDelayMs = undefined;
    bench.model.end(foreign);
    bench.clock.advanceBy(10_000);
    const newer = bench.model.placeForeign(FOREIGN);
    reconcile(bench);
    bench.clock.advanceBy(10_000);
    expect(bench.orders.foreign.of(MARKET.id)).toMatchObject([
      { ...foreign.record, closed: false },
    ]);
    expect(reconcile(bench).markets[0]).toMatchObject({ adopted: 1 });
    expect(bench.live()).toMatchObject([{ exchangeOrderId: newer.record.exchangeOrderId }]);
  });

  const CLOCKS = [0, -600_000, 600_000];

  it.each(CLOCKS)('misses none behind closed ones where the clocks differ by %i ms', (aheadMs) => {
    const bench = createBench({ config: { foreignOrders: 'adopt' } });
    bench.model.clockAheadMs = aheadMs;
    bench.model.pushDelayMs = undefined;
    bench.model.end(bench.model.placeForeign(FOREIGN));
    reconcile(bench);
    bench.clock.advanceBy(20_000);
    const hidden = bench.model.placeForeign(FOREIGN);
    for (let i = 0; i < 15; i++) bench.model.end(bench.model.placeForeign(FOREIGN));
    bench.clock.advanceBy(5_000);
    reconcile(bench);
    expect(bench.live()).toMatchObject([{ exchangeOrderId: hidden.record.exchangeOrderId }]);
  });

  it.each(CLOCKS)('leaves an order whose answer is awaited ours: clocks by %i ms', (aheadMs) => {
    const bench = createBench({ config: { foreignOrders: 'cancel' } });
    bench.model.clockAheadMs = aheadMs;
    bench.model.pushDelayMs = undefined;
    bench.model.fate = (operation) => (operation === 'place' ? { backMs: 3_000 } : {});
    bench.wish(quotes([100]));
    bench.clock.advanceBy(50);
    expect(reconcile(bench, 'test').markets[0]).toMatchObject({ open: 1, foreign: 0, adopted: 0 });
    bench.clock.advanceBy(5_000);
    expect(bench.model.open).toHaveLength(1);
  });
});

describe('Executor.reconcile and an order of ours whose id is not known yet', () => {
  it.each(['adopt', 'cancel'] as const)(
    'leaves it ours where a push alone told of it, long ago (foreignOrders: %s)',
    (foreignOrders) => {
      const bench = createBench({ config: { foreignOrders } });
      const { clock, model } = bench;
      const lost = { place: { loss: 'silent' }, order: { loss: 'lost' } } as const;
      model.fate = (operation) =>
        'place order'.includes(operation) ? lost[operation as 'place'] : {};
      bench.wish(quotes([100]));
      for (let i = 0; i < 15; i++) {
        clock.advanceBy(5_000);
        model.end(model.placeForeign(FOREIGN));
      }
      clock.advanceBy(5_000);
      reconcile(bench);
      clock.advanceBy(10_000);
      expect(reconcile(bench).markets[0]).toMatchObject({ adopted: 0 });
      model.fate = () => ({});
      clock.advanceBy(10_000);
      const { exchangeOrderId } = model.orders[0]!.record;
      expect(bench.live()).toMatchObject([{ exchangeOrderId, strategy: 'maker', status: 'open' }]);
    },
  );
});

describe('Executor.reconcile and its requests', () => {
  it('tries again as long as reads fail', () => {
    const bench = createBench();
    let down = true;
    bench.model.fate = () => (down ? { loss: 'lost' } : {});
    expect(reconcile(bench)).toBeUndefined();
    down = false;
    bench.clock.advanceBy(5_000);
    expect(bench.ofKind('reconciliation')).toHaveLength(2);
  });

  it('keeps to its share of the budget while orders are about', () => {
    const limits = { requestsPerSecond: 20, requestsPerMinute: 900, candleIntervalMs: 1_000 };
    const bench = createBench({ limits });
    bench.wish(quotes([100]));
    bench.wish(quotes([100], [], { market: SECOND_MARKET.id }));
    bench.clock.advanceBy(2_000);
    const before = bench.clock.now();
    bench.executor.reconcile('test');
    bench.clock.advanceBy(900);
    const read = bench.model.calls.filter(({ sentMs }) => sentMs >= before);
    expect(read.length).toBe(2);
  });
});

const REFUSED = new ExchangeFailure('rejected', 'Error Market', { code: CODES.general });
const isOfSecond = (what: unknown) => (what as OrdersQuery).market === SECOND_MARKET.id;

/** Quotes in two markets, of which the second cannot be read; no pushes come. */
function createHalfBlind(options: Parameters<typeof createBench>[0] = {}) {
  const bench = createBench(options);
  const { model } = bench;
  model.pushDelayMs = undefined;
  bench.wish(quotes([100]));
  bench.wish(quotes([50], [], { market: SECOND_MARKET.id }));
  bench.clock.advanceBy(50);
  const refused = { orders: true };
  model.fate = (operation, what) => {
    const isRefused = operation === 'orders' && refused.orders && isOfSecond(what);
    return isRefused ? { refusal: REFUSED } : {};
  };
  const read = () => bench.ofKind('reconciliation').map(({ market }) => market);
  return { bench, model, refused, read };
}

describe('Executor.reconcile and a market that cannot be read', () => {
  it('reads the other markets and the balances on, at the usual pace', () => {
    const { bench, model, read } = createHalfBlind();
    bench.clock.advanceBy(65_000);
    expect(read()).toEqual([MARKET.id]);
    model.fill(model.orders[0]!);
    bench.clock.advanceBy(60_000);
    expect(read()).toEqual([MARKET.id, MARKET.id]);
    expect(bench.held()).toBe(1);
    expect(bench.model.of('account').length).toBeGreaterThanOrEqual(2);
  });

  it('tells who waits for it only when it was read, and the balances after it', () => {
    const { bench, model, refused } = createHalfBlind();
    expect(reconcile(bench, 'test')).toBeUndefined();
    let told = 0;
    bench.executor.reconcile('test').subscribe(({ markets }) => {
      told = markets.length;
    });
    bench.clock.advanceBy(20_000);
    expect(told).toBe(0);
    const accounts = model.of('account').length;
    refused.orders = false;
    bench.clock.advanceBy(15_000);
    expect(told).toBe(2);
    expect(model.of('account').length).toBe(accounts + 1);
  });

  it('asks for it ever less often, and is asked again by all who want it without asking more', () => {
    const { bench, model } = createHalfBlind({ config: { reconcileMs: 600_000 } });
    bench.executor.reconcile('test');
    bench.clock.advanceBy(60_000);
    const asked = () => model.of('orders').filter(({ what }) => isOfSecond(what)).length;
    const before = asked();
    for (let i = 0; i < 12; i++) {
      bench.executor.reconcile('test');
      bench.clock.advanceBy(5_000);
    }
    expect(asked() - before).toBeLessThanOrEqual(7);
  });

  it('places nothing more there until it was read', () => {
    const { bench, model, refused } = createHalfBlind();
    bench.clock.advanceBy(75_000);
    bench.wish(quotes([99]));
    bench.wish(quotes([49], [], { market: SECOND_MARKET.id }));
    bench.clock.advanceBy(20_000);
    expect(model.open.map(({ record }) => Number(record.price))).toEqual([99]);
    refused.orders = false;
    bench.clock.advanceBy(11_000);
    expect(model.open.map(({ record }) => Number(record.price))).toEqual([99, 49]);
  });
});

describe('Executor in a market that cannot be read', () => {
  it('reads it once when it is back, however many readings wanted it meanwhile', () => {
    const { bench, model, refused } = createHalfBlind();
    for (let minute = 0; minute < 10; minute++) {
      bench.clock.advanceBy(60_000);
      bench.wish(quotes(minute % 2 === 0 ? [] : [100]));
    }
    refused.orders = false;
    const before = model.of('orders').length;
    bench.clock.advanceBy(15_000);
    const asked = model.of('orders').slice(before);
    expect(asked.filter(({ what }) => isOfSecond(what))).toHaveLength(2);
  });

  it('places what shrinks a position', () => {
    const { bench, model } = createHalfBlind();
    bench.clock.advanceBy(75_000);
    model.fill(model.orders.find(({ record }) => record.market === SECOND_MARKET.id)!);
    bench.wish(quotes([], [60], { market: SECOND_MARKET.id }));
    bench.clock.advanceBy(5_000);
    const asks = model.open.filter(({ record }) => record.side === 'sell');
    expect(asks.map(({ record }) => [record.market, record.price])).toEqual([
      [SECOND_MARKET.id, 60],
    ]);
  });

  it('goes to flat and no further, until it was read, where a target is on the other side', () => {
    const { bench, model, refused } = createHalfBlind();
    const { id } = SECOND_MARKET;
    bench.clock.advanceBy(75_000);
    model.fill(model.orders.find(({ record }) => record.market === id)!);
    bench.depths.set(id, depthOf(49, 51, id));
    model.onPlaced = ({ record }) => (record.type === 'ioc' ? record.amount : 0);
    bench.wish(target(-1, { market: id }));
    bench.clock.advanceBy(5_000);
    const held = () => bench.positions.position(id).amount.toNumber();
    expect(held()).toBe(0);
    refused.orders = false;
    bench.clock.advanceBy(15_000);
    expect(held()).toBe(-1);
  });

  it('has quotes no larger than what they shrink', () => {
    const { bench, model } = createHalfBlind();
    const { id } = SECOND_MARKET;
    bench.clock.advanceBy(75_000);
    model.fill(model.orders.find(({ record }) => record.market === id)!);
    const asks = [
      [60, 0.7],
      [61, 0.7],
      [62, 0.3],
    ] as const;
    bench.wish(quotes([], asks, { market: id }));
    bench.clock.advanceBy(5_000);
    const resting = model.open.filter(({ record }) => record.side === 'sell');
    expect(resting.map(({ record }) => record.price)).toEqual([60, 62]);
  });

  it('is not kept armed for what cannot leave', () => {
    const { bench, model } = createHalfBlind();
    bench.clock.advanceBy(75_000);
    const { fate } = model;
    model.fate = (operation, what) =>
      operation === 'cancel' ? { refusal: REFUSED } : fate(operation, what);
    bench.wish(quotes([48], [], { market: SECOND_MARKET.id }));
    bench.clock.advanceBy(90_000);
    expect(model.open.filter(({ record }) => record.market === SECOND_MARKET.id)).toEqual([]);
  });
});

describe('Executor.reconcile after a lapse, where a market cannot be read', () => {
  it('looks up its orders one by one after a lapse', () => {
    const { bench, model } = createHalfBlind();
    const { fate } = model;
    model.fate = (operation, what) =>
      operation === 'cancelAllAfter' ? { loss: 'silent' } : fate(operation, what);
    bench.clock.advanceBy(57_000);
    model.fate = fate;
    expect(bench.live().map(({ status }) => status)).toEqual(['unknown', 'unknown']);
    bench.clock.advanceBy(20_000);
    expect(bench.live().map(({ status }) => status)).toEqual(['open', 'open']);
  });

  it('lets a market recover from a lapse while another one cannot be read', () => {
    const { bench, model } = createHalfBlind();
    const { fate } = model;
    model.fate = () => ({ loss: 'lost' });
    bench.clock.advanceBy(80_000);
    expect(bench.ofKind('lapse').map(({ market }) => market)).toContain(MARKET.id);
    model.fate = fate;
    bench.clock.advanceBy(30_000);
    expect(model.open.map(({ record }) => record.market)).toContain(MARKET.id);
  });
});

/** A bench before its first wish, of which nothing in these markets can be read until told. */
function createStart(unreadable: readonly string[]) {
  const bench = createBench();
  const { model } = bench;
  const refused = new Set(unreadable);
  model.fate = (operation, what) =>
    operation === 'orders' && refused.has((what as OrdersQuery).market) ? { refusal: REFUSED } : {};
  const heard: string[] = [];
  bench.executor.reconcile('start').subscribe({
    next: ({ markets }) => heard.push(...markets.map(({ market }) => market)),
    error: ({ message }: ExchangeFailure) => heard.push(message),
  });
  bench.clock.advanceBy(10_000);
  const placed = () => model.of('place').map(({ what }) => (what as PlaceRequest).market);
  return { bench, refused, heard, placed };
}

describe('Executor.reconcile before the first wish', () => {
  it('goes on without a market that cannot be read, in which nothing is placed until it was', () => {
    const { bench, refused, heard, placed } = createStart([SECOND_MARKET.id]);
    expect(heard).toEqual([MARKET.id]);
    bench.wish(quotes([100]));
    bench.wish(quotes([50], [], { market: SECOND_MARKET.id }));
    bench.clock.advanceBy(60_000);
    expect(placed()).toEqual([MARKET.id]);
    refused.clear();
    bench.clock.advanceBy(11_000);
    expect(placed()).toEqual([MARKET.id, SECOND_MARKET.id]);
  });

  it('fails where no market can be read, and tries on', () => {
    const { bench, refused, heard, placed } = createStart([MARKET.id, SECOND_MARKET.id]);
    expect(heard).toEqual([REFUSED.message]);
    bench.wish(quotes([100]));
    bench.clock.advanceBy(10_000);
    expect(placed()).toEqual([]);
    refused.clear();
    bench.clock.advanceBy(11_000);
    expect(placed()).toEqual([MARKET.id]);
  });
});

describe('Executor.reconcile and balances that a push has told', () => {
  it.each([
    ['keeps them where the read may lag behind it', 1_900, 7],
    ['takes the read where that is newer', 2_100, 5],
  ])('%s', (_what, beforeMs, expected) => {
    const bench = createBench();
    const balanceOf = (available: number) => [
      { currency: 'usdt', available: Decimal.of(available), frozen: Decimal.ZERO },
    ];
    bench.model.balances = balanceOf(5);
    bench.balances.update(balanceOf(7), 'push');
    bench.clock.advanceBy(beforeMs);
    bench.executor.reconcile('start');
    bench.clock.advanceBy(60);
    expect(bench.model.of('account')).toHaveLength(1);
    expect(bench.balances.get('usdt')?.available.toNumber()).toBe(expected);
  });
});

describe('Executor.reconcile and balances that cannot be read', () => {
  it('reads the markets on', () => {
    const bench = createBench();
    bench.wish(quotes([100]));
    bench.model.fate = (operation) => (operation === 'account' ? { refusal: REFUSED } : {});
    bench.clock.advanceBy(190_000);
    expect(bench.ofKind('reconciliation')).toHaveLength(3);
  });
});

describe('Executor.reconcile and orders that cannot be read', () => {
  it('finds an order behind a page that holds one', () => {
    const bench = createBench({ config: { foreignOrders: 'adopt' } });
    const hidden = bench.model.placeForeign(FOREIGN);
    for (let i = 0; i < 10; i++) bench.model.end(bench.model.placeForeign(FOREIGN));
    const odd = bench.model.orders.at(-1)!;
    bench.model.isLegible = ({ exchangeOrderId }) => exchangeOrderId !== odd.record.exchangeOrderId;
    reconcile(bench);
    expect(bench.live()).toMatchObject([{ exchangeOrderId: hidden.record.exchangeOrderId }]);
  });

  it('asks for one of ours by itself, and counts it as open until then', () => {
    const bench = createBench();
    bench.model.pushDelayMs = undefined;
    bench.wish(quotes([100]));
    bench.clock.advanceBy(50);
    bench.model.isLegible = () => false;
    bench.model.fill(bench.model.orders[0]!);
    expect(reconcile(bench).markets[0]).toMatchObject({ open: 1, ours: 1 });
    expect(bench.held()).toBe(1);
  });
});
