import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { deploymentFile, scratchFolder } from '../app/fixture.ts';
import { run, start } from './command.ts';

it('tradewind journal reads beside a bot that trades, and what a killed one has left', async () => {
  const path = join(scratchFolder(), 'kept.journal');
  const bot = start(['run', deploymentFile({ journal: { path } })]);
  await bot.seen(/"msg":"\S+ (bought|sold) /);
  const beside = () => readdirSync(dirname(path)).sort();
  const shown = async (command: string) => {
    const { code, stdout, stderr } = await run(['journal', command, path, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  const whileRunning = beside();
  expect((await shown('runs')).runs).toMatchObject([
    { state: 'running', process: bot.process.pid },
  ]);
  // What was said may be written a moment later.
  while ((await shown('runs')).runs[0].fills === 0);
  expect(bot.process.exitCode).toBeNull();
  bot.process.kill('SIGKILL');
  await bot.ended;
  const [killed] = (await shown('runs')).runs;
  expect(killed).toMatchObject({ state: 'killed', ended: null, process: null });
  expect(killed.fills).toBeGreaterThan(0);
  const { closed, open } = await shown('trades');
  expect(closed.length + open.length).toBeGreaterThan(0);
  await shown('days');
  expect(beside()).toEqual(whileRunning);
}, 60_000);
