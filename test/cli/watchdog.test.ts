import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { deploymentFile } from '../app/fixture.ts';
import { start } from './command.ts';

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
    const place = `tradewind: hangs in ${HANGING}:16:\\d+: nothing has moved for 0.5 s`;
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
});
