import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { machineDisk } from '../../src/storage/disk.ts';
import { takeLock, writerOf } from '../../src/storage/index.ts';
import { byNobody } from '../nobody.ts';
import { journalOf, scratchPath } from './fixture.ts';

const beside = (path: string): string[] => readdirSync(dirname(path)).sort();
const lockOf = (path: string): string => `${basename(path)}.lock`;

/** Takes the lock of a journal, and prints why that fails. */
const SCRIPT = `
  import { takeLock } from ${JSON.stringify(new URL('../../src/storage/index.ts', import.meta.url).href)};
  try {
    takeLock(process.argv[1]);
  } catch ({ message }) {
    process.stdout.write(message);
  }
`;

describe('takeLock', () => {
  it('says no more whose it was once it is let go, and is taken once at a time', () => {
    const path = scratchPath();
    const first = takeLock(path);
    expect(() => takeLock(path)).toThrow(`process ${process.pid} uses it`);
    expect(beside(path)).toEqual([lockOf(path), `${basename(path)}.owner`]);
    first.release();
    expect(beside(path)).toEqual([lockOf(path)]);
    const second = takeLock(path);
    first.release();
    expect(() => takeLock(path)).toThrow(`process ${process.pid} uses it`);
    second.release();
    expect(beside(path)).toEqual([lockOf(path)]);
  });

  it('refuses a journal that has a second name, which another bot could lock, and names it', () => {
    const path = scratchPath();
    journalOf({ path }).close();
    linkSync(path, `${path}.other`);
    const before = beside(path);
    const told = `Cannot open the journal ${path}: it is one file under 2 names (hard links), one name`;
    expect(() => takeLock(path)).toThrow(told);
    expect(() => takeLock(`${path}.other`)).toThrow('2 names');
    expect(beside(path)).toEqual(before);
    rmSync(`${path}.other`);
    takeLock(path).release();
  });

  it('tells what hinders it where nobody has it', () => {
    const path = scratchPath();
    mkdirSync(`${path}.lock`);
    expect(() => takeLock(path)).toThrow(
      `Cannot lock the journal ${path}: ${path}.lock is a folder, a file is wanted`,
    );
  });

  it.runIf(process.platform === 'linux')(
    'refuses a journal whose lock somebody deleted under its holder, and leaves all as it is',
    async () => {
      const path = scratchPath();
      const holder = spawn('sleep', ['60'], { stdio: 'ignore' });
      onTestFinished(() => void holder.kill('SIGKILL'));
      await once(holder, 'spawn');
      const stat = readFileSync(`/proc/${holder.pid}/stat`, 'utf8').split(' ');
      const owner = `${holder.pid} ${stat[21]}`;
      writeFileSync(`${path}.owner`, owner);
      expect(() => takeLock(path)).toThrow(`process ${holder.pid} uses it`);
      expect(beside(path)).toEqual([`${basename(path)}.owner`]);
      expect(readFileSync(`${path}.owner`, 'utf8')).toBe(owner);
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      takeLock(path).release();
    },
  );

  it('takes a file that a dead process left', () => {
    const path = scratchPath();
    machineDisk.open(`${path}.lock`, { waitMs: 0 }).close();
    expect(beside(path)).toEqual([lockOf(path)]);
    takeLock(path).release();
    expect(beside(path)).toEqual([lockOf(path)]);
  });
});

describe('takeLock, beside files of another user,', () => {
  it.each([
    ['.lock', 0o444],
    ['.lock', 0],
    ['.owner', 0o444],
    ['', 0],
  ])('refuses where the file %j has the mode %i, and names it', (of, mode) => {
    const path = scratchPath();
    const file = `${path}${of}`;
    writeFileSync(file, of === '' ? 'what is in it cannot be read' : '');
    chmodSync(file, mode);
    chmodSync(dirname(path), 0o777);
    const stdout =
      `Cannot lock the journal ${path}: you may not use ${file}, ` +
      'permission to read and write it is wanted';
    expect(byNobody(SCRIPT, path)).toEqual({ stdout, stderr: '' });
  });
});

/** The id of a zombie: its parent never reaps it, so that the system lists it while that lives. */
async function unreaped(): Promise<string> {
  const script = 'sleep 60 & echo $!; exec sleep 60';
  const { stdout, pid } = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void process.kill(pid!, 'SIGKILL'));
  const [text] = await once(stdout, 'data');
  // Wait until `sleep` has replaced the shell, which would reap it.
  await vi.waitUntil(() => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n');
  process.kill(Number(text), 'SIGKILL');
  return String(text).trim();
}

describe('writerOf', () => {
  it.runIf(process.platform === 'linux')(
    'names none that was killed under a parent that did not hear of it',
    async () => {
      const path = scratchPath();
      const id = await unreaped();
      const stat = () => readFileSync(`/proc/${id}/stat`, 'utf8').split(' ');
      await vi.waitUntil(() => stat()[2] === 'Z');
      writeFileSync(`${path}.owner`, `${id} ${stat()[21]}`);
      expect(writerOf(path)).toBeUndefined();
    },
  );

  it('names the process while it holds the lock, and none that is dead, and leaves nothing', () => {
    const path = scratchPath();
    expect(writerOf(path)).toBeUndefined();
    expect(beside(path)).toEqual([]);
    const lock = takeLock(path);
    expect(writerOf(path)).toBe(process.pid);
    lock.release();
    expect(writerOf(path)).toBeUndefined();
    // No process has so high a number. Source: Linux, proc(5), pid_max.
    for (const owner of [String(2 ** 22 + 1), '', 'nobody']) {
      writeFileSync(`${path}.owner`, owner);
      expect(writerOf(path)).toBeUndefined();
    }
  });

  it.runIf(process.platform === 'linux')(
    'names none whose number another process has by now',
    () => {
      const path = scratchPath();
      const lock = takeLock(path);
      const owner = readFileSync(`${path}.owner`, 'utf8');
      lock.release();
      expect(owner).toMatch(/^\d+ \d+$/);
      writeFileSync(`${path}.owner`, owner);
      expect(writerOf(path)).toBe(process.pid);
      writeFileSync(`${path}.owner`, owner.replace(/\d+$/, '1'));
      expect(writerOf(path)).toBeUndefined();
    },
  );
});
