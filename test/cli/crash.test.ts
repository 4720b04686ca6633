import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recall } from '../../src/app/past/recall.ts';
import { scratchFolder } from '../app/fixture.ts';
import { ALL_ENDED, run, start } from './command.ts';
import { KEYS, leapingExchange, steadyDeployment } from './exchange.ts';

/** Starts a bot, waits until its two orders rest, and kills it in the middle of its life. */
async function killedBot() {
  const exchange = await leapingExchange();
  const path = join(scratchFolder(), 'steady.journal');
  const file = steadyDeployment(exchange.dataUrl, { journal: { path } });
  const bot = start(['run', file], { env: KEYS });
  await exchange.rests(2);
  bot.process.kill('SIGKILL');
  expect(await bot.ended).toMatchObject({ signal: 'SIGKILL' });
  const restart = async () => {
    const ending = await run(['run', file, '--for', '1s'], { env: KEYS });
    expectNoKeys(bot.text() + ending.stdout + ending.stderr);
    return ending;
  };
  return { exchange, path, restart };
}

/** Not even at level debug. */
function expectNoKeys(output: string): void {
  expect(output).toContain('"level":"debug"');
  for (const key of Object.values(KEYS)) expect(output).not.toContain(key);
}

describe('kill -9 of a bot with resting orders', () => {
  it('leaves them to the exchange, which cancels them 60 s after the last heartbeat', async () => {
    const { exchange, path, restart } = await killedBot();
    expect(exchange.resting('main')).toBe(2);
    expect(recall(path, Date.now()).liveOrders).toHaveLength(2);

    exchange.leap(60_000);
    expect(exchange.resting('main')).toBe(0);

    const { code, stdout } = await restart();
    expect(stdout).toMatch(/orders in btc_usdt at the exchange \(start\): 0 open/);
    expect(stdout).toMatch(ALL_ENDED);
    expect(code).toBe(0);
    expect(exchange.resting('main')).toBe(0);
    expect(recall(path, Date.now()).liveOrders).toEqual([]);
  });

  it('finds them again when it restarts in time: none is doubled, none is left', async () => {
    const { exchange, path, restart } = await killedBot();
    const { code, stdout } = await restart();
    expect(stdout).toMatch(/orders in btc_usdt at the exchange \(start\): 2 open/);
    // Those that were left at least; what took their place too, where there was time for it.
    expect(stdout).toMatch(/"cancelled":[2-9]/);
    expect(stdout).toMatch(ALL_ENDED);
    expect(code).toBe(0);
    expect(exchange.resting('main')).toBe(0);
    expect(recall(path, Date.now()).liveOrders).toEqual([]);
  });

  it('is not followed by a start in another folder, which would know nothing of them', async () => {
    const exchange = await leapingExchange();
    const file = steadyDeployment(exchange.dataUrl, { journal: undefined });
    const env = { ...KEYS, TRADEWIND_LOCKS: scratchFolder() };
    const [cwd, elsewhere] = [scratchFolder(), scratchFolder()];
    const bot = start(['run', file], { env, cwd });
    await exchange.rests(2);
    bot.process.kill('SIGKILL');
    await bot.ended;
    const { code, stderr } = await run(['run', file, '--for', '1s'], { env, cwd: elsewhere });
    const journal = join(cwd, 'var/steady.journal');
    expect(stderr).toContain(`its last run with this key kept ${journal}`);
    expect(code).toBe(3);
    const again = await run(['run', file, '--for', '1s'], { env, cwd });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/: 2 open/) });
    expect(exchange.resting('main')).toBe(0);
  });
});
