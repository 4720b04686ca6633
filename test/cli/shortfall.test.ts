import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../app/fixture.ts';
import { run } from './command.ts';
import { KEYS, leapingExchange, steadyDeployment } from './exchange.ts';

const BUYER = new URL('fixtures/buyer.ts', import.meta.url).pathname;
const LACKS = /the account has [\d.]+ btc, strategies hold 0\.00\d+ by the journal/g;

/** A bot that has bought 0.001 btc, and a person who has sold all of the account since. */
async function soldBehind() {
  const { dataUrl } = await leapingExchange();
  const journal = join(scratchFolder(), 'steady.journal');
  const deploymentOf = (amount: number) => {
    const strategies = [{ use: BUYER, name: 'buyer', params: { amount } }];
    return steadyDeployment(dataUrl, { strategies, journal: { path: journal } });
  };
  const bot = (amount: number) => run(['run', deploymentOf(amount), '--for', '2s'], { env: KEYS });
  const first = await bot(0.001);
  expect(first.stdout).toMatch(/fills +1/);
  expect(first.stdout).not.toMatch(LACKS);
  const place = ['orders', 'place', '--venue-config', deploymentOf(0), '--market', 'btc_usdt'];
  const sale = ['--side', 'sell', '--price', '50000', '--amount', '0.3009', '--type', 'ioc'];
  const sold = await run([...place, ...sale, '--yes'], { env: KEYS });
  expect(sold.stdout).toContain('filled 0.3009');
  return { bot, journal };
}

describe('tradewind run where somebody else has sold what a strategy holds', () => {
  it('says so at its start, once', async () => {
    const { bot } = await soldBehind();
    const second = await bot(0.001);
    expect(second.stdout.match(LACKS)).toHaveLength(1);
    expect(second.stdout).toMatch(/fills +0/);
  });

  it('trades on by what a person has set since', async () => {
    const { bot, journal } = await soldBehind();
    const set = ['positions', 'set', 'btc_usdt', '0', '--strategy', 'buyer', '--journal', journal];
    expect(await run(set)).toMatchObject({ code: 0 });
    const fillsOf = async (amount: number) => {
      const { stdout } = await bot(amount);
      expect(stdout).not.toMatch(LACKS);
      expect(stdout).not.toContain('refused');
      return /fills +(\d+)/.exec(stdout)?.[1];
    };
    expect(await fillsOf(0.001)).toBe('1');
    expect(await fillsOf(0.001)).toBe('0');
    expect(await fillsOf(0)).toBe('1');
    const { stdout } = await run(['journal', 'trades', journal, '--json']);
    const { closed, open, adjustments } = JSON.parse(stdout);
    expect(closed).toMatchObject([{ fills: 2 }, { fills: 2 }]);
    expect([open, adjustments.length]).toEqual([[], 1]);
  });
});
