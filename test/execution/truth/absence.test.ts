import { describe, expect, it } from 'vitest';
import type { Intent, LiveOrder } from '../../../src/domain/index.ts';
import { executionConfigSchema } from '../../../src/execution/index.ts';
import { Search } from '../../../src/execution/truth/absence.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import type { Fate } from '../exchange-model.ts';
import { createBench, MARKET, quotes, target } from '../fixture.ts';

const GIVEN_UP_MS = 15_000;
/** No request is under way for longer after it was given up. */
const HELD_MAX_MS = 120_000;

/** What a strategy may wish, and the operation by which it leaves. */
const WISHES = [
  ['a quote', quotes([100]), 'place'],
  ['an order towards a target', target(1), 'place'],
  ['a batch of quotes', quotes([100, 99], [], { postOnly: false }), 'placeBatch'],
] as const;

interface StuckOptions {
  readonly wish?: Intent;
  /** How long the first request to place is under way. Default: longer than any request lives. */
  readonly thereMs?: number;
  readonly fate?: Fate;
  readonly pushDelayMs?: number | undefined;
}

/** A bench whose first request to place is stuck. */
function createStuck(options: StuckOptions = {}) {
  const { wish = quotes([100]), thereMs = 170_000, fate = {} } = options;
  const bench = createBench({ config: { batch: true }, book: [100, 101] });
  bench.model.pushDelayMs = 'pushDelayMs' in options ? options.pushDelayMs : 1;
  bench.model.onPlaced = ({ record }) => (record.type === 'ioc' ? record.amount : 0);
  let placed = 0;
  bench.model.fate = (operation) =>
    operation.startsWith('place') && placed++ === 0 ? { thereMs, ...fate } : {};
  bench.wish(wish);
  return bench;
}

describe('an order that somebody holds on its way', () => {
  const cases = WISHES.flatMap(([name, wish, operation]) =>
    [16_500, 51_000, GIVEN_UP_MS + HELD_MAX_MS].map(
      (thereMs) => [name, thereMs, { wish, operation }] as const,
    ),
  );

  it.each(cases)('is not sent again: %s, for %i ms', (_, thereMs, { wish, operation }) => {
    const bench = createStuck({ wish, thereMs });
    bench.clock.advanceBy(thereMs - 1);
    expect(bench.orders.unknownCount).toBe(operation === 'place' ? 1 : 2);
    bench.clock.advanceBy(60_000);
    expect(bench.model.calls.filter(({ operation: one }) => one.startsWith('place'))).toHaveLength(
      1,
    );
    expect(bench.orders.unknownCount).toBe(0);
    expect(bench.model.open).toHaveLength(bench.live().length);
    const held = wish.kind === 'target' ? '1' : '0';
    expect(bench.positions.position(MARKET.id, 'maker').amount.toString()).toBe(held);
  });

  it.each(WISHES)('or lost it, is sent anew after two minutes: %s', (_, wish, operation) => {
    const bench = createStuck({ wish, fate: { loss: 'dead' } });
    const sent = () => bench.model.of(operation).length;
    bench.clock.advanceBy(GIVEN_UP_MS + HELD_MAX_MS + bench.config.readLagMs - 1);
    expect(sent()).toBe(1);
    bench.clock.advanceBy(15_000);
    expect(sent()).toBe(2);
    expect(bench.orders.unknownCount).toBe(0);
  });
});

describe('an order whose id is told late', () => {
  it.each([
    ['a quote', quotes([100])],
    ['an order towards a target', target(1)],
  ])('is searched for anew, for reads may not show it yet: %s', (_, wish) => {
    const bench = createStuck({ wish, thereMs: 50_500, pushDelayMs: undefined });
    bench.model.readLagMs = 1_500;
    bench.clock.advanceBy(90_000);
    expect(bench.model.of('place')).toHaveLength(1);
    expect(bench.orders.unknownCount).toBe(0);
    expect(bench.live()).toHaveLength(bench.model.open.length);
  });
});

describe('an order that was stuck until it counted as absent', () => {
  function createLate(options: StuckOptions = {}) {
    const bench = createStuck(options);
    bench.clock.advanceBy(169_000);
    return bench;
  }

  it('was given up and replaced meanwhile', () => {
    const bench = createLate();
    const [first, second] = bench.drafts.map(({ clientOrderId }) => clientOrderId);
    expect(bench.state(first!)).toMatchObject({ status: 'rejected', reason: 'proven absent' });
    expect(bench.state(second!).status).toBe('open');
  });

  it.each([
    ['a push', { fate: { loss: 'silent' } }],
    ['its late answer', { pushDelayMs: undefined }],
    ['both', {}],
    ['a reading alone', { fate: { loss: 'silent' }, pushDelayMs: undefined }],
  ] as const)('is ours again by %s, and is cancelled as one too many', (_name, options) => {
    const bench = createLate(options);
    bench.clock.advanceBy(90_000);
    expect(bench.model.orders).toHaveLength(2);
    expect(bench.model.open).toHaveLength(1);
    expect(bench.live().map(({ status }) => status)).toEqual(['open']);
    expect(bench.model.open[0]!.clientOrderId).toBe(bench.live()[0]!.clientOrderId);
    expect(bench.orders.foreign.of('btc_usdt')).toEqual([]);
  });

  it('brings its fills into the position', () => {
    const bench = createLate();
    bench.model.onPlaced = () => 0.25;
    bench.clock.advanceBy(10_000);
    expect(bench.held('maker')).toBe(0.25);
    expect(bench.live()).toHaveLength(1);
  });
});

describe('Search', () => {
  const unknown = (more: object) =>
    ({ status: 'unknown', evidence: 'answer', ...more }) as unknown as LiveOrder;
  const NAMELESS = unknown({});
  const LAPSED = unknown({ evidence: 'request' });
  const TAKEN = unknown({ exchangeOrderId: '7' });

  /** A search whose lookups leave at these times since it began, and find nothing. */
  function missing(elapsedTimes: readonly number[], setForthMs = 0): Search {
    const time = new VirtualClock(1_700_000_000_000);
    const elapsedMs = () => time.now() - 1_600_000_000_000;
    const date = { aheadMs: 0 };
    const now = () => time.now() + date.aheadMs;
    const clock = { now, elapsedMs, schedule: time.schedule.bind(time) };
    const search = new Search({ clock, config: executionConfigSchema.parse({}) });
    date.aheadMs = setForthMs;
    const startMs = time.now();
    for (const afterMs of elapsedTimes) {
      time.advanceTo(startMs + afterMs);
      search.leaves();
      search.missed();
    }
    time.advanceBy(600_000);
    return search;
  }

  it.each([
    ['not by two lookups, however late', NAMELESS, [2_000, 500_000], false],
    ['by three, the last two minutes and the read lag later', NAMELESS, [2, 3, 122_000], true],
    ['not by a last one that left before', NAMELESS, [2, 3, 121_999], false],
    ['where a lapse came first, once its request is given up', LAPSED, [2, 3, 137_000], true],
    ['where a lapse came first, not before', LAPSED, [2, 3, 136_999], false],
    ['where the exchange had taken it, twenty seconds later', TAKEN, [2, 3, 20_000], true],
    ['where the exchange had taken it, not before', TAKEN, [2, 3, 19_999], false],
  ] as const)('proves an order absent: %s', (_, order, times, isProven) => {
    expect(missing(times).proves(order)).toBe(isProven);
  });

  it('goes by elapsed time: a date that is set forth proves nothing', () => {
    expect(missing([2, 3, 4], 600_000).proves(NAMELESS)).toBe(false);
  });

  /** Milliseconds from a lookup to the next, once so many have found nothing. */
  const pausesOf = (order: LiveOrder) =>
    [0, 2, 3, 6, 12, 40].map((count) => missing(Array(count).fill(0)).pauseMs(order));

  it('lets lookups come at growing distance', () => {
    expect(pausesOf(NAMELESS)).toEqual([2_000, 2_000, 4_000, 6_000, 10_000, 10_000]);
  });

  it('doubles that, up to five minutes, where a person told the id', () => {
    const settled = unknown({ evidence: 'person', exchangeOrderId: '7' });
    expect(pausesOf(settled)).toEqual([2_000, 8_000, 16_000, 128_000, 300_000, 300_000]);
  });
});
