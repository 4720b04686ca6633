import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataFolder, ID } from './dataset-fixture.ts';

const BIN = join(import.meta.dirname, '../../../bin/tradewind.js');
/** A command where no byte can be written to any file. */
function onFullDisk(words: readonly string[]) {
  const command = `ulimit -f 0; exec '${process.execPath}' '${BIN}' data "$@"`;
  const args = ['-c', command, 'data', ...words];
  const { status, stdout, stderr } = spawnSync('bash', args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

it.each([
  ['resample', (root: string) => [ID, '2min', '--data', root]],
  ['export', (root: string) => [ID, join(root, 'out.csv'), '--data', root]],
] as const)(
  'data %s on a full disk names what and where, and leaves nothing',
  async (command, words) => {
    const root = await dataFolder();
    const { status, stderr } = onFullDisk([command, ...words(root)]);
    const where = { resample: `in ${root}`, export: `to ${join(root, 'out.csv')}` }[command];
    expect(stderr).toBe(
      `tradewind: Cannot ${command} ${ID} ${where}: a file would be larger than it may be here, ` +
        'a higher limit (`ulimit -f`) is wanted; the dataset is as it was\n',
    );
    expect(status).toBe(8);
    expect(readdirSync(root).sort()).toEqual(['.locks', ID]);
  },
);

it.skipIf(process.platform === 'win32')(
  'a command whose output is cut off by a full disk says so and fails',
  async () => {
    const root = await dataFolder();
    const file = join(root, 'out.txt');
    const printTo = (blocks: number) => {
      const command = `ulimit -f ${blocks}; exec '${process.execPath}' '${BIN}' data check "$@" > '${file}'`;
      const words = ['--data', root, ...new Array<string>(9).fill(ID), '--json'];
      const args = ['-c', command, 'data', ...words];
      return spawnSync('bash', args, { encoding: 'utf8' });
    };
    const { status, stderr } = printTo(1);
    expect(stderr).toMatch(/^tradewind: Cannot write to standard output: EFBIG.* is wanted\n$/);
    expect(status).toBe(1);
    expect(statSync(file).size).toBe(1_024);
    expect(printTo(1_000)).toMatchObject({ status: 0, stderr: '' });
    expect(statSync(file).size).toBeGreaterThan(1_024);
  },
);

it('data check and data remove need no room on a disk', async () => {
  const root = await dataFolder();
  const checked = onFullDisk(['check', '--data', root]);
  expect(checked).toMatchObject({ status: 0, stderr: '' });
  const removed = onFullDisk(['remove', ID, '--yes', '--data', root]);
  expect(removed).toEqual({ status: 0, stdout: `${ID}: removed\n`, stderr: '' });
  expect(readdirSync(root)).toEqual(['.locks']);
});
