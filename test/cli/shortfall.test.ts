import { describe, expect, it } from 'vitest';
import { run } from './command.ts';
import { KEYS, leapingExchange, steadyDeployment } from './exchange.ts';

const BUYER = new URL('fixtures/buyer.ts', import.meta.url).pathname;

describe('tradewind run where somebody else has sold what a strategy holds', () => {
  it('says so at its start, once', async () => {
    const { dataUrl } = await leapingExchange();
    const file = steadyDeployment(dataUrl, { strategies: [{ use: BUYER, name: 'buyer' }] });
    const bot = () => run(['run', file, '--for', '2s'], { env: KEYS });
    const lacks = /the account has [\d.]+ btc, strategies hold 0\.00\d+ by the journal/g;
    const first = await bot();
    expect(first.stdout).toMatch(/fills +1/);
    expect(first.stdout).not.toMatch(lacks);

    const sale = ['--side', 'sell', '--price', '50000', '--amount', '0.3009', '--type', 'ioc'];
    const place = ['orders', 'place', '--venue-config', file, '--market', 'btc_usdt', '--yes'];
    const sold = await run([...place, ...sale], { env: KEYS });
    expect(sold.stdout).toContain('filled 0.3009');

    const second = await bot();
    expect(second.stdout.match(lacks)).toHaveLength(1);
  });
});
