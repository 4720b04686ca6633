import { describe, expect, it } from 'vitest';
import type { ExchangeFailure } from '../../../src/exchange/index.ts';
import { createBench } from '../fixture.ts';

function readAccount(illegible: readonly string[]) {
  const bench = createBench();
  bench.model.illegible = illegible;
  const heard: string[] = [];
  bench.executor.readAccount().subscribe({
    next: () => heard.push('read'),
    error: ({ message }: ExchangeFailure) => heard.push(message),
  });
  bench.clock.advanceBy(100);
  return heard;
}

describe('Executor.readAccount', () => {
  it('reads the account though the balance of a coin that is not traded is not legible', () => {
    expect(readAccount(['xyz'])).toEqual(['read']);
  });

  it('fails where that of one that is traded is not', () => {
    expect(readAccount(['xyz', 'eth', 'usdt'])).toEqual([
      'Cannot read the account: the balance of eth, usdt is not legible, ' +
        'that of what is traded is wanted',
    ]);
  });
});
