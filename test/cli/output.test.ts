import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { scratchFolder } from '../app/fixture.ts';

const FIXTURE = fileURLToPath(new URL('fixtures/floods-terminal.ts', import.meta.url));

/** What a terminal shows at last that stood still while so many lines were written to it. */
async function shownOf(lines: number, end = ''): Promise<string> {
  const file = join(scratchFolder(), 'went-on');
  const command = `'${process.execPath}' '${FIXTURE}' '${file}' ${lines} ${end}`;
  // It passes on what the terminal shows, and stands still while that is not read.
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TERM: 'xterm' },
  });
  onTestFinished(() => void terminal.kill());
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), 10_000);
  return text(terminal.stdout);
}

describe('openOutput', () => {
  it.each(['ends', 'quits'])('goes on while its terminal stands still (%s)', async (end) => {
    const shown = await shownOf(20_000, end);
    for (const line of ['line 0\r', 'line 19999\r', 'last words\r']) expect(shown).toContain(line);
    expect(shown).not.toContain('left out');
  });

  it('keeps no more for a terminal that stands still than there is room for', async () => {
    const shown = await shownOf(200_000);
    const [, leftOut] = /… (\S+) lines left out while the terminal stood still\r/.exec(shown) ?? [];
    expect(shown.match(/line \d+\r/g)).toHaveLength(200_000 - Number(leftOut?.replace(/\D/g, '')));
    for (const line of ['line 0\r', 'last words\r']) expect(shown).toContain(line);
  });

  it('keeps as much for a pipe that nobody reads, and tells standard error of the rest', async () => {
    const file = join(scratchFolder(), 'went-on');
    const flood = spawn(process.execPath, [FIXTURE, file, '600000']);
    onTestFinished(() => void flood.kill());
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), 10_000);
    const [shown, told] = await Promise.all([text(flood.stdout), text(flood.stderr)]);
    const [, leftOut] = /^tradewind: (\S+) lines left out while nobody read/.exec(told) ?? [];
    expect(shown.match(/^line \d+$/gm)).toHaveLength(600_000 - Number(leftOut?.replace(/\D/g, '')));
    expect(shown).toMatch(/\nlast words\n$/);
  });
});

it('openOutput gives the cursor back where the process is stopped, and goes on where it does', async () => {
  const fixture = fileURLToPath(new URL('fixtures/stops-at-terminal.ts', import.meta.url));
  const command = `bash -c "set -m; '${process.execPath}' '${fixture}'; echo stopped; fg"`;
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TERM: 'xterm' },
  });
  onTestFinished(() => void terminal.kill());
  const [before, after] = (await text(terminal.stdout)).split('stopped\r\n');
  const [show, hide] = ['\u001b[?25h', '\u001b[?25l'];
  expect(before!.lastIndexOf(show)).toBeGreaterThan(before!.indexOf('first block'));
  const [redrawn] = after!.split('second block');
  expect(redrawn).toContain(hide);
  // It overwrites nothing of the shell's.
  expect(redrawn).not.toContain('\u001b[1A');
});
