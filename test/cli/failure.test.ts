import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../src/app/errors.ts';
import { reportFailure } from '../../src/cli/failure.ts';
import { ExchangeFailure } from '../../src/exchange/index.ts';

function told(thrown: unknown): string {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  reportFailure(thrown);
  return String(write.mock.lastCall?.[0]);
}

describe('reportFailure', () => {
  it('asks for the exchange where nothing listens at its address, and nowhere else', () => {
    const refused = 'Cannot reach it: connect ECONNREFUSED 127.0.0.1:9';
    const hint = /does `tradewind exchange` run/;
    expect(told(new ExchangeFailure('unsent', refused))).toMatch(hint);
    expect(told(new AppError('configuration', refused))).toBe(`tradewind: ${refused}\n`);
  });
});
