import { describe, expect, it } from 'vitest';
import type { LiveOrder } from '../../src/domain/index.ts';
import { CODES, ExchangeFailure } from '../../src/exchange/index.ts';
import type { Fate } from './exchange-model.ts';
import { createBench, MARKET, quotes, SECOND_MARKET } from './fixture.ts';

/** The id that the model gives to an order, by how many came before. */
const idOf = (index: number) => String(1_000_000_000_000_000_000n + BigInt(index));

interface MixedOptions {
  readonly pushDelayMs: number | undefined;
  /** The market of the ask. Default: that of the bid. */
  readonly market?: string;
  readonly config?: Record<string, unknown>;
}

/** A bench whose orders are answered like that. */
function createAnswered(fates: readonly Fate[], { pushDelayMs, config = {} }: MixedOptions) {
  const bench = createBench({ config });
  bench.model.pushDelayMs = pushDelayMs;
  let placed = 0;
  bench.model.fate = (operation) => (operation === 'place' ? (fates[placed++] ?? {}) : {});
  const filled = () => bench.ofKind('fill').map(({ fill }) => [Number(fill.price), fill.amount]);
  return { ...bench, filled };
}

/** A bid and an ask whose answers were mixed up on their way. */
function createMixed(fates: readonly Fate[], options: MixedOptions) {
  const { market = MARKET.id } = options;
  const bench = createAnswered(fates, options);
  if (market === MARKET.id) bench.wish(quotes([100], [[110, 2]]));
  else {
    bench.wish(quotes([100]));
    bench.wish(quotes([], [[110, 2]], { market }));
  }
  return bench;
}

/** A bid of each of two strategies, of the same terms. */
function createAlike(fates: readonly Fate[], pushDelayMs: number | undefined) {
  const bench = createAnswered(fates, { pushDelayMs });
  for (const strategy of ['maker', 'other']) bench.wish(quotes([100]), strategy);
  return bench;
}

const answerOf = (index: number) => ({ exchangeOrderId: idOf(index) });
const MIXED: readonly (readonly [string, readonly Fate[]])[] = [
  ['exchanged', [{ answer: answerOf(1) }, { answer: answerOf(0) }]],
  ['exchanged, the second first', [{ answer: answerOf(1), backMs: 50 }, { answer: answerOf(0) }]],
  ['given to the other alone', [{ answer: answerOf(1) }, { loss: 'silent' }]],
  ['given to both', [{ answer: answerOf(1) }, {}]],
];

const PLACES = [MARKET, SECOND_MARKET].flatMap(({ id }) =>
  [2, 20, undefined].map((pushDelayMs) => [id, pushDelayMs] as const),
);

describe.each(PLACES)(
  'orders whose answers are mixed up, one in %s, pushes %s',
  (market, delay) => {
    const options = { market, pushDelayMs: delay };

    it.each(MIXED)('book what each of them fills: %s', (_, fates) => {
      const { clock, filled, live, model, halts, orders } = createMixed(fates, options);
      clock.advanceBy(1_000);
      model.fill(model.orders[0]!);
      clock.advanceBy(180_000);
      expect(orders.unknownCount).toBe(0);
      expect(filled()).toEqual([[100, 1]]);
      for (const order of model.open) model.fill(order);
      clock.advanceBy(62_000);
      const total = (price: number) =>
        filled().reduce((sum, [at, amount]) => (at === price ? sum + amount! : sum), 0);
      expect(total(100)).toBe(model.orders.filter(({ record }) => record.price === 100).length);
      expect(total(110)).toBe(2);
      expect(live()).toHaveLength(model.open.length);
      expect(halts).toEqual([]);
    });

    it.each(MIXED)('are cancelled, each of them: %s', (_, fates) => {
      const { clock, live, model, orders, wish } = createMixed(fates, options);
      clock.advanceBy(100);
      wish(quotes([99], []));
      if (market !== MARKET.id) wish(quotes([], [], { market }));
      clock.advanceBy(180_000);
      expect(orders.unknownCount).toBe(0);
      expect(model.open.map(({ record }) => Number(record.price))).toEqual([99]);
      expect(live().map(({ price }) => Number(price))).toEqual([99]);
    });

    it.each(MIXED)('book what the answers to cancels tell of the other: %s', (_, fates) => {
      const { clock, filled, halts, live, model, wish } = createMixed(fates, options);
      clock.advanceBy(100);
      model.fill(model.orders[1]!, 0.5);
      wish(quotes([]));
      if (market !== MARKET.id) wish(quotes([], [], { market }));
      clock.advanceBy(180_000);
      expect(filled()).toEqual([[110, 0.5]]);
      expect([live(), model.open, halts]).toEqual([[], [], []]);
    });
  },
);

const ALIKE: readonly (readonly [string, readonly Fate[]])[] = [
  ...MIXED,
  ['the first lost, its id given to the other', [{ loss: 'silent' }, { answer: answerOf(0) }]],
  ['the first an id that there is not', [{ answer: answerOf(77) }]],
  ['each an id that there is not', [{ answer: answerOf(77) }, { answer: answerOf(78) }]],
];

describe.each([2, 20, undefined])('orders alike whose answers are mixed up, pushes %s', (delay) => {
  it.each(ALIKE)('are told apart in the end: %s', (_, fates) => {
    const { clock, filled, live, model, orders, halts } = createAlike(fates, delay);
    clock.advanceBy(1_000);
    model.fill(model.orders[0]!);
    clock.advanceBy(180_000);
    expect([orders.unknownCount, model.orders.length, halts]).toEqual([0, 2, []]);
    expect(filled()).toEqual([[100, 1]]);
    expect(live().map(({ exchangeOrderId }) => exchangeOrderId)).toEqual([idOf(1)]);
  });

  it.each(ALIKE)('are cancelled, one and then the other: %s', (_, fates) => {
    const { clock, live, model, orders, wish } = createAlike(fates, delay);
    clock.advanceBy(1_000);
    for (const [strategy, left] of [
      ['maker', 1],
      ['other', 0],
    ] as const) {
      wish(quotes([]), strategy);
      clock.advanceBy(180_000);
      expect([orders.unknownCount, live().length, model.open.length]).toEqual([0, left, left]);
    }
    expect(model.orders).toHaveLength(2);
  });
});

describe('an order that is answered what a lookup is', () => {
  const notFound = new ExchangeFailure('rejected', 'Cannot: none', { code: CODES.orderNotFound });

  it.each<[string, Fate, number]>([
    ['found where it rests', { answer: notFound }, 1],
    ['sent again where it is not there', { refusal: notFound }, 2],
  ])('is unknown, and %s', (_, fate, sent) => {
    const { clock, live, model, wish } = createAnswered([fate], { pushDelayMs: undefined });
    wish(quotes([100]));
    clock.advanceBy(20);
    expect(live().map(({ status }) => status)).toEqual(['unknown']);
    clock.advanceBy(180_000);
    expect([live().length, model.open.length, model.of('place').length]).toEqual([1, 1, sent]);
  });
});

describe('an order whose answer was lost, beside others like it', () => {
  it.each<[string, readonly Fate[]]>([
    ['named right', [{}, {}]],
    ['exchanged', [{ answer: answerOf(2) }, { answer: answerOf(1) }]],
  ])('is found though a lookup of it was answered with one of two: %s', (_, fates) => {
    const bench = createAlike([{ loss: 'silent' }, ...fates], undefined);
    const { model, clock, orders, live, wish } = bench;
    wish(quotes([100]), 'third');
    const place = model.fate;
    let asked = 0;
    model.fate = (operation, what) =>
      operation === 'order' && asked++ === 0
        ? { answer: model.orders[1]!.record }
        : place(operation, what);
    clock.advanceBy(60_000);
    expect([orders.unknownCount, model.orders.length]).toEqual([0, 3]);
    const ids = live().map(({ exchangeOrderId }) => exchangeOrderId);
    expect(ids.toSorted()).toEqual([0, 1, 2].map(idOf));
  });

  it('gets the one that is left where each was answered the id of the next', () => {
    const fates = [{ loss: 'silent' }, { answer: answerOf(0) }, { answer: answerOf(1) }] as const;
    const { clock, orders, live, wish } = createAlike(fates, undefined);
    wish(quotes([100]), 'third');
    clock.advanceBy(60_000);
    expect(orders.unknownCount).toBe(0);
    expect(live().map(({ exchangeOrderId }) => exchangeOrderId)).toEqual([2, 0, 1].map(idOf));
  });
});

describe('an order whose id the exchange does not know any more', () => {
  it.each([
    ['is looked up by its own once more', 0, ['clientOrderId']],
    ['is not, where something of that id has filled', 0.5, []],
  ])('%s', (_, filled, expected) => {
    const { clock, model, wish, state, live } = createAnswered([], { pushDelayMs: 2 });
    wish(quotes([100]));
    clock.advanceBy(1_000);
    model.fill(model.orders[0]!, filled);
    clock.advanceBy(1_000);
    const [{ clientOrderId }] = live() as [LiveOrder];
    const refusal = new ExchangeFailure('rejected', 'Cannot', { code: CODES.orderNotFound });
    model.fate = (operation) => {
      if (operation === 'cancel') return { loss: 'silent' };
      return operation === 'order' ? { refusal } : {};
    };
    model.pushDelayMs = undefined;
    wish(quotes([]));
    clock.advanceBy(600_000);
    expect(state(clientOrderId)).toMatchObject({ status: 'cancelled', filledAmount: filled });
    const asked = model.of('order').map(({ what }) => Object.keys(what as object));
    expect(asked.flat().filter((key) => key === 'clientOrderId')).toEqual(expected);
  });

  it('is not named anew where a push tells of a fill before the answer to that is there', () => {
    const { clock, model, orders, wish, state, live } = createAnswered([], { pushDelayMs: 2 });
    wish(quotes([100]));
    clock.advanceBy(1_000);
    const [placed] = model.orders;
    const [{ clientOrderId }] = live() as [LiveOrder];
    const refusal = new ExchangeFailure('rejected', 'Cannot', { code: CODES.orderNotFound });
    model.fate = (operation, what) => {
      if (operation === 'cancel') return { loss: 'silent' };
      if (operation !== 'order') return {};
      if ('exchangeOrderId' in (what as object)) return { refusal };
      model.fill(placed!, 0.5);
      return { answer: { ...placed!.record, exchangeOrderId: idOf(77) }, backMs: 500 };
    };
    model.carriesOutCancels = false;
    wish(quotes([]));
    clock.advanceBy(600_000);
    expect(state(clientOrderId).exchangeOrderId).toBe(idOf(0));
    expect(orders.byExchangeOrderId(idOf(77))).toBeUndefined();
  });
});

describe('orders whose answers were exchanged', () => {
  const exchanged = MIXED[0]![1];

  it.each(['ignore', 'adopt', 'cancel'])(
    'are neither copies nor foreign, where no push tells of them and one is over: %s',
    (foreignOrders) => {
      const options = { pushDelayMs: undefined, config: { foreignOrders } };
      const { clock, halts, live, model, ofKind, orders } = createMixed(exchanged, options);
      model.lists = ({ closed }) => !closed;
      clock.advanceBy(3_000);
      model.end(model.orders[0]!);
      clock.advanceBy(180_000);
      expect(orders.unknownCount).toBe(0);
      expect(live().map(({ price }) => Number(price))).toEqual([110, 100]);
      expect(model.orders).toHaveLength(3);
      const strategies = ofKind('order').map(({ order }) => order.strategy);
      expect(new Set(strategies)).toEqual(new Set(['maker']));
      expect(halts).toEqual([]);
    },
  );

  it('are told apart by pushes ahead of them, in two markets too: none is cancelled for the other', () => {
    const options = { pushDelayMs: 2, market: SECOND_MARKET.id };
    const { clock, model, wish } = createMixed(exchanged, options);
    clock.advanceBy(10_000);
    wish(quotes([]));
    clock.advanceBy(10_000);
    expect(model.orders.map(({ record }) => record.closed)).toEqual([true, false]);
  });
});
