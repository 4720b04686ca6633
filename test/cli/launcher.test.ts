import { describe, expect, it } from 'vitest';
import { run, start } from './command.ts';
import { KEYS, leapingExchange, steadyDeployment } from './exchange.ts';

/** A bot whose two orders rest, started as by an older Node. */
async function launchedBot() {
  const exchange = await leapingExchange();
  const file = steadyDeployment(exchange.dataUrl);
  const bot = start(['run', file], { env: KEYS, launched: true });
  await exchange.rests(2);
  return { exchange, bot };
}

describe('the launcher of an older Node', () => {
  it('hands a command over, with its output and exit code', async () => {
    const { stdout } = await run(['--version'], { launched: true });
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout });
    expect(await run(['trade'], { launched: true })).toMatchObject({ code: 2 });
  });

  it('passes a signal on: the bot stops in order', async () => {
    const { exchange, bot } = await launchedBot();
    bot.process.kill('SIGTERM');
    const { code, stdout } = await bot.ended;
    expect(stdout).toMatch(/stopped +SIGTERM asked for it/);
    expect(stdout).toMatch(/cancelled,( \d+ filled,)? verified/);
    expect(code).toBe(0);
    expect(exchange.resting('main')).toBe(0);
  });

  it('is missed when it is killed: the bot cancels, verifies and ends', async () => {
    const { exchange, bot } = await launchedBot();
    bot.process.kill('SIGKILL');
    // The streams are the bot's too: they end with it.
    const { signal, stdout } = await bot.ended;
    expect(signal).toBe('SIGKILL');
    expect(stdout).toMatch(/stopped +its launcher is gone/);
    expect(stdout).toMatch(/cancelled,( \d+ filled,)? verified/);
    expect(exchange.resting('main')).toBe(0);
  });
});
