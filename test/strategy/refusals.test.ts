import { map, repeat, Subject, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { OrderState, TradingEvent } from '../../src/domain/index.ts';
import { VirtualClock } from '../../src/kernel/index.ts';
import { strategyRefusals } from '../../src/strategy/refusals.ts';
import { makePending } from '../domain/fixture.ts';

type Of<K extends TradingEvent['kind']> = Extract<TradingEvent, { kind: K }>;

const market = 'btc_usdt';
const refusal = { code: 'balance', limit: '1', observed: '2', scope: 'account' } as const;

function listened() {
  const clock = new VirtualClock(0);
  const refusals = new Subject<Of<'refusal'>>();
  const orders = new Subject<Of<'order'>>();
  const told = strategyRefusals({ refusals, orders, clock, strategy: 'maker' });
  const refuse = (tag: string, strategy = 'maker') =>
    refusals.next({ kind: 'refusal', time: clock.now(), market, strategy, tag, refusal });
  const seen: string[] = [];
  const see = map(({ tag }: { tag?: string }) => `${clock.now()} ${tag}`);
  return { clock, refusals, orders, told, refuse, seen, see };
}

describe('strategyRefusals', () => {
  it('tells of the refusals of its own wishes, when they were handled', () => {
    const { clock, told, refuse, seen, see } = listened();
    told.pipe(see).subscribe((one) => seen.push(one));
    refuse('a');
    refuse('b', 'another');
    refuse('c');
    expect(seen).toEqual([]);
    clock.advanceBy(0);
    expect(seen).toEqual(['0 a', '0 c']);
  });

  it('tells who said no to what, and why', () => {
    const { clock, told, refuse, orders, refusals } = listened();
    const seen: unknown[] = [];
    told.subscribe((one) => seen.push(one));
    refuse('a');
    refusals.next({ kind: 'refusal', time: 0, market, strategy: 'maker', refusal, left: 0.5 });
    const order: OrderState = {
      ...makePending({ strategy: 'maker', tag: 'b' }),
      ...{ status: 'rejected', reason: 'no money', code: 2009, changedTime: 3 },
    };
    const { code: _, ...absent } = order;
    const lost = { ...absent, evidence: 'query' } as OrderState;
    const others: OrderState = { ...order, strategy: 'another' };
    for (const each of [order, lost, others])
      orders.next({ kind: 'order', time: 3, market, order: each });
    orders.next({ kind: 'order', time: 3, market, order: makePending({ strategy: 'maker' }) });
    clock.advanceBy(0);
    const byExchange = { limit: 'what the exchange takes', observed: 'no money', scope: 'order' };
    expect(seen).toEqual([
      { by: 'risk', ...refusal, market, time: 0, tag: 'a' },
      { by: 'risk', ...refusal, market, time: 0, left: 0.5 },
      {
        ...{ by: 'exchange', code: 'rejected', ...byExchange, market, time: 3, tag: 'b' },
        exchangeCode: 2009,
      },
      { by: 'exchange', code: 'absent', ...byExchange, market, time: 3, tag: 'b' },
    ]);
  });
});

describe('strategyRefusals, told one after the other,', () => {
  it('does not spin where each refusal is answered with a wish that is refused', () => {
    const { clock, told, refuse, seen, see } = listened();
    told.pipe(see).subscribe((one) => {
      seen.push(one);
      refuse('again');
    });
    refuse('first');
    clock.advanceBy(2_500);
    expect(seen).toEqual(['0 first', '1000 again', '2000 again']);
  });

  it('does not spin where it is listened to anew for each', () => {
    const { clock, told, refuse, seen, see } = listened();
    const listen = (): void => {
      told.pipe(take(1), see).subscribe((one) => {
        seen.push(one);
        listen();
        refuse('again');
      });
    };
    listen();
    refuse('first');
    clock.advanceBy(2_500);
    expect(seen.length).toBeLessThan(4);
  });

  it('tells all, one after the other, where it is listened to anew for each', () => {
    const { clock, told, refuse, seen, see } = listened();
    told.pipe(take(1), repeat(), see).subscribe((one) => seen.push(one));
    for (const tag of ['a', 'b', 'c']) refuse(tag);
    clock.advanceBy(2_500);
    expect(seen).toEqual(['0 a', '1000 b', '2000 c']);
  });

  it('tells nobody later what was left when the last one went', () => {
    const { clock, told, refuse, seen, see } = listened();
    told.pipe(take(1), see).subscribe((one) => seen.push(one));
    for (const tag of ['a', 'b']) refuse(tag);
    clock.advanceBy(5_000);
    told.pipe(see).subscribe((one) => seen.push(one));
    clock.advanceBy(5_000);
    expect(seen).toEqual(['0 a']);
  });

  it('sets no timer and keeps nothing while nobody listens', () => {
    const { clock, told, refuse, refusals, orders } = listened();
    refuse('a');
    expect(refusals.observed || orders.observed).toBe(false);
    const subscription = told.subscribe();
    refuse('b');
    expect(clock.nextDueMs).toBe(0);
    subscription.unsubscribe();
    expect(clock.nextDueMs).toBeUndefined();
    expect(refusals.observed || orders.observed).toBe(false);
  });
});
