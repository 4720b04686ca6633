import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { whenUnread } from '../../src/cli/unread.ts';

describe('whenUnread', () => {
  function unread() {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const out = { writableLength: 1_000 };
    const then = vi.fn();
    const callOff = whenUnread(out, then);
    return { out, then, callOff };
  }

  it('calls once nothing was read for a minute', () => {
    const { out, then } = unread();
    vi.advanceTimersByTime(59_000);
    out.writableLength = 500;
    vi.advanceTimersByTime(60_000);
    expect(then).not.toHaveBeenCalled();
    vi.advanceTimersByTime(120_000);
    expect(then).toHaveBeenCalledTimes(1);
  });

  it('calls nobody where it was called off', () => {
    const { then, callOff } = unread();
    callOff();
    vi.advanceTimersByTime(120_000);
    expect(then).not.toHaveBeenCalled();
  });
});
