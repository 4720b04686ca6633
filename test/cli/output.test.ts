import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { scratchFolder } from '../app/fixture.ts';

const FIXTURE = fileURLToPath(new URL('fixtures/floods-terminal.ts', import.meta.url));

describe('openOutput', () => {
  it('goes on while its terminal stands still, and loses nothing', async () => {
    const file = join(scratchFolder(), 'went-on');
    const command = `'${process.execPath}' '${FIXTURE}' '${file}'`;
    // It passes on what the terminal shows, and stands still while that is not read.
    const terminal = spawn('script', ['-qec', command, '/dev/null'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, TERM: 'xterm' },
    });
    onTestFinished(() => void terminal.kill());
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), 10_000);
    const shown = await text(terminal.stdout);
    for (const line of ['line 0\r', 'line 19999\r', 'last words\r']) expect(shown).toContain(line);
  });
});
