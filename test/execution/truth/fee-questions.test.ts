import { describe, expect, it } from 'vitest';
import type { FinalOrder, OrderRecord } from '../../../src/domain/index.ts';
import { CODES, CONTRACT_LIMITS, ExchangeFailure } from '../../../src/exchange/index.ts';
import { Decimal, silentLogger } from '../../../src/kernel/index.ts';
import {
  type Bench,
  type BenchOptions,
  createBench,
  depthOf,
  MARKET,
  quotes,
  SECOND_MARKET,
  target,
} from '../fixture.ts';

/** The fee that the exchange takes of the buys in these tests: of what they get, as a taker. */
const taken = ({ filledAmount }: OrderRecord) =>
  Decimal.of(filledAmount).times(Decimal.of('0.001')).round(8, 'up');

/** A plain resting bid of 1. Makers pay nothing here, but the exchange charges it as a taker. */
function resting(options: BenchOptions & { readonly postOnly?: boolean } = {}): Bench {
  const { postOnly = false, ...others } = options;
  const bench = createBench({ feeRates: { maker: 0, taker: 0.001 }, ...others });
  bench.model.feeOf = taken;
  bench.wish(quotes([100], [], { postOnly }));
  bench.clock.advanceBy(50);
  return bench;
}

/** The first order. */
const bid = 0;
const held = (bench: Bench) => `${bench.positions.position(MARKET.id).amount}`;
const asked = (bench: Bench) => bench.model.of('order').length;

describe('the fee of a fill that only the exchange knows', () => {
  it('is asked for once, a read lag after the fill, whatever came of the order', () => {
    for (const part of [0.4, 1]) {
      const bench = resting();
      bench.model.fill(bench.model.orders[bid]!, part);
      bench.clock.advanceBy(1_900);
      expect([held(bench), asked(bench)]).toEqual([`${part}`, 0]);
      bench.clock.advanceBy(200);
      expect([held(bench), asked(bench)]).toEqual([`${part * 0.999}`, 1]);
      bench.clock.advanceBy(30_000);
      expect(asked(bench)).toBe(1);
    }
  });

  it('is asked for once a read lag while the order fills on', () => {
    const bench = resting();
    for (let fill = 0; fill < 8; fill++) {
      bench.model.fill(bench.model.orders[bid]!, 0.1);
      bench.clock.advanceBy(500);
    }
    bench.clock.advanceBy(10_000);
    expect([held(bench), asked(bench)]).toEqual(['0.7992', 2]);
  });

  it('is asked for until a read shows all fills', () => {
    const bench = resting();
    bench.model.readLagMs = 5_000;
    bench.model.fill(bench.model.orders[bid]!);
    bench.clock.advanceBy(4_900);
    expect([held(bench), asked(bench)]).toEqual(['1', 2]);
    bench.clock.advanceBy(10_000);
    expect([held(bench), asked(bench)]).toEqual(['0.999', 3]);
  });

  it('is asked for after a cancel whose answer tells a fill', () => {
    const bench = resting();
    bench.model.pushDelayMs = undefined;
    bench.model.fill(bench.model.orders[bid]!, 0.4);
    bench.model.pushDelayMs = 50;
    bench.wish(quotes([]));
    bench.clock.advanceBy(100);
    expect(held(bench)).toBe('0.4');
    bench.clock.advanceBy(3_000);
    expect([held(bench), asked(bench)]).toEqual(['0.3996', 1]);
  });

  it('moves a target that was missed for it', () => {
    const bench = resting();
    bench.model.fill(bench.model.orders[bid]!);
    bench.clock.advanceBy(50);
    bench.depths.set(MARKET.id, depthOf(100, 101));
    bench.wish(target(0));
    bench.clock.advanceBy(3_000);
    expect(bench.drafts.at(-1)).toMatchObject({ side: 'sell', amount: 0.999 });
  });
});

describe('no request is spent on a fee', () => {
  it.each([
    ['that is the same for maker and taker', { feeRates: { maker: 0.001, taker: 0.001 } }],
    ['of an order that cannot take', { postOnly: true }],
  ])('%s', (_, options) => {
    const bench = resting(options);
    bench.model.fill(bench.model.orders[bid]!);
    bench.clock.advanceBy(20_000);
    expect(asked(bench)).toBe(0);
  });

  it('that a push told', () => {
    const bench = resting();
    bench.model.fill(bench.model.orders[bid]!);
    bench.clock.advanceBy(500);
    const { record } = bench.model.orders[bid]!;
    bench.orders.record({ ...record, fee: taken(record) }, 'push');
    bench.clock.advanceBy(20_000);
    expect([held(bench), asked(bench)]).toEqual(['0.999', 0]);
  });

  it('that a reading of the market told', () => {
    const bench = resting();
    bench.model.fill(bench.model.orders[bid]!);
    bench.clock.advanceBy(50);
    bench.executor.reconcile('asked');
    bench.clock.advanceBy(20_000);
    expect([held(bench), asked(bench)]).toEqual(['0.999', 0]);
  });

  it('again where the exchange shows the fill and tells none, until more is filled', () => {
    const bench = resting();
    bench.model.feeOf = () => undefined;
    bench.model.fill(bench.model.orders[bid]!, 0.4);
    bench.clock.advanceBy(20_000);
    expect(asked(bench)).toBe(1);
    bench.model.fill(bench.model.orders[bid]!, 0.4);
    bench.clock.advanceBy(20_000);
    expect(asked(bench)).toBe(2);
  });
});

describe('a question for a fee', () => {
  it('is asked once more where the answer is nothing and the rates expect something', () => {
    for (const [later, left] of [
      [Decimal.of('0.002'), '0.998'],
      [Decimal.ZERO, '1'],
    ] as const) {
      const bench = resting({ feeRates: { maker: 0.001, taker: 0.002 } });
      bench.model.feeOf = () => Decimal.ZERO;
      bench.model.fill(bench.model.orders[bid]!);
      bench.clock.advanceBy(3_000);
      expect([held(bench), asked(bench)]).toEqual(['0.999', 1]);
      bench.model.feeOf = () => later;
      bench.clock.advanceBy(10_000);
      expect([held(bench), asked(bench)]).toEqual([left, 2]);
      bench.clock.advanceBy(30_000);
      expect(asked(bench)).toBe(2);
    }
  });

  it('is asked again at growing distance while nobody answers', () => {
    const bench = resting();
    bench.model.fate = (operation) => (operation === 'order' ? { loss: 'silent' } : {});
    bench.model.fill(bench.model.orders[bid]!);
    bench.clock.advanceBy(60_000);
    const sent = bench.model.of('order').map(({ sentMs }) => sentMs);
    const seconds = sent.map((ms) => Math.round((ms - sent[0]!) / 1_000));
    expect(seconds).toEqual([0, 2, 6, 12, 20, 30, 40, 50]);
    bench.model.fate = () => ({});
    bench.clock.advanceBy(12_000);
    expect(held(bench)).toBe('0.999');
  });

  it('is asked once at a time, also where an answer comes when it was given up', () => {
    const bench = resting({ feeRates: { maker: 0.001, taker: 0.002 } });
    const backMs = bench.config.answerTimeoutMs + 1_000;
    bench.model.feeOf = () => Decimal.ZERO;
    bench.model.fate = (operation) =>
      operation === 'order' && asked(bench) === 0 ? { backMs } : {};
    bench.model.fill(bench.model.orders[bid]!);
    bench.clock.advanceBy(60_000);
    expect([held(bench), asked(bench)]).toEqual(['1', 2]);
  });

  it('is asked for as long as reads may lag further than they are said to', () => {
    const bench = createBench({ feeRates: { maker: 0, taker: 0.001 } });
    bench.model.feeOf = taken;
    bench.model.readLagMs = 12_000;
    bench.wish(quotes([100], [], { postOnly: false }));
    bench.clock.advanceBy(50);
    bench.model.fill(bench.model.orders[bid]!);
    bench.clock.advanceBy(30_000);
    expect(held(bench)).toBe('0.999');
  });

  it('ends where the exchange does not find the order any more', () => {
    const bench = resting();
    const refusal = new ExchangeFailure('rejected', 'Cannot', { code: CODES.orderNotFound });
    bench.model.fate = (operation) => (operation === 'order' ? { refusal } : {});
    bench.model.fill(bench.model.orders[bid]!);
    bench.clock.advanceBy(120_000);
    expect([held(bench), asked(bench)]).toEqual(['1', 5]);
  });
});

describe('a question for a fee, beside unknown orders,', () => {
  it('leaves an order alone that is unknown: what became of it is found out anyway', () => {
    const bench = resting();
    bench.model.fill(bench.model.orders[bid]!, 0.4);
    bench.clock.advanceBy(1_000);
    const news = { time: bench.clock.now(), evidence: 'request', reason: 'told so' } as const;
    bench.orders.apply('run1x1', { kind: 'lost', ...news });
    bench.clock.advanceBy(1_500);
    expect([held(bench), asked(bench)]).toEqual(['0.4', 0]);
    bench.clock.advanceBy(1_000);
    expect([held(bench), asked(bench)]).toEqual(['0.3996', 1]);
    bench.clock.advanceBy(20_000);
    expect(asked(bench)).toBe(1);
  });

  it('ends no unknown state by an answer to what was asked before', () => {
    const bench = resting();
    bench.model.fate = (operation) => (operation === 'order' ? { backMs: 3_000 } : {});
    bench.model.fill(bench.model.orders[bid]!, 0.4);
    bench.clock.advanceBy(3_000);
    const news = { time: bench.clock.now(), evidence: 'request', reason: 'told so' } as const;
    bench.orders.apply('run1x1', { kind: 'lost', ...news });
    bench.clock.advanceBy(3_000);
    expect(bench.state('run1x1').status).toBe('unknown');
    bench.clock.advanceBy(5_000);
    expect([bench.state('run1x1').status, held(bench)]).toEqual(['open', '0.3996']);
  });

  it('leaves behind all that is asked of orders whose state is unknown', () => {
    const bench = resting({ limits: { ...CONTRACT_LIMITS, requestsPerSecond: 10 } });
    bench.model.fill(bench.model.orders[bid]!);
    bench.clock.advanceBy(100);
    bench.model.fate = (operation) => (operation === 'place' ? { loss: 'silent' } : {});
    bench.wish(quotes([100], [], { market: SECOND_MARKET.id }));
    bench.clock.advanceBy(1_800);
    // The one question of this second: both that fall due in it wait for the next.
    bench.executor.readAccount().subscribe();
    bench.clock.advanceBy(5_000);
    expect(bench.model.of('order').map(({ what }) => what)).toEqual([
      { market: SECOND_MARKET.id, clientOrderId: 'run1x2' },
      { market: MARKET.id, exchangeOrderId: bench.model.orders[bid]!.record.exchangeOrderId },
    ]);
  });

  it('takes turns with the readings of the markets', () => {
    const bench = resting({ limits: { ...CONTRACT_LIMITS, requestsPerSecond: 10 } });
    bench.model.fill(bench.model.orders[bid]!);
    bench.clock.advanceBy(1_960);
    // These reads alone would use up the one question a second.
    for (let reading = 0; reading < 5; reading++) bench.executor.reconcile(`reading ${reading}`);
    bench.clock.advanceBy(3_500);
    const questions = bench.model.calls.filter(({ operation }) => operation.startsWith('order'));
    expect(questions.map(({ operation }) => operation)).toEqual(['orders', 'order', 'orders']);
    expect(held(bench)).toBe('0.999');
  });

  it('is taken over by a restart, of orders that were over', () => {
    const first = resting();
    first.model.fill(first.model.orders[bid]!);
    first.clock.advanceBy(100);
    const order = first.state('run1x1') as FinalOrder;
    first.kill();
    const { clock, model } = first;
    const second = createBench({ clock, model, feeRates: { maker: 0, taker: 0.001 } });
    for (const { fill } of first.ofKind('fill')) second.positions.restore(fill);
    second.restore({ guessedOrders: [order] });
    clock.advanceBy(3_000);
    expect([held(second), asked(second)]).toEqual(['0.999', 1]);
  });
});

describe('the answer to a question for a fee', () => {
  it('shows that an order rests whose cancel was acknowledged', () => {
    const bench = resting();
    bench.model.pushDelayMs = undefined;
    bench.wish(quotes([99], [], { postOnly: false }));
    bench.clock.advanceBy(50);
    bench.model.carriesOutCancels = false;
    bench.model.fill(bench.model.orders[1]!, 0.4);
    bench.wish(quotes([98], [], { postOnly: false }));
    bench.clock.advanceBy(50);
    bench.model.carriesOutCancels = true;
    bench.model.fate = (operation) =>
      operation === 'order' && asked(bench) === 0 ? { loss: 'lost' } : {};
    bench.clock.advanceBy(12_000);
    expect(bench.model.open).toHaveLength(1);
  });

  it('undoes no cancel where reads lag a little longer than they may', () => {
    const limits = { ...CONTRACT_LIMITS, requestsPerSecond: 10 };
    const bench = resting({ limits });
    bench.model.pushDelayMs = undefined;
    bench.model.readLagMs = 3_200;
    bench.model.fill(bench.model.orders[bid]!, 0.4);
    bench.wish(quotes([]));
    bench.clock.advanceBy(1_900);
    // Takes the place of the question in its second.
    bench.executor.reconcile('asked');
    bench.clock.advanceBy(20_000);
    expect(bench.model.of('cancel')).toHaveLength(1);
    expect(bench.statuses('run1x1').at(-1)).toBe('cancelled');
  });
});

describe('more questions for fees than can be asked', () => {
  /** So many plain bids filled one after the other, while the ledger remembers fewer. */
  function crowd(count: number, finalOrdersMax: number) {
    const warnings: object[] = [];
    const logger = { ...silentLogger, warn: (fields: object) => warnings.push(fields) };
    const limits = { ...CONTRACT_LIMITS, requestsPerSecond: 10 };
    const bench = createBench({
      ...{ finalOrdersMax, logger, limits, feeRates: { maker: 0, taker: 0.001 } },
    });
    bench.model.feeOf = taken;
    for (let bids = 0; bids < count; bids++) {
      bench.wish(quotes([100], [], { postOnly: false }));
      bench.clock.advanceBy(500);
      for (const order of bench.model.open) bench.model.fill(order);
      bench.clock.advanceBy(20);
    }
    const questions = asked(bench);
    bench.clock.advanceBy(300_000);
    return { bench, questions, warnings };
  }

  it('are asked later: their orders are not forgotten before', () => {
    const { bench, questions, warnings } = crowd(40, 10);
    expect(questions).toBeLessThan(25);
    expect([bench.ofKind('fill').length, held(bench)]).toEqual([40, '39.96']);
    expect(warnings).toEqual([]);
  });

  it('are counted where their orders had to be forgotten, and warned of once in a minute', () => {
    const { bench, warnings } = crowd(200, 2);
    const fills = bench.ofKind('fill').length;
    const lost = fills - bench.ofKind('lateFee').length;
    expect(fills).toBe(200);
    expect(lost).toBeGreaterThan(20);
    expect(warnings[0]).toEqual({ market: MARKET.id, orders: 1 });
    expect(warnings).toHaveLength(2);
  });
});
