import { describe, expect, it } from 'vitest';
import { AppError, asAppError, exitCodeOf } from '../../src/app/errors.ts';
import { ExchangeFailure } from '../../src/exchange/index.ts';
import { HistoryError } from '../../src/history/index.ts';
import { SimulationError } from '../../src/sim/index.ts';
import { StorageError } from '../../src/storage/index.ts';
import { ServerError } from '../../src/venues/zb/server/index.ts';
import { WireError } from '../../src/venues/zb/wire/index.ts';

describe('asAppError', () => {
  it.each([
    ['exchange', new ExchangeFailure('unsent', 'gone')],
    ['exchange', new ServerError('gone')],
    ['journal', new StorageError('gone')],
    ['recording', new HistoryError('gone')],
    ['configuration', new SimulationError('gone')],
    ['configuration', new WireError('gone')],
  ])('gives the reason %s to %o', (reason, thrown) => {
    const error = asAppError(thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ reason, message: 'gone', cause: thrown });
  });

  it('leaves others as they are', () => {
    const named = Object.assign(new Error('gone'), { name: 'HistoryError' });
    for (const thrown of [named, new AppError('usage', 'gone'), 'gone', undefined]) {
      expect(asAppError(thrown)).toBe(thrown);
    }
    expect(exitCodeOf(named)).toBe(1);
  });
});
