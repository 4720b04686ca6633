import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scratchPath } from './fixture.ts';

const DISK = new URL('../../src/storage/disk.ts', import.meta.url).href;
/** Appends to a log, and prints the outcome. */
const SCRIPT = `
  import { machineDisk } from '${DISK}';
  const log = machineDisk.openLog(process.argv[1]);
  try {
    log.append(Buffer.alloc(4_096, 'x'));
  } catch (thrown) {
    console.log(thrown.message);
  }
`;

describe('machineDisk.openLog', () => {
  it('throws where a file takes no more than a part of a text', () => {
    const path = scratchPath();
    // No file of that process grows beyond one block.
    const limited = 'ulimit -f 1; exec "$@"';
    const node = [process.execPath, '--input-type=module', '-e', SCRIPT, path];
    const { stdout } = spawnSync('sh', ['-c', limited, 'sh', ...node], { encoding: 'utf8' });
    expect(readFileSync(path, 'utf8')).toMatch(/^x+$/);
    expect(stdout).toBe('the disk took a part only\n');
  });
});
