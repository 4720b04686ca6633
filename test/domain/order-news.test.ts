import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Amount,
  applyNews,
  EVIDENCE,
  isFinal,
  type OrderNews,
  type OrderState,
  type OrderStatus,
  type Price,
} from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { liveOrders, makeOpen, makePending, makeRecordNews } from './fixture.ts';

const evidence = fc.constantFrom(...EVIDENCE);
const anId = fc.constantFrom('1', '1', '1', '2');
const filled = fc.integer({ min: 0, max: 4 }).map((quarters) => (quarters / 4) as Amount);

const anyNews: fc.Arbitrary<OrderNews> = fc
  .oneof(
    fc.record({ kind: fc.constant('accepted' as const), exchangeOrderId: anId }),
    fc.record({ kind: fc.constant('rejected' as const), reason: fc.constant('no') }),
    fc.record({
      kind: fc.constant('rejected' as const),
      reason: fc.constant('poor'),
      code: fc.constant(2009),
    }),
    fc.record({ kind: fc.constantFrom('cancelling' as const, 'cancelRefused' as const) }),
    fc.record({ kind: fc.constant('lost' as const), reason: fc.constant('timed out') }),
    fc
      .record({
        ...{ closed: fc.boolean(), exchangeOrderId: anId, filledAmount: filled },
        asOfTime: fc.option(fc.nat(100), { nil: undefined }),
      })
      .map((fields) => makeRecordNews(fields)),
  )
  .chain((news) =>
    fc.record({ evidence, time: fc.nat(100) }).map((base) => ({ ...news, ...base })),
  );

/** The rules of an order's life again, as a table of statuses without data. */
function statusAfter(order: OrderState, news: OrderNews): OrderStatus {
  const named = order.exchangeOrderId;
  const isWord = ['answer', 'push', 'query'].includes(news.evidence);
  const isOther = news.kind === 'record' && named !== undefined && named !== news.exchangeOrderId;
  if (order.status === 'filled' || isOther) return order.status;
  if (order.status === 'rejected' && (order.code !== undefined || !isWord)) return 'rejected';
  if (order.status === 'cancelled') {
    if (isShownAlive(order, news)) return 'open';
    return news.kind === 'record' && news.filledAmount >= order.amount ? 'filled' : 'cancelled';
  }
  if (order.status === 'unknown' && !isWord) return 'unknown';
  const isUnnamed = named === undefined;
  if (order.status === 'rejected' && !['accepted', 'record'].includes(news.kind)) return 'rejected';
  switch (news.kind) {
    case 'accepted':
      return isUnnamed ? 'open' : order.status;
    case 'rejected':
      if (order.status === 'open' || order.status === 'cancelling') return order.status;
      return isUnnamed ? 'rejected' : 'cancelled';
    case 'cancelling':
      return order.status === 'open' ? 'cancelling' : order.status;
    case 'cancelRefused':
      return order.status === 'cancelling' ? 'open' : order.status;
    case 'lost':
      return 'unknown';
    case 'record':
      if (Math.max(news.filledAmount, order.filledAmount) >= order.amount) return 'filled';
      if (news.closed) return 'cancelled';
      return order.status === 'cancelling' ? 'cancelling' : 'open';
    default:
      return news satisfies never;
  }
}

/** Whether a record that was asked for after an order's end shows that it rests. */
function isShownAlive(order: OrderState, news: OrderNews): boolean {
  if (order.status !== 'cancelled' || news.kind !== 'record' || news.closed) return false;
  const isLate = news.asOfTime !== undefined && news.asOfTime > order.changedTime;
  return isLate && Math.max(news.filledAmount, order.filledAmount) < order.amount;
}

function checkStep(before: OrderState, news: OrderNews): OrderState {
  const after = applyNews(before, news);
  expect(after.status).toBe(statusAfter(before, news));
  expect(after.filledAmount).toBeGreaterThanOrEqual(before.filledAmount);
  expect(after.filledValue.compare(before.filledValue)).toBeGreaterThanOrEqual(0);
  const named = before.exchangeOrderId;
  if (named !== undefined) expect(after.exchangeOrderId).toBe(named);
  const isConcluded = before.status === 'rejected' && before.code === undefined;
  const isOpinion = isConcluded || isShownAlive(before, news);
  if (isFinal(before) && !isOpinion) expect(isFinal(after)).toBe(true);
  if (before.status === 'unknown' && after.status !== 'unknown') {
    expect(['answer', 'push', 'query']).toContain(news.evidence);
    expect(['accepted', 'rejected', 'record']).toContain(news.kind);
  }
  if (after !== before) {
    expect(after).not.toEqual(before);
    expect(after.changedTime).toBe(news.time);
    expect(after.evidence).toBe(news.evidence);
  }
  return after;
}

describe('applyNews, whatever the news', () => {
  it('keeps its promises whatever news come in whatever order', () => {
    fc.assert(
      fc.property(fc.array(anyNews, { maxLength: 12 }), (allNews) => {
        let order: OrderState = makePending({ changedTime: -1 });
        for (const news of allNews) order = checkStep(order, news);
      }),
      { seed: 1, numRuns: 1_500 },
    );
  });

  it('ends at the same filled amount whatever the order in which records of it come', () => {
    const amounts = fc.uniqueArray(fc.integer({ min: 0, max: 100 }), {
      minLength: 1,
      maxLength: 6,
    });
    const shuffled = amounts.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([amountsInOrder, inAnyOrder]) => {
        const fold = (order: OrderState, percent: number) =>
          applyNews(order, makeRecordNews({ filledAmount: (percent / 100) as Amount }));
        const start: OrderState = makeOpen();
        const most = Math.max(...amountsInOrder) / 100;
        expect(inAnyOrder.reduce(fold, start).filledAmount).toBe(most);
      }),
      { seed: 2 },
    );
  });
});

describe('applyNews of fills', () => {
  it('takes a fill that comes before the answer, and the answer then changes nothing', () => {
    const filledFirst = applyNews(makePending(), makeRecordNews({ filledAmount: 0.5 as Amount }));
    expect(filledFirst).toMatchObject({ status: 'open', exchangeOrderId: '1', filledAmount: 0.5 });
    const answer = { kind: 'accepted', exchangeOrderId: '1', time: 2, evidence: 'answer' } as const;
    expect(applyNews(filledFirst, answer)).toBe(filledFirst);
  });

  it('lets a cancelled order take up a fill that it had not heard of', () => {
    const cancelled = applyNews(makeOpen(), makeRecordNews({ closed: true }));
    const late = applyNews(cancelled, makeRecordNews({ filledAmount: 0.25 as Amount }));
    expect(late).toMatchObject({ status: 'cancelled', filledAmount: 0.25 });
    const all = applyNews(late, makeRecordNews({ filledAmount: 1 as Amount }));
    expect(all.status).toBe('filled');
  });

  it('stays cancelling on an open record, and takes up its fill', () => {
    const cancelling: OrderState = { ...makeOpen(), status: 'cancelling' };
    expect(applyNews(cancelling, makeRecordNews())).toBe(cancelling);
    const grown = applyNews(cancelling, makeRecordNews({ filledAmount: 0.5 as Amount }));
    expect(grown).toMatchObject({ status: 'cancelling', filledAmount: 0.5 });
  });
});

describe('applyNews of the end', () => {
  it('ends an order that had an id and is proven absent as cancelled, with its fills', () => {
    const [, , , , lost] = liveOrders();
    const partly = { ...lost!, filledAmount: 0.5 as Amount, filledValue: Decimal.of(50) };
    const news = { kind: 'rejected', reason: 'absent', time: 5, evidence: 'query' } as const;
    const ended = applyNews(partly, news);
    expect(ended).toMatchObject({ status: 'cancelled', exchangeOrderId: '1', filledAmount: 0.5 });
  });

  it('ignores a record of another order', () => {
    for (const order of liveOrders()) {
      if (order.exchangeOrderId === undefined) continue;
      const other = makeRecordNews({ exchangeOrderId: '2', filledAmount: 1 as Amount });
      expect(applyNews(order, other)).toBe(order);
    }
  });

  it.each([
    { side: 'sell' as const },
    { price: 101 as Price },
    { amount: 2 as Amount },
    { market: 'eth_usdt' },
  ])('takes no record of other terms for that of the order (%o)', (other) => {
    const [, , , unknown] = liveOrders();
    const named = makeRecordNews({ terms: { ...makePending(), ...other }, evidence: 'query' });
    for (const order of [...liveOrders(), unknown!]) expect(applyNews(order, named)).toBe(order);
    const own = { ...named, terms: makePending() };
    expect(applyNews(unknown!, own)).toMatchObject({ status: 'open', exchangeOrderId: '1' });
  });

  it('takes no record that is filled beyond the amount', () => {
    const most = 1.0001 as Amount;
    for (const order of liveOrders()) {
      expect(applyNews(order, makeRecordNews({ filledAmount: most, closed: true }))).toBe(order);
    }
  });

  it('brings a cancelled order back where a read shows that it rests after its end', () => {
    const ended = applyNews(makeOpen(), makeRecordNews({ closed: true, time: 10 }));
    const shown = makeRecordNews({ evidence: 'query', time: 20, asOfTime: 11 });
    expect(ended.status).toBe('cancelled');
    expect(applyNews(ended, shown)).toEqual(makeOpen({ changedTime: 20, evidence: 'query' }));
    const fuller = { ...shown, filledAmount: 0.5 as Amount, filledValue: Decimal.of(50) };
    expect(applyNews(ended, fuller)).toMatchObject({ status: 'open', filledAmount: 0.5 });
    expect(applyNews(ended, { ...shown, asOfTime: 10 })).toBe(ended);
    expect(applyNews(ended, { ...shown, asOfTime: undefined })).toBe(ended);
    expect(applyNews(ended, { ...shown, closed: true })).toBe(ended);
  });
});

describe('applyNews of what is unknown or absent', () => {
  it('takes the id away that turned out to be none of its, whatever was known of the order', () => {
    const told = { time: 5, evidence: 'query', reason: 'does not exist' } as const;
    for (const order of liveOrders()) {
      const lost = applyNews(order, { kind: 'lost', isMisnamed: true, ...told });
      expect(lost).toMatchObject({ status: 'unknown', unknownSince: 5, reason: told.reason });
      expect(lost.exchangeOrderId).toBeUndefined();
    }
  });

  it('keeps the code of a refusal where there is one', () => {
    const news = { kind: 'rejected', reason: 'poor', time: 1, evidence: 'answer' } as const;
    expect(applyNews(makePending(), { ...news, code: 2009 })).toMatchObject({ code: 2009 });
    expect(applyNews(makePending(), news)).not.toHaveProperty('code');
  });

  it('brings an order back that was only taken to be absent, as the exchange tells of it', () => {
    const no = { kind: 'rejected', reason: 'absent', time: 5, evidence: 'query' } as const;
    const absent = applyNews(makePending(), no);
    const answer = { kind: 'accepted', exchangeOrderId: '1', time: 6, evidence: 'answer' } as const;
    expect(applyNews(absent, answer)).toEqual(makeOpen({ changedTime: 6, evidence: 'answer' }));
    expect(applyNews(absent, makeRecordNews()).status).toBe('open');
    expect(applyNews(absent, makeRecordNews({ closed: true })).status).toBe('cancelled');
    const filledThere = makeRecordNews({ closed: true, filledAmount: 1 as Amount });
    expect(applyNews(absent, filledThere)).toMatchObject({ status: 'filled', filledAmount: 1 });
    expect(applyNews(absent, { ...answer, evidence: 'journal' })).toBe(absent);
    expect(applyNews(absent, no)).toBe(absent);
  });

  it('drops the fields of unknown when the exchange speaks', () => {
    const [, , , unknown] = liveOrders();
    const open = applyNews(unknown!, makeRecordNews());
    expect(open.status).toBe('open');
    expect(open).not.toHaveProperty('reason');
    expect(open).not.toHaveProperty('unknownSince');
  });
});
