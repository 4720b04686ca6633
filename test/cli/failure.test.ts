import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../src/app/errors.ts';
import { EXIT_CODES } from '../../src/app/exit-codes.ts';
import { reportFailure } from '../../src/cli/failure.ts';
import { ExchangeFailure } from '../../src/exchange/index.ts';

/** What standard error is told, and the exit code. */
function failed(thrown: unknown) {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  return { code: reportFailure(thrown), told: String(write.mock.lastCall?.[0]) };
}

describe('reportFailure', () => {
  it('asks for the exchange where nothing listens at its address, and nowhere else', () => {
    const refused = 'Cannot reach it: connect ECONNREFUSED 127.0.0.1:9';
    const hint = /does `tradewind exchange` run/;
    expect(failed(new ExchangeFailure('unsent', refused)).told).toMatch(hint);
    const { told } = failed(new AppError('configuration', refused));
    expect(told).toBe(`tradewind: ${refused}\n`);
  });

  it('shows what is not seen of an answer, and keeps its lines', () => {
    const refusal = new AppError('refused', 'venue.test: it said "\u202eno"\nand a hint');
    expect(failed(refusal)).toEqual({
      code: EXIT_CODES.refused,
      told: 'tradewind: venue.test: it said "\\u{202e}no"\nand a hint\n',
    });
  });
});
