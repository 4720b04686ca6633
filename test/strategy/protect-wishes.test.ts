import { of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { StandingWish, TradingEvent } from '../../src/domain/index.ts';
import { Bus, seededRandom, VirtualClock } from '../../src/kernel/index.ts';
import {
  cancel,
  type ExitRules,
  type Market,
  noQuotes,
  protect,
  StrategyError,
  scriptedDepth,
  scriptedMarket,
  scriptedPosition,
  type TargetIntent,
  target,
} from '../../src/strategy/index.ts';
import { scriptedContext } from '../../src/strategy/scripted-context.ts';
import { book, hold, told, wait, wish } from './protect-fixture.ts';

const RULES = { stopLoss: 0.03 };
/** Steps of which the stop closes the position in second 3. */
const STOPPED = [wish(1), hold(1), wait, book(97, 98)];
const PASSED = [
  [0, 1],
  [3, 0],
];

describe('after an exit', () => {
  it('the same side is held back, whatever its size, until something else was wished', () => {
    const steps = [...STOPPED, wish(1), hold(0), wish(0.5), wish(2), wish(0), wish(1)];
    expect(told(RULES, steps)).toEqual([...PASSED, [8, 0], [9, 1]]);
  });

  it('the other side passes at once, and frees the one that was closed', () => {
    expect(told(RULES, [...STOPPED, wish(-1), wish(1)])).toEqual([...PASSED, [4, -1], [5, 1]]);
  });

  it('of a short position the short side is held back', () => {
    const steps = [wish(-1), hold(-1), book(102, 103), wish(-1), wish(1), wish(-1)];
    expect(told(RULES, steps)).toEqual([
      [0, -1],
      [2, 0],
      [4, 1],
      [5, -1],
    ]);
  });

  it('the same side passes once so long has gone by', () => {
    const steps = [...STOPPED, wish(1), wish(1), wish(1), wish(1)];
    expect(told({ ...RULES, reenterAfterMs: 3_000 }, steps)).toEqual([...PASSED, [6, 1], [7, 1]]);
  });

  it('the same side passes where the source had left it before', () => {
    const steps = [wish(1), hold(1), wish(0), book(97, 98), wish(1)];
    expect(told(RULES, steps)).toEqual([
      [0, 1],
      [2, 0],
      [3, 0],
      [4, 1],
    ]);
  });

  it('a wish that takes its place is followed by another exit', () => {
    const steps = [...STOPPED, wish(0, { priceLimit: 200 }), book(97, 98)];
    expect(told(RULES, steps)).toEqual([...PASSED, [4, 0], [5, 0]]);
  });

  it('by time the next book closes what the source has wished otherwise', () => {
    const steps = [wish(1), hold(1), wait, wish(0, { priceLimit: 200 }), book(100, 101)];
    expect(told({ holdMaxMs: 1_500 }, steps)).toEqual([
      [0, 1],
      [2.5, 0],
      [3, 0],
      [4, 0],
    ]);
  });
});

describe('a wish', () => {
  it('passes while nothing is closed, larger and smaller', () => {
    const steps = [wish(1), wish(2), hold(2), wish(0.5), wish(3), wish(-1), wish(0)];
    expect(told(RULES, steps).map(([, position]) => position)).toEqual([1, 2, 0.5, 3, -1, 0]);
  });

  it('for the other side has five seconds to get there, however often it is made', () => {
    const below = book(97, 98);
    const turning = [wish(1), hold(1), wish(-1), below, wish(-1), wish(-2), below];
    expect(told(RULES, [...turning, below, below]).slice(1)).toEqual([
      [2, -1],
      [4, -1],
      [5, -2],
      [7, 0],
    ]);
    expect(told(RULES, [...turning, hold(-1), book(99, 100)]).at(-1)).toEqual([5, -2]);
  });

  it('for the other side passes again behind the exit that took its place', () => {
    const steps = [wish(1), hold(1), wish(-1), wait, wait, wait, wait, book(97, 98), wish(-1)];
    expect(told(RULES, steps).slice(-2)).toEqual([
      [7, 0],
      [8, -1],
    ]);
  });
});

/** A protected source that a test drives: what it emits, and which streams are subscribed. */
function byHand(rules: ExitRules = RULES) {
  const bus = new Bus<TradingEvent>();
  const clock = new VirtualClock();
  const markets: [Market] = [scriptedMarket];
  const context = scriptedContext({
    ...{ name: 'probe', params: {}, markets, history: [], bus, clock },
    ...{ random: seededRandom(1), onLog: () => {} },
  });
  const isHeard = () =>
    [bus.on('depth', 'btc_usdt'), bus.on('position', 'btc_usdt')].map(
      (topic) => (topic as unknown as { observed: boolean }).observed,
    );
  const seen: string[] = [];
  const observer = {
    next: (wish: StandingWish) =>
      seen.push(wish.kind === 'target' ? String(wish.position) : wish.kind),
    error: (thrown: unknown) => seen.push(String(thrown)),
    complete: () => seen.push('complete'),
  };
  return { bus, clock, context, isHeard, seen, observer, operator: protect(context, rules) };
}

const source = () => new Subject<TargetIntent>();

describe('a protected source', () => {
  it('completes as the source does, and lets go of all', () => {
    const { seen, observer, operator, isHeard, clock, bus } = byHand({ holdMaxMs: 10 });
    const wishes = source();
    wishes.pipe(operator).subscribe(observer);
    expect(isHeard()).toEqual([false, true]);
    wishes.next(target(scriptedMarket, 1));
    bus.publish(scriptedPosition({ time: 0, amount: 1, price: 100 }));
    expect([isHeard(), clock.nextDueMs]).toEqual([[true, true], 10]);
    wishes.complete();
    expect([isHeard(), clock.nextDueMs]).toEqual([[false, false], undefined]);
    expect(seen).toEqual(['1', 'complete']);
  });

  it('completes where the source does so at once', () => {
    const { seen, observer, operator } = byHand();
    of(target(scriptedMarket, 1)).pipe(operator).subscribe(observer);
    expect(seen).toEqual(['1', 'complete']);
  });

  it('fails as the source does, and lets go of all', () => {
    const { seen, observer, operator, isHeard } = byHand();
    const wishes = source();
    wishes.pipe(operator).subscribe(observer);
    wishes.next(target(scriptedMarket, 1));
    wishes.error(new Error('no idea'));
    expect([seen, isHeard()]).toEqual([
      ['1', 'Error: no idea'],
      [false, false],
    ]);
  });

  it('is let go of where nobody listens any more, and begins anew with whoever does', () => {
    const { bus, seen, observer, operator, isHeard } = byHand();
    const wishes = source();
    const wanted = wishes.pipe(operator);
    const first = wanted.subscribe(observer);
    wishes.next(target(scriptedMarket, 1));
    bus.publish(scriptedPosition({ time: 0, amount: 1, price: 100 }));
    bus.publish(scriptedDepth({ time: 0, bid: 90, ask: 91 }));
    first.unsubscribe();
    expect([isHeard(), wishes.observed]).toEqual([[false, false], false]);
    wanted.subscribe(observer);
    wishes.next(target(scriptedMarket, 1));
    expect(seen).toEqual(['1', '0', '1']);
  });
});

describe('a protected wish', () => {
  it('is answered within the book that sets the exit off', () => {
    const { bus, seen, observer, operator } = byHand();
    const wishes = source();
    wishes.pipe(operator).subscribe(observer);
    wishes.next(target(scriptedMarket, 1));
    bus.publish(scriptedPosition({ time: 0, amount: 1, price: 100 }));
    expect(seen).toEqual(['1']);
    bus.publish(scriptedDepth({ time: 0, bid: 97, ask: 98 }));
    expect(seen).toEqual(['1', '0']);
  });

  it('that is neither a target nor quotes fails', () => {
    const { seen, observer, operator } = byHand();
    const wishes = of(cancel(scriptedMarket, 'entry'));
    // @ts-expect-error: who writes without types is told when it happens.
    wishes.pipe(operator).subscribe(observer);
    const error = new StrategyError(
      'Cannot protect: a wish is cancel, a target or quotes are wanted',
    );
    expect(seen).toEqual([String(error)]);
  });

  it('for a market that the strategy has not passes', () => {
    const { seen, observer, operator } = byHand();
    of(target({ ...scriptedMarket, id: 'doge_usdt' }, 1))
      .pipe(operator)
      .subscribe(observer);
    expect(seen).toEqual(['1', 'complete']);
  });
});

describe('what is held at the start', () => {
  it('is watched, and its side held back behind the exit', () => {
    const { bus, context, seen, observer } = byHand();
    const { position: held } = scriptedPosition({ time: 0, amount: 1, price: 100 });
    const wishes = source();
    wishes.pipe(protect({ ...context, position: () => of(held) }, RULES)).subscribe(observer);
    bus.publish(scriptedDepth({ time: 0, bid: 97, ask: 98 }));
    for (const wished of [1, 0, 1]) wishes.next(target(scriptedMarket, wished));
    expect(seen).toEqual(['0', '0', '1']);
  });

  it('is closed after its time since then', () => {
    const { clock, context, seen, observer } = byHand();
    const { position: held } = scriptedPosition({ time: 0, amount: 1, price: 100 });
    const rules = { holdMaxMs: 10 };
    source()
      .pipe(protect({ ...context, position: () => of(held) }, rules))
      .subscribe(observer);
    clock.advanceBy(9);
    expect(seen).toEqual([]);
    clock.advanceBy(1);
    expect(seen).toEqual(['0']);
  });
});

describe('what is held from some time after the start', () => {
  const held = (amount: number) => scriptedPosition({ time: 0, amount, price: 100 });

  it('is watched though nothing was wished, and its side held back behind the exit', () => {
    const { bus, seen, observer, operator } = byHand();
    const wishes = source();
    wishes.pipe(operator).subscribe(observer);
    bus.publish(held(1));
    bus.publish(scriptedDepth({ time: 0, bid: 97, ask: 98 }));
    for (const wished of [1, 0, 1]) wishes.next(target(scriptedMarket, wished));
    expect(seen).toEqual(['0', '0', '1']);
  });

  it('is closed after its time since then', () => {
    const { bus, clock, seen, observer, operator } = byHand({ holdMaxMs: 10 });
    source().pipe(operator).subscribe(observer);
    clock.advanceBy(5);
    bus.publish(held(1));
    clock.advanceBy(9);
    expect(seen).toEqual([]);
    clock.advanceBy(1);
    expect(seen).toEqual(['0']);
  });

  it('is what the book is listened to for, and not before', () => {
    const { bus, isHeard, observer, operator } = byHand();
    const subscription = source().pipe(operator).subscribe(observer);
    bus.publish(held(0));
    expect(isHeard()).toEqual([false, true]);
    bus.publish(held(0.5));
    expect(isHeard()).toEqual([true, true]);
    subscription.unsubscribe();
    expect(isHeard()).toEqual([false, false]);
  });
});

describe('quotes', () => {
  const held = (amount: number) => scriptedPosition({ time: 0, amount, price: 100 });
  const fallen = scriptedDepth({ time: 0, bid: 97, ask: 98 });

  /** A maker that bought 1 at 100, which a rule closes at 97; `quote` is its next wish. */
  function makerStopped(rules: ExitRules = RULES) {
    const { bus, clock, seen, observer, operator } = byHand(rules);
    const wishes = new Subject<StandingWish>();
    wishes.pipe(operator).subscribe(observer);
    const quote = () => wishes.next(noQuotes(scriptedMarket));
    quote();
    bus.publish(held(1));
    quote();
    bus.publish(fallen);
    return { bus, clock, seen, wishes, quote };
  }

  it('are held back until the exit that took their place is through', () => {
    const { bus, seen, quote } = makerStopped();
    quote();
    bus.publish(held(0.4));
    quote();
    expect(seen).toEqual(['quotes', 'quotes', '0']);
    bus.publish(held(0));
    quote();
    expect(seen.slice(3)).toEqual(['quotes']);
  });

  it('are held back for so long as the closed side is', () => {
    const { bus, clock, seen, quote } = makerStopped({ ...RULES, reenterAfterMs: 1_000 });
    bus.publish(held(0));
    clock.advanceBy(999);
    quote();
    expect(seen.slice(3)).toEqual([]);
    clock.advanceBy(1);
    quote();
    expect(seen.slice(3)).toEqual(['quotes']);
  });

  it('have what they buy again closed again', () => {
    const { bus, seen, quote } = makerStopped();
    bus.publish(held(0));
    quote();
    bus.publish(held(1));
    bus.publish(fallen);
    expect(seen.slice(2)).toEqual(['0', 'quotes', '0']);
  });

  it('are something else that the source wishes: the closed side is free', () => {
    const { bus, seen, wishes, quote } = makerStopped();
    bus.publish(held(0));
    wishes.next(target(scriptedMarket, 1));
    quote();
    wishes.next(target(scriptedMarket, 1));
    expect(seen.slice(3)).toEqual(['quotes', '1']);
  });
});
