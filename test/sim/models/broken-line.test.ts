import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { ExchangeFailure } from '../../../src/exchange/index.ts';
import { behindBrokenLine } from '../../../src/sim/models/broken-line.ts';
import { behindLatency } from '../../../src/sim/models/latency-order.ts';
import { answerOf, exchangeFixture, MARKET, requestFixture, START_MS } from '../fixture.ts';

/** An account whose line is cut from 100 to 200 ms, answers and requests 10 ms under way. */
function brokenFixture({ arrives = false, latencyMs = 10 } = {}) {
  const parts = exchangeFixture();
  const { clock, alice } = parts;
  const stands = new Subject<boolean>();
  const slow = behindLatency(alice, { clock, request: () => latencyMs, answer: () => latencyMs });
  const broken = behindBrokenLine(slow, {
    clock,
    stands,
    isCut: (fromMs, toMs) => fromMs < START_MS + 200 && toMs >= START_MS + 100,
    arrives: () => arrives,
    giveUpMs: 1_000,
  });
  const heard: [number, string][] = [];
  const place = (what: string) =>
    broken.trading.place(requestFixture()).subscribe({
      next: () => heard.push([clock.now() - START_MS, what]),
      error: (thrown: ExchangeFailure) => heard.push([clock.now() - START_MS, thrown.kind]),
      complete: () => heard.push([clock.now() - START_MS, 'end']),
    });
  const arrived = () =>
    answerOf(alice.trading.orders({ market: MARKET.id, side: 'buy', page: 1 })).length;
  const at = (ms: number) => clock.advanceTo(START_MS + ms);
  return { ...parts, broken, stands, heard, place, arrived, at };
}

describe('behindBrokenLine', () => {
  test('a request whose answer is back before the line is cut is answered', () => {
    const { at, place, heard } = brokenFixture();
    at(79);
    place('answer');
    at(2_000);
    expect(heard).toEqual([
      [99, 'answer'],
      [99, 'end'],
    ]);
  });

  test('what is under way when it is cut arrives, and is given up as unknown', () => {
    const { at, place, heard, arrived } = brokenFixture();
    at(85);
    place('answer');
    at(2_000);
    expect([arrived(), heard]).toEqual([1, [[1_085, 'unknown']]]);
  });

  test.each([true, false])(
    'while it is cut nobody hears whether a request arrives: %s',
    (arrives) => {
      const { at, place, heard, arrived } = brokenFixture({ arrives });
      at(150);
      place('answer');
      at(2_000);
      expect([arrived(), heard]).toEqual([arrives ? 1 : 0, [[1_150, 'unknown']]]);
    },
  );

  test('a refusal is lost like an answer', () => {
    const { at, broken, clock } = brokenFixture({ arrives: true });
    at(150);
    const failures: [number, ExchangeFailure][] = [];
    broken.trading.order({ market: MARKET.id, clientOrderId: 'nothing' }).subscribe({
      error: (thrown) => failures.push([clock.now() - START_MS, thrown]),
    });
    at(2_000);
    expect(failures.map(([ms, { kind, message }]) => [ms, kind, message])).toEqual([
      [1_150, 'unknown', 'Cannot tell the outcome: no answer in time'],
    ]);
  });

  test('pushes that it swallows never come', () => {
    const { at, broken, alice, clock } = brokenFixture();
    const heard: [number, string][] = [];
    broken.accountFeed.orders(MARKET.id).subscribe(({ order }) => {
      heard.push([clock.now() - START_MS, `${order.amount}`]);
    });
    broken.accountFeed.changes!().subscribe(({ order }) => {
      if (order) heard.push([clock.now() - START_MS, `${order.order.amount} and balances`]);
    });
    // One arrives as it is cut, one would arrive behind it.
    for (const [amount, ms] of [80, 95, 150, 195, 200].entries()) {
      at(ms);
      answerOf(alice.trading.place(requestFixture({ amount: amount + 1 })));
    }
    at(2_000);
    expect(heard.toSorted()).toEqual([
      [210, '5'],
      [210, '5 and balances'],
      [90, '1'],
      [90, '1 and balances'],
    ]);
  });

  test('its connection breaks and comes back', () => {
    const { broken, stands } = brokenFixture();
    const connected: boolean[] = [];
    broken.accountFeed.connection().subscribe((one) => connected.push(one.connected));
    stands.next(false);
    stands.next(true);
    expect(connected).toEqual([true, false, true]);
  });
});
