import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordByHand } from '../../src/app/terminal/record-by-hand.ts';
import { systemClock } from '../../src/app/time/system-clock.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { scratchFolder } from '../app/fixture.ts';
import { run, start } from './command.ts';
import { KEYS, leapingExchange, steadyDeployment } from './exchange.ts';

const BUYER = new URL('fixtures/buyer.ts', import.meta.url).pathname;
const LACKS = /the account has [\d.]+ btc, but strategies hold 0\.00\d+ by the journal/g;

/** A bot that has bought 0.001 btc, and a person who has sold all of the account since. */
async function soldBehind() {
  const { dataUrl } = await leapingExchange();
  const journal = join(scratchFolder(), 'steady.journal');
  const deploymentOf = (amount: number) => {
    const strategies = [{ use: BUYER, name: 'buyer', params: { amount } }];
    return steadyDeployment(dataUrl, { strategies, journal: { path: journal } });
  };
  const stays = () => run(['run', deploymentOf(0.001), '--for', '2s'], { env: KEYS });
  /** Runs a bot towards what it is to hold, until it has traded. */
  const trades = async (amount: number) => {
    const bot = start(['run', deploymentOf(amount)], { env: KEYS });
    await bot.seen(/buyer (bought|sold) /);
    bot.process.kill('SIGTERM');
    const { stdout } = await bot.ended;
    expect(stdout).toMatch(/fills +[1-9]/);
    expect(stdout).not.toMatch(LACKS);
    expect(stdout).not.toContain('refused');
  };
  await trades(0.001);
  const place = ['orders', 'place', '--venue-config', deploymentOf(0), '--market', 'btc_usdt'];
  const sale = ['--side', 'sell', '--price', '50000', '--amount', '0.3009', '--type', 'ioc'];
  const sold = await run([...place, ...sale, '--yes'], { env: KEYS });
  expect(sold.stdout).toContain('filled 0.3009');
  return { stays, trades, journal };
}

describe('tradewind run where somebody else has sold what a strategy holds', () => {
  it('says so at its start, once', async () => {
    const { stays } = await soldBehind();
    const { stdout } = await stays();
    expect(stdout.match(LACKS)).toHaveLength(1);
  });

  it('says nothing of coins that paid in a market that is not traded any more', async () => {
    const { stays, journal } = await soldBehind();
    const change = { before: Decimal.ZERO, after: Decimal.of('0.02'), value: Decimal.of('0.001') };
    const paid = { kind: 'adjustment', market: 'eth_btc', strategy: 'buyer', ...change } as const;
    recordByHand({ journal, clock: systemClock }, () => {
      return { event: { ...paid, time: systemClock.now() } };
    });
    const { stdout } = await stays();
    expect(stdout).toContain('buyer holds 0.02 eth in eth_btc since an earlier run');
    expect(stdout).not.toMatch(LACKS);
  });

  it('trades on by what a person has set since', async () => {
    const { stays, trades, journal } = await soldBehind();
    const set = ['positions', 'set', 'btc_usdt', '0', '--strategy', 'buyer', '--journal', journal];
    expect(await run(set)).toMatchObject({ code: 0 });
    await trades(0.001);
    const { stdout: later } = await stays();
    expect(later).toMatch(/fills +0/);
    expect(later).not.toMatch(LACKS);
    await trades(0);
    const { stdout } = await run(['journal', 'trades', journal, '--json']);
    const { closed, open, adjustments } = JSON.parse(stdout);
    expect(closed).toMatchObject([{ fills: 2 }, { fills: 2 }]);
    expect([open, adjustments.length]).toEqual([[], 1]);
  });
});
