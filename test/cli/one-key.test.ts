import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../app/fixture.ts';
import { ALL_ENDED, run, start } from './command.ts';
import { KEYS, leapingExchange, steadyDeployment } from './exchange.ts';

/** A bot that rests two orders, and a second deployment with another journal and the same key. */
async function twoDeployments() {
  const exchange = await leapingExchange();
  const env = { ...KEYS, TRADEWIND_LOCKS: scratchFolder() };
  const first = steadyDeployment(exchange.dataUrl, { name: 'first' });
  const second = steadyDeployment(exchange.dataUrl, { name: 'second' });
  const bot = start(['run', first], { env });
  await exchange.rests(2);
  const attempt = () => run(['run', second, '--for', '1s'], { env, cwd: scratchFolder() });
  return { exchange, first, bot, attempt };
}

describe('tradewind run with a key that another process trades with', () => {
  it('names that process and ends with code 3; the other goes on', async () => {
    const { exchange, first, bot, attempt } = await twoDeployments();
    const { code, stdout, stderr } = await attempt();
    const { host } = new URL(exchange.dataUrl);
    expect(stderr).toBe(
      `tradewind: Cannot trade on ${host} with the key in ZB_ACCESS_KEY: ` +
        `process ${bot.process.pid}, deployment first of ${first}, trades with it already, ` +
        'a key for each process is wanted\n',
    );
    expect(code).toBe(3);
    for (const key of Object.values(KEYS)) expect(stdout + stderr).not.toContain(key);
    // On a busy machine late data takes its orders off the book for a while: they come back.
    await exchange.rests(2);
    bot.process.kill('SIGTERM');
    expect(await bot.ended).toMatchObject({ code: 0 });
  });

  it('trades once that process is dead, however it died', async () => {
    const { exchange, bot, attempt } = await twoDeployments();
    bot.process.kill('SIGKILL');
    await bot.ended;
    const { code, stdout } = await attempt();
    expect(stdout).toMatch(
      /open orders in btc_usdt that are not in the journal are left alone \(executor\.foreignOrders\)/,
    );
    expect(stdout).toMatch(ALL_ENDED);
    expect(code).toBe(0);
    // The log tells of every order, should one be gone.
    expect(exchange.resting('main'), stdout).toBe(2);
  });
});
