import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runSignals, stopSignals, stopWishes } from '../../src/cli/stop-requests.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Hears signals until the answer is called. */
function listen(signals = stopSignals) {
  const others = process.listenerCount('SIGINT');
  const heard: string[] = [];
  const subscription = signals.subscribe((signal) => heard.push(signal));
  const isListening = () => process.listenerCount('SIGINT') > others;
  return { heard, isListening, end: () => subscription.unsubscribe() };
}

describe('stopSignals', () => {
  it('takes a signal and its echo for one', () => {
    const { heard, end } = listen();
    process.emit('SIGINT', 'SIGINT');
    vi.advanceTimersByTime(299);
    process.emit('SIGINT', 'SIGINT');
    vi.advanceTimersByTime(1);
    process.emit('SIGTERM', 'SIGTERM');
    expect(heard).toEqual(['SIGINT', 'SIGTERM']);
    end();
  });

  it.each([true, false])(
    'leaves signals to the process at once, one having come: %s',
    (hasCome) => {
      const { isListening, end } = listen();
      if (hasCome) process.emit('SIGINT', 'SIGINT');
      end();
      expect(isListening()).toBe(false);
    },
  );
});

describe('runSignals', () => {
  it('keeps the echo of a signal from the process though nobody listens any more', () => {
    const { heard, isListening, end } = listen(runSignals);
    process.emit('SIGINT', 'SIGINT');
    vi.advanceTimersByTime(100);
    end();
    expect(isListening()).toBe(true);
    process.emit('SIGINT', 'SIGINT');
    expect(heard).toEqual(['SIGINT']);
    vi.advanceTimersByTime(200);
    expect(isListening()).toBe(false);
  });

  it('leaves signals to the process at once where none came', () => {
    const { isListening, end } = listen(runSignals);
    end();
    expect(isListening()).toBe(false);
  });
});

describe('stopWishes', () => {
  it('ask at once where the launcher is gone already', () => {
    const wasConnected = Object.getOwnPropertyDescriptor(process, 'connected');
    const reasons: string[] = [];
    for (const connected of [undefined, true, false]) {
      Object.defineProperty(process, 'connected', { value: connected, configurable: true });
      stopWishes.subscribe(({ reason }) => reasons.push(`${connected}: ${reason}`)).unsubscribe();
    }
    Object.defineProperty(process, 'connected', wasConnected ?? { value: undefined });
    expect(reasons).toEqual(['false: its launcher is gone']);
  });
});
