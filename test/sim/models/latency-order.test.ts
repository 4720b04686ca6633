import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { OrderPush } from '../../../src/exchange/index.ts';
import { behindLatency } from '../../../src/sim/models/latency-order.ts';
import { answerOf, exchangeFixture, MARKET, requestFixture, START_MS } from '../fixture.ts';

/** An account behind latencies that are taken from two lists in turn. */
function delayedFixture({ requests = [10], answers = [20] } = {}) {
  const parts = exchangeFixture();
  const { clock, alice } = parts;
  const drawOf = (list: readonly number[]) => {
    let at = 0;
    return () => list[at++ % list.length]!;
  };
  const delayed = behindLatency(alice, {
    clock,
    request: drawOf(requests),
    answer: drawOf(answers),
  });
  const heard: [number, string][] = [];
  const hear = (what: string) => heard.push([clock.now() - START_MS, what]);
  /** Amounts of the orders that have arrived, oldest first. */
  const arrived = () =>
    answerOf(alice.trading.orders({ market: MARKET.id, side: 'buy', page: 1 }))
      .map(({ amount }) => amount as number)
      .toReversed();
  return { ...parts, delayed, heard, hear, arrived };
}

describe('behindLatency', () => {
  test('requests arrive later, their answers and pushes later still', () => {
    const { clock, delayed, arrived, heard, hear } = delayedFixture();
    delayed.accountFeed.orders(MARKET.id).subscribe((push) => {
      hear(`push ${push.receivedTime - START_MS}`);
    });
    delayed.trading.place(requestFixture()).subscribe(() => hear('answer'));
    clock.advanceTo(START_MS + 9);
    expect(arrived()).toEqual([]);
    clock.advanceTo(START_MS + 10);
    expect(arrived()).toEqual([1]);
    clock.advanceTo(START_MS + 100);
    expect(heard.toSorted()).toEqual([
      [30, 'answer'],
      [30, 'push 30'],
    ]);
  });

  test('nothing overtakes what left before it, on either way', () => {
    const { clock, delayed, arrived, heard, hear } = delayedFixture({
      requests: [50, 1, 1],
      answers: [30, 1],
    });
    for (const amount of [1, 2, 3]) {
      delayed.trading.place(requestFixture({ amount })).subscribe(() => hear(String(amount)));
    }
    clock.advanceBy(1_000);
    expect(arrived()).toEqual([1, 2, 3]);
    expect(heard.map(([, amount]) => amount)).toEqual(['1', '2', '3']);
    expect(heard.map(([time]) => time)).toEqual([80, 80, 80]);
  });

  test('failures come back as late as answers', () => {
    const { clock, delayed, heard, hear } = delayedFixture();
    delayed.trading
      .cancel({ market: MARKET.id, exchangeOrderId: '1' })
      .subscribe({ error: () => hear('failed') });
    clock.advanceBy(29);
    expect(heard).toEqual([]);
    clock.advanceBy(1);
    expect(heard).toEqual([[30, 'failed']]);
  });
});

describe('behindLatency: the edges', () => {
  test('what takes no time waits for what arrives at that very moment', () => {
    const { clock, alice, heard, hear } = delayedFixture();
    const until = (ms: number) => (timeMs: number) => (timeMs < START_MS + 30 ? ms : 0);
    const delayed = behindLatency(alice, { clock, request: until(10), answer: until(20) });
    delayed.accountFeed.changes!().subscribe(() => hear('push'));
    delayed.trading.place(requestFixture()).subscribe(() => {
      hear('answer');
      delayed.account.account().subscribe(() => hear('account'));
    });
    clock.advanceBy(100);
    expect(heard.map(([, what]) => what)).toContain('push');
    expect(heard.at(-1)).toEqual([30, 'account']);
  });

  test('what takes no time happens at once', () => {
    const { delayed, heard, hear } = delayedFixture({ requests: [0], answers: [0] });
    delayed.trading.place(requestFixture()).subscribe(() => hear('answer'));
    delayed.account.account().subscribe(() => hear('account'));
    expect(heard).toEqual([
      [0, 'answer'],
      [0, 'account'],
    ]);
  });

  test('a request goes on where its answer is not waited for', () => {
    const { clock, delayed, arrived } = delayedFixture();
    delayed.trading.place(requestFixture()).subscribe().unsubscribe();
    clock.advanceBy(100);
    expect(arrived()).toEqual([1]);
  });

  test('carries what changed together as late as all pushes, and in one', () => {
    const { clock, delayed, hear, heard } = delayedFixture();
    delayed.accountFeed.changes!().subscribe(({ order, balances }) => {
      hear(`${(order ?? balances)!.receivedTime - START_MS}`);
    });
    delayed.trading.place(requestFixture()).subscribe();
    clock.advanceBy(100);
    expect(heard).toEqual([
      [30, '30'],
      [30, '30'],
    ]);
  });

  test('passes the end of a stream on, behind its values', () => {
    const { clock, alice, heard, hear } = delayedFixture();
    const pushes = new Subject<OrderPush>();
    const account = { ...alice, accountFeed: { ...alice.accountFeed, orders: () => pushes } };
    const latency = { clock, request: () => 10, answer: () => 20 };
    const delayed = behindLatency(account, latency);
    delayed.accountFeed.orders(MARKET.id).subscribe({ complete: () => hear('end') });
    pushes.complete();
    clock.advanceBy(100);
    expect(heard).toEqual([[20, 'end']]);
  });
});
