import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { backtestFile } from '../app/backtest/fixture.ts';
import { deploymentFile, scratchFile } from '../app/fixture.ts';
import { CONTAINER, type CommandOptions, HAS_CONTAINERS, start } from './command.ts';

const HANGING = fileURLToPath(new URL('fixtures/hanging.ts', import.meta.url));

function endOf(what: string): { signal: string | null; stderr: string; status: number | null } {
  const inspected = { NODE_OPTIONS: '' };
  return spawnSync(process.execPath, [HANGING, what], {
    ...{ encoding: 'utf8', env: { ...process.env, ...inspected } },
  });
}

describe('watchLoop', () => {
  it('tells where a process hangs, then kills it', () => {
    const { signal, stderr } = endOf('hangs');
    const place = `tradewind: hangs in ${HANGING}:19:\\d+: nothing has moved for 0.5 s`;
    expect(stderr).toMatch(new RegExp(`^${place}.*; it is killed after 1.5 s\n`));
    expect(stderr).toContain('tradewind: killed, since it hung for 1.5 s\n');
    expect(signal).toBe('SIGKILL');
  });

  it.each([
    ['is gone', 'hangs'],
    ['reads no more', 'fills'],
  ])('kills a process that hangs though whoever read its errors %s', async (_, what) => {
    const child = spawn(process.execPath, [HANGING, what], {
      ...{ stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
    });
    if (what === 'hangs') child.stderr.destroy();
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
  });

  it.runIf(HAS_CONTAINERS)(
    'says so where it cannot kill, as the first of a container',
    async () => {
      const [file, ...args] = [...CONTAINER, process.execPath, HANGING, 'hangs'];
      const container = spawn(file!, args, {
        ...{ stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
      });
      let stderr = '';
      container.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
        if (text.includes('docker')) container.kill('SIGKILL');
      });
      await once(container, 'close');
      expect(stderr).toMatch(/killed, since it hung.*\n.*kill it from outside, .*--init\)\n$/);
    },
  );

  it('tells ever more seldom of one that may be slow, on a line of its own, and leaves it alone', () => {
    const { status, stderr } = endOf('is-unhurried');
    // What is drawn in place ends without a line break.
    const told = Array.from(
      `a bar${stderr}`.matchAll(
        /\ntradewind: hangs .*nothing has moved for (\S+) s.*kill -9 \d+ ends it\n/g,
      ),
    );
    expect(told.slice(0, 2).map(([, seconds]) => seconds)).toEqual(['0.5', '1']);
    expect(status).toBe(0);
  });

  /** What one says that hangs below npm, which is killed at its first word. */
  async function leftByNpm(what: string): Promise<string> {
    const command = ['-c', '"$0" "$@"; exit $?', process.execPath, HANGING, what];
    const npm = spawn('sh', command, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: '', npm_lifecycle_event: 'backtest' },
    });
    let stderr = '';
    npm.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      npm.kill('SIGKILL');
    });
    // The hanging process shares the stream: it ends only with it.
    await once(npm, 'close');
    return stderr;
  }

  it('kills one that may be slow once npm above it is gone', async () => {
    expect(await leftByNpm('hangs-unhurried')).toMatch(
      /hangs in .*\n(tradewind: hangs in .*\n)*.*killed, since it hangs and the process that started it is gone\n$/,
    );
  });

  it('leaves any other its whole time, whoever is gone: it may be cancelling', async () => {
    expect(await leftByNpm('recovers')).toMatch(/^tradewind: hangs in .*\nin order\n$/);
  });

  it.each(['turns', 'is-watched-no-more', 'is-debugged'])('leaves one alone that %s', (what) => {
    expect(endOf(what)).toMatchObject({ status: 0, signal: null });
  });
});

describe('tradewind run', () => {
  it('tells where a strategy hangs', async () => {
    const use = fileURLToPath(new URL('fixtures/endless.ts', import.meta.url));
    const bot = start(['run', deploymentFile({ strategies: [{ use }] })]);
    await bot.seen(/tradewind: hangs in \S+endless\.ts:9:\d+: nothing has moved for 5 s/);
  });

  it('tells where a strategy hangs that is only being loaded', async () => {
    const use = scratchFile('loops.ts', 'for (;;);\nexport default {};\n');
    const bot = start(['run', deploymentFile({ strategies: [{ use }] })]);
    await bot.seen(/tradewind: hangs in \S+loops\.ts:1:\d+: nothing has moved for 10 s/);
  });
});

describe('tradewind backtest', () => {
  const hangingReplay = (options: CommandOptions) => {
    const use = fileURLToPath(new URL('fixtures/endless.ts', import.meta.url));
    const file = backtestFile({
      ...{ name: 'hanging', venue: { kind: 'simulated' }, markets: ['btc_usdt'] },
      strategies: [{ use }],
      backtest: {
        ...{ from: '2024-01-01', to: '2024-01-02', balances: { usdt: '1000' } },
        generate: { btc_usdt: { startPrice: 30_000 } },
      },
    });
    return start(['backtest', file], options);
  };
  const TOLD = /tradewind: hangs in \S+endless\.ts:9:\d+: nothing has moved for 10 s/;

  it('tells where a strategy hangs, and ends with a third signal to its launcher', async () => {
    const replay = hangingReplay({ launched: true });
    await replay.seen(TOLD);
    const insisting = setInterval(() => replay.process.kill('SIGINT'), 100);
    const { signal } = await replay.ended;
    clearInterval(insisting);
    expect(signal).toBe('SIGKILL');
  });

  it('ends although it hangs once npm above its launcher is gone', async () => {
    const replay = hangingReplay({ launched: true, below: ['npm'] });
    await replay.seen(TOLD);
    replay.process.kill('SIGKILL');
    // The hanging process shares the streams: they end only with it.
    const { stderr } = await replay.ended;
    expect(stderr).toContain('killed, since it hangs and the process that started it is gone');
  });
});
