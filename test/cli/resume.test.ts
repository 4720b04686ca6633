import { describe, expect, it } from 'vitest';
import { type Ending, run } from './command.ts';
import { KEYS, leapingExchange, steadyDeployment } from './exchange.ts';

const BUYER = new URL('fixtures/buyer.ts', import.meta.url).pathname;

describe('tradewind run after a loss limit has halted trading', () => {
  it('stays halted over restarts and says how that ends, until --resume', async () => {
    const { dataUrl } = await leapingExchange();
    // The fee of its only order is beyond the limit.
    const file = steadyDeployment(dataUrl, {
      strategies: [{ use: BUYER, name: 'buyer' }],
      risk: { dailyLossMax: 0.1, lossAction: 'HALTED' },
    });
    const bot = (...flags: string[]): Promise<Ending> =>
      run(['run', file, '--for', '2s', ...flags], { env: KEYS });
    const halted = /"trading +HALTED: daily loss of [^"]*","it stays so until a run with --resume"/;

    const first = await bot();
    expect(first.stdout).toMatch(/fills +1/);
    expect(first.stdout).toMatch(halted);

    const second = await bot();
    expect(second.stdout).toMatch(/trading is still HALTED since an earlier run: daily loss of/);
    expect(second.stdout).toMatch(/quotes +0 orders sent/);
    expect(second.stdout).toMatch(halted);

    const third = await bot('--resume');
    expect(third.stdout).toMatch(/trading is ACTIVE now: resumed by a person/);
    expect(third.stdout).not.toMatch(/"trading {2,}/);
    expect(third.stdout).toMatch(/position \+0\.000998 btc/);
    expect([first.code, second.code, third.code]).toEqual([0, 0, 0]);
  });
});
