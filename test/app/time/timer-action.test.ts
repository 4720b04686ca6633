import { Subscription, timer } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/app/time/system-clock.ts';
import { TimerAction } from '../../../src/app/time/timer-action.ts';
import { DAY_MS } from '../../../src/kernel/index.ts';

const MONTH_MS = 30 * DAY_MS;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that notes its states, and the moments at which they came. */
function noted() {
  const ran: (readonly [number, string | undefined])[] = [];
  const startMs = Date.now();
  const note = (text?: string) => void ran.push([Date.now() - startMs, text]);
  return { ran, note };
}

describe('TimerAction', () => {
  it('runs once, at its time, with its state', () => {
    const { ran, note } = noted();
    new TimerAction<string>(note).schedule('a', 50);
    vi.advanceTimersByTime(500);
    expect(ran).toEqual([[50, 'a']]);
  });

  it('runs on its day what lies further off than a timer of Node can hold, again and again', () => {
    const { ran, note } = noted();
    const action = new TimerAction<string>(function (text) {
      note(text);
      if (ran.length === 1) this.schedule('again', 2 * MONTH_MS);
    });
    action.schedule('first', MONTH_MS);
    new TimerAction<string>(note).schedule('never', MONTH_MS).unsubscribe();
    vi.advanceTimersByTime(6 * MONTH_MS);
    expect(ran).toEqual([
      [MONTH_MS, 'first'],
      [3 * MONTH_MS, 'again'],
    ]);
  });

  it('goes by its last time alone where it is scheduled anew', () => {
    const { ran, note } = noted();
    const action = new TimerAction<string>(note);
    action.schedule('a', MONTH_MS);
    vi.advanceTimersByTime(10);
    action.schedule('b', 20);
    vi.advanceTimersByTime(2 * MONTH_MS);
    expect(ran).toEqual([[30, 'b']]);
  });

  it('runs no more once it is unsubscribed, within its work too', () => {
    const { ran, note } = noted();
    const waiting = new TimerAction<string>(note);
    waiting.schedule('a', 50);
    vi.advanceTimersByTime(49);
    waiting.unsubscribe();
    const ended = new TimerAction<string>(function (text) {
      note(text);
      this.unsubscribe();
      this.schedule('b', 1);
    });
    ended.schedule('a', 1);
    vi.advanceTimersByTime(100);
    expect(ran).toEqual([[50, 'a']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves whatever it was added to once it has run, though its work threw', () => {
    const owner = new Subscription();
    const removed = vi.spyOn(owner, 'remove');
    for (const fails of [false, true]) {
      const action = new TimerAction(() => {
        if (fails) throw new Error('work failed');
      });
      owner.add(action.schedule(undefined, fails ? 2 : 1));
    }
    vi.advanceTimersByTime(1);
    expect(() => vi.advanceTimersByTime(1)).toThrow('work failed');
    expect(removed).toHaveBeenCalledTimes(2);
  });

  it('serves the timed operators of rxjs', () => {
    const { ran, note } = noted();
    const ticks = timer(10, 20, systemClock).subscribe((count) => note(`${count}`));
    vi.advanceTimersByTime(55);
    ticks.unsubscribe();
    vi.advanceTimersByTime(100);
    expect(ran.map(([, text]) => text)).toEqual(['0', '1', '2']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('TimerAction whose work throws', () => {
  it('runs no more, though that had scheduled itself anew', () => {
    const { ran, note } = noted();
    const action = new TimerAction<string>(function (text) {
      note(text);
      this.schedule('again', 1);
      throw new Error('work failed');
    });
    action.schedule('a', 1);
    expect(() => vi.advanceTimersByTime(1)).toThrow('work failed');
    vi.advanceTimersByTime(10);
    expect(ran).toEqual([[1, 'a']]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
