import { describe, expect, it } from 'vitest';
import type { LiveOrder, Price } from '../../../src/domain/index.ts';
import { CODES, ExchangeFailure } from '../../../src/exchange/index.ts';
import { batchTag } from '../../../src/execution/desk/tags.ts';
import type { StopReport } from '../../../src/execution/index.ts';
import { DAY_MS } from '../../../src/kernel/index.ts';
import { ADOPTED } from '../../../src/ledger/index.ts';
import { makePending } from '../../domain/fixture.ts';
import { keptLines } from '../../kernel/fixture.ts';
import type { ExchangeModel, Fate, Operation } from '../exchange-model.ts';
import { createBench, killed, SECOND_MARKET } from '../fixture.ts';

const NOT_FOUND = new ExchangeFailure('rejected', 'Cannot find the order', {
  code: CODES.orderNotFound,
});

interface Leaving {
  /** The fate of the next run's requests. Default: all is well. */
  readonly fate?: (operation: Operation, model: ExchangeModel) => Fate;
  readonly downMs?: number;
  readonly stopTimeoutMs?: number;
  /** Whether it is stopped at once. Default: true. */
  readonly stops?: boolean;
  /** When the run that left them was last alive, milliseconds before. Default: as they left. */
  readonly aliveMsAgo?: number;
  /** The journal's state of the orders. Default: complete. */
  readonly journal?: (left: readonly LiveOrder[]) => readonly LiveOrder[];
}

/** Killed with two quotes in a market that the next run does not trade. */
function leaving(options: Leaving = {}) {
  const { fate = () => ({}), downMs = 5_000, stops = true, journal = (left) => left } = options;
  const { stopTimeoutMs = 30_000 } = options;
  const { clock, model, orders, requestTimes, shared } = killed();
  model.fill(model.orders[0]!, 0.5);
  model.fate = (operation) => fate(operation, model);
  clock.advanceBy(downMs);
  const { lines: told, logger } = keptLines('warn', 'error');
  const config = { stopTimeoutMs, foreignOrders: 'adopt' } as const;
  const second = createBench({ ...shared, markets: [SECOND_MARKET], logger, config });
  const left = journal(orders);
  const aliveMs = clock.now() - (options.aliveMsAgo ?? downMs);
  const aliveTimes = new Map(left.map(({ clientOrderId }) => [clientOrderId, aliveMs]));
  second.restore({ orders: left, aliveTimes, requestTimes });
  const reports: StopReport[] = [];
  if (!stops) second.executor.reconcile('start');
  else second.executor.stop().subscribe((report) => reports.push(report));
  const advance = (untilMs: number) => {
    clock.advanceBy(untilMs);
    return reports[0];
  };
  return { advance, model, second, told, orders };
}

describe('LeftElsewhere', () => {
  it('cancels what may rest, and is stopped once that is seen', () => {
    const { advance, model, told } = leaving();
    expect(advance(1_000)).toBeUndefined();
    expect(model.open).toEqual([]);
    expect(advance(9_000)).toMatchObject({ verified: true, remaining: [] });
    expect(told.slice(2)).toEqual([
      'buy 1 in btc_usdt at 100 by maker, which an earlier run left, is over, 0.5 of it filled: check what is held there',
      'buy 1 in btc_usdt at 99 by maker, which an earlier run left, is over',
    ]);
    expect(model.of('place')).toHaveLength(2);
  });

  it('cancels it too where nothing is stopped', () => {
    const { advance, model } = leaving({ stops: false });
    advance(1_000);
    expect(model.open).toEqual([]);
  });

  it.each<[string, Partial<LiveOrder>]>([
    ['a person has there', { strategy: ADOPTED }],
    ['a person told the id of', { evidence: 'person' }],
  ])('leaves alone what %s', (_, change) => {
    const { advance, model } = leaving({
      journal: ([bid]) => [{ ...bid!, ...change } as LiveOrder],
    });
    expect(advance(1_000)).toMatchObject({ verified: true, remaining: [] });
    expect(model.open).toHaveLength(2);
  });

  it('looks at what was left a moment ago by a date that was ahead', () => {
    const { advance } = leaving({
      journal: ([bid]) => [bid!],
      aliveMsAgo: -DAY_MS,
      fate: () => ({ loss: 'lost' }),
    });
    const report = advance(40_000);
    expect(report?.remaining).toHaveLength(1);
    expect(report?.lapseAtMs).toBe(1_700_000_065_050);
  });

  it.each<[string, Operation]>([
    ['no cancel gets through', 'cancel'],
    ['no lookup is answered', 'order'],
  ])('verifies nothing where %s, and names it', (_, lost) => {
    const { advance, orders, model } = leaving({
      fate: (operation) => (operation === lost ? { loss: 'lost' } : {}),
    });
    const report = advance(40_000);
    expect(report).toMatchObject({ verified: false });
    expect(report?.remaining.map(({ clientOrderId }) => clientOrderId)).toEqual(
      orders.map(({ clientOrderId }) => clientOrderId),
    );
    expect(report?.lapseAtMs).toBeGreaterThan(model.of('cancelAllAfter').at(-1)!.sentMs + 59_000);
  });

  it.each<[string, Leaving]>([
    ['the last run', { downMs: 90_000 }],
    ['a run before the last', { aliveMsAgo: 90_000 }],
  ])('leaves what the timed cancel of %s has taken away long ago', (_, options) => {
    const { advance, model, told } = leaving(options);
    expect(advance(0)).toMatchObject({ verified: true, remaining: [] });
    expect(model.of('cancel')).toEqual([]);
    expect(told[0]).toMatch(/does not trade that market, so nobody looks after it$/);
  });
});

describe('LeftElsewhere, of what is not told of any more', () => {
  it.each<[string, Leaving, string, readonly number[]]>([
    [
      'the timed cancel must have fired, though nobody says so',
      { fate: (operation) => (operation === 'order' ? { loss: 'lost' } : {}) },
      'counts as gone',
      [50_000, 15_000],
    ],
    [
      'a request whose answer was lost cannot arrive any more',
      { journal: () => [makePending({ createdTime: 1_700_000_000_000 })] },
      'is no longer there',
      [115_000, 30_000],
    ],
  ])('counts as gone once %s', (_what, options, fate, [before, after]) => {
    const { advance, told } = leaving({ ...options, stopTimeoutMs: 200_000 });
    expect(advance(before!)).toBeUndefined();
    expect(advance(after!)).toMatchObject({ verified: true, remaining: [] });
    expect(told.at(-1)?.endsWith(fate)).toBe(true);
  });

  it('is not said to be taken away by a timed cancel that has fired already', () => {
    const { advance } = leaving({
      journal: () => [makePending()],
      fate: () => ({ loss: 'lost' }),
      downMs: 70_000,
    });
    const report = advance(31_000);
    expect(report?.remaining).toHaveLength(1);
    expect(report?.lapseAtMs).toBeUndefined();
  });

  it('is not taken for gone once it was seen at rest behind its timed cancel', () => {
    let lookups = 0;
    const { advance, model, told } = leaving({
      fate: (operation) => {
        if (operation === 'order' && ++lookups > 1) return { loss: 'lost' };
        return operation === 'cancel' ? { loss: 'lost' } : {};
      },
      journal: ([bid]) => [bid!],
      stops: false,
    });
    advance(80_000);
    expect(model.of('order').length).toBeGreaterThan(5);
    expect(told.filter((text) => text.includes('gone'))).toEqual([]);
  });

  it('is told of once, though an answer came late', () => {
    const { advance, model, told } = leaving({
      fate: (operation, exchange) =>
        operation === 'order' && exchange.of('order').length < 1 ? { backMs: 20_000 } : {},
      journal: ([bid]) => [bid!],
      stops: false,
    });
    model.end(model.orders[0]!);
    advance(60_000);
    expect(told.filter((text) => text.includes('is over'))).toHaveLength(1);
  });
});

describe('LeftElsewhere, of what a lookup does not find', () => {
  it('asks by the id that it was answered alone where it left without one of ours', () => {
    const { advance, model } = leaving({
      journal: ([bid]) => [{ ...bid!, tag: batchTag(bid!.tag, undefined) } as LiveOrder],
      fate: (operation) => (operation === 'order' ? { refusal: NOT_FOUND } : {}),
    });
    expect(advance(30_000)).toMatchObject({ verified: true });
    expect(model.of('order').length).toBeGreaterThan(3);
    expect(model.of('order').filter(({ what }) => 'clientOrderId' in (what as object))).toEqual([]);
  });

  it('takes none for gone that one lookup does not find', () => {
    const { advance, model } = leaving({
      fate: (operation, exchange) =>
        operation === 'order' && exchange.of('order').length < 2 ? { refusal: NOT_FOUND } : {},
    });
    expect(advance(30_000)).toMatchObject({ verified: true });
    expect(model.open).toEqual([]);
  });

  it('ends once enough lookups have found nothing of it', () => {
    const { advance, model } = leaving({
      journal: ([bid]) => [{ ...bid!, price: 77 as Price } as LiveOrder],
    });
    expect(advance(19_000)).toBeUndefined();
    expect(advance(10_000)).toMatchObject({ verified: true });
    expect(model.of('cancel')).toEqual([]);
  });

  it("finds by our id what was answered an id that is nobody's", () => {
    const { advance, model } = leaving({
      journal: ([bid]) => [{ ...bid!, exchangeOrderId: '1' } as LiveOrder],
    });
    expect(advance(10_000)).toMatchObject({ verified: true });
    expect(model.open).toHaveLength(1);
  });

  it('cancels none that another order has the id of', () => {
    const { advance, model, orders } = leaving({
      journal: ([bid, other]) => [
        { ...bid!, exchangeOrderId: other!.exchangeOrderId! } as LiveOrder,
      ],
    });
    expect(advance(10_000)).toMatchObject({ verified: true });
    expect(model.open.map(({ clientOrderId }) => clientOrderId)).toEqual([
      orders[1]!.clientOrderId,
    ]);
  });
});
