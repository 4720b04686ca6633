import { mkdirSync, readdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { interruptible } from '../../../src/cli/interruptible.ts';
import { scratchFolder } from '../../app/fixture.ts';
import { start } from '../command.ts';
import { dataFolder, ID } from './dataset-fixture.ts';
import { line } from './fixture.ts';

/** Rows that take much longer to import than a signal to arrive. */
const ROWS = 200_000;

it.each([
  ['SIGINT', false],
  ['SIGTERM', false],
  ['SIGTERM', true],
] as const)(
  'data import ends of %s, says so in one line and leaves nothing (by the launcher: %s)',
  async (signal, launched) => {
    const cwd = scratchFolder();
    const root = join(cwd, 'data');
    mkdirSync(root);
    const rows = Array.from({ length: ROWS }, (_, at) => `${1_700_000_040_000 + at},${100 + at},1`);
    writeFileSync(join(cwd, 'BTCUSDT.csv'), `time,price,amount\n${rows.join('\n')}\n`);
    const command = start(['data', 'import', 'BTCUSDT.csv'], { cwd, launched });
    // It is at work once it has a folder for that.
    const watcher = watch(root, () => {
      watcher.close();
      command.process.kill(signal);
    });
    onTestFinished(() => watcher.close());
    expect(await command.ended).toEqual({
      ...{ code: null, signal, stdout: '' },
      stderr: `tradewind: Interrupted by ${signal}: nothing was imported\n`,
    });
    expect(readdirSync(root)).toEqual([]);
  },
  60_000,
);

it('data check ends of a signal, says so in one line and leaves nothing', async () => {
  const root = await dataFolder();
  const command = start(['data', 'check', '--data', root]);
  // It has a folder for what does not fit into memory before it looks at the first row.
  const watcher = watch(root, () => {
    watcher.close();
    command.process.kill('SIGINT');
  });
  onTestFinished(() => watcher.close());
  expect(await command.ended).toEqual({
    ...{ code: null, signal: 'SIGINT', stdout: '' },
    stderr: `tradewind: Interrupted by SIGINT: ${ID} was not checked\n`,
  });
  expect(readdirSync(root).sort()).toEqual(['.locks', ID]);
});

it('data list removes what a killed import has left', async () => {
  const root = join(scratchFolder(), 'data');
  const left = join(root, '.tradewind-killed');
  mkdirSync(left, { recursive: true });
  writeFileSync(join(left, 'lock'), '');
  expect(await line(`data list --data ${root}`)).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(root)).toEqual([]);
});

it('interruptible ends the process at a second signal, however long the work takes to end', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
    kill.mockRestore();
  });
  let heard: AbortSignal | undefined;
  void interruptible((signal) => {
    heard = signal;
    return new Promise(() => {});
  });
  process.emit('SIGHUP', 'SIGHUP');
  expect(heard).toMatchObject({ aborted: true, reason: 'SIGHUP' });
  expect(kill).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  process.emit('SIGHUP', 'SIGHUP');
  expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, 'SIGHUP');
});
