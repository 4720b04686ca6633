import { describe, expect, it } from 'vitest';
import { deploymentFile, scratchFile } from '../app/fixture.ts';
import { ALL_ENDED, type CommandOptions, HAS_CONTAINERS, run, start } from './command.ts';
import { KEYS, leapingExchange, steadyDeployment } from './exchange.ts';

/** A bot whose two orders rest, started as by an older Node unless it is said otherwise. */
async function launchedBot(
  how: CommandOptions = { launched: true },
  flags: readonly string[] = [],
) {
  const exchange = await leapingExchange();
  const file = steadyDeployment(exchange.dataUrl);
  const bot = start(['run', file, ...flags], { env: KEYS, ...how });
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
    expect(stdout).toMatch(ALL_ENDED);
    expect(code).toBe(0);
    expect(exchange.resting('main')).toBe(0);
  });

  it('is missed when it is killed: the bot cancels, verifies and ends', async () => {
    const { exchange, bot } = await launchedBot();
    bot.process.kill('SIGKILL');
    // The bot shares the streams: they end only with it.
    const { signal, stdout } = await bot.ended;
    expect(signal).toBe('SIGKILL');
    expect(stdout).toMatch(/stopped +its launcher is gone/);
    expect(stdout).toMatch(ALL_ENDED);
    expect(exchange.resting('main')).toBe(0);
  });

  it.runIf(HAS_CONTAINERS)(
    'ends as its child does where it is the first of a container',
    async () => {
      const use = scratchFile('killed.ts', "process.kill(process.pid, 'SIGKILL');");
      const file = deploymentFile({ strategies: [{ use }] });
      const { code } = await run(['run', file], { below: ['container'], launched: true });
      expect(code).toBe(137);
    },
  );
});

describe('stopWithoutNpm', () => {
  const cases = [
    ['npm, whose shell made way,', { below: ['npm'] }],
    ['npm above its shell', { below: ['npm', 'shell'] }],
    ['npm above another npm', { below: ['npm', 'shell', 'npm', 'shell'] }],
    ['npm above a wrapper', { below: ['npm', 'shell', 'wrapper'] }],
    ['npm above the launcher', { below: ['npm', 'shell'], launched: true }],
  ] as const;
  // Only Linux tells whose child another process is.
  const told = cases.filter(([, { below }]) => below.length === 1 || process.platform === 'linux');

  it.each(told)('stops a bot in order when %s is gone', async (_, how) => {
    const { exchange, bot } = await launchedBot(how);
    bot.process.kill('SIGKILL');
    const { stdout, stderr } = await bot.ended;
    expect(stderr).toContain('what started this command is gone, it ends in order');
    expect(stdout).toMatch(ALL_ENDED);
    expect(exchange.resting('main')).toBe(0);
  });

  it.each([
    ['nobody where npm did not start the bot', ['shell']],
    ['nobody above npm, whose shell made way', ['shell', 'npm']],
    ['nobody above npm', ['shell', 'npm', 'shell']],
  ] as const)('watches %s', async (_, below) => {
    const { bot } = await launchedBot({ below }, ['--for', '2s']);
    bot.process.kill('SIGKILL');
    const { stdout, stderr } = await bot.ended;
    expect(stdout).toMatch(/stopped +its time is over/);
    expect(stderr).not.toContain('is gone');
  });
});
