import { filter, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Intent, OrderState } from '../../src/domain/index.ts';
import { seal } from '../../src/risk/approved.ts';
import { type Bench, createBench, quotes } from './fixture.ts';

const LADDER = [100, 99, 98];
const pricesOf = (bench: Bench) => bench.openPrices().sort((one, other) => one - other);

/** Wishes anew at the first order that comes to a status. */
function wishAt(bench: Bench, status: OrderState['status'], intent: Intent): void {
  const orders = bench.bus.on('order').pipe(filter(({ order }) => order.status === status));
  orders.pipe(take(1)).subscribe(() => bench.wish(intent));
}

describe('Executor: a wish that is replaced while its orders leave', () => {
  it.each([false, true])('sends no more of them (batch: %s)', (batch) => {
    const bench = createBench({ config: { batch } });
    wishAt(bench, 'pending', quotes([]));
    bench.wish(quotes(LADDER, [110], { postOnly: !batch }));
    bench.clock.advanceBy(5_000);
    const sent = bench.ofKind('order').filter(({ order }) => order.status === 'pending');
    expect(sent).toHaveLength(1);
    expect(bench.model.open).toEqual([]);
  });

  it('sends what the new one wishes instead', () => {
    const bench = createBench();
    wishAt(bench, 'pending', quotes([97]));
    bench.wish(quotes(LADDER));
    bench.clock.advanceBy(5_000);
    expect(pricesOf(bench)).toEqual([97]);
    expect(bench.model.of('place')).toHaveLength(2);
  });

  it('cancels no order that the new one wishes again', () => {
    const bench = createBench();
    bench.wish(quotes(LADDER));
    bench.clock.advanceBy(50);
    wishAt(bench, 'cancelling', quotes(LADDER.slice(1)));
    bench.wish(quotes([]));
    bench.clock.advanceBy(5_000);
    expect(pricesOf(bench)).toEqual([98, 99]);
    expect(bench.model.of('cancel')).toHaveLength(1);
  });

  it('does not lose a wish that comes while another desk is served', () => {
    const bench = createBench();
    bench.wish(quotes([90]), 'other');
    bench.clock.advanceBy(50);
    const first = bench.bus.on('order').pipe(filter(({ order }) => order.status === 'pending'));
    first.pipe(take(1)).subscribe(() => bench.wish(quotes([91]), 'other'));
    bench.wish(quotes([100]));
    bench.clock.advanceBy(5_000);
    expect(pricesOf(bench)).toEqual([91, 100]);
  });
});

describe('Executor: the same wish of which more may leave', () => {
  it('leaves what was filled fulfilled and what rests where it is', () => {
    const bench = createBench();
    bench.wish(quotes(LADDER.slice(0, 2)));
    bench.clock.advanceBy(50);
    bench.model.fill(bench.model.orders[0]!);
    bench.model.fill(bench.model.orders[1]!, 0.4);
    bench.clock.advanceBy(50);
    bench.executor.wish('maker', seal(quotes(LADDER)), { addsToStanding: true });
    bench.clock.advanceBy(5_000);
    expect(bench.model.open.map(({ record }) => [record.price, record.filledAmount])).toEqual([
      [99, 0.4],
      [98, 0],
    ]);
    expect(bench.model.of('place')).toHaveLength(3);
  });

  it('has what left of it before stay, where something else of it may leave now', () => {
    const bench = createBench();
    bench.wish(quotes(LADDER));
    bench.clock.advanceBy(50);
    bench.model.fill(bench.model.orders[0]!);
    bench.model.fill(bench.model.orders[1]!, 0.4);
    bench.clock.advanceBy(50);
    for (const more of [quotes([], [110]), quotes(LADDER)]) {
      bench.executor.wish('maker', seal(more), { addsToStanding: true });
      bench.clock.advanceBy(5_000);
    }
    expect(pricesOf(bench)).toEqual([98, 99, 110]);
    expect(bench.model.of('place')).toHaveLength(4);
    bench.wish(quotes([98]));
    bench.clock.advanceBy(5_000);
    expect(pricesOf(bench)).toEqual([98]);
  });
});
