import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../app/fixture.ts';
import { candles } from '../../history/store/fixture.ts';
import { dataFolder, ID } from './dataset-fixture.ts';
import { line } from './fixture.ts';

describe('the folder of data commands', () => {
  it.each([
    ...['data list', 'data check', 'data import a.csv', 'data remove a'],
    ...['data download btc_usdt', 'data record btc_usdt'],
  ])('has a name, which a variable that is not set is none of: %s', async (command) => {
    const { code, stderr } = await line(`${command} --data=`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('a folder is wanted')]);
  });
});

describe('the folder of data list and data check', () => {
  it.each(['data list', 'data check', 'data list --json'])(
    'must be there where it is named: %s',
    async (command) => {
      const there = scratchFolder();
      expect((await line(`${command} --data ${there}`)).code).toBe(0);
      const { code, stdout, stderr } = await line(`${command} --data ${there}/typo`);
      expect([code, stdout]).toEqual([8, '']);
      expect(stderr).toContain(
        `Cannot read the folder of datasets: there is no ${there}/typo, an existing folder is wanted`,
      );
    },
  );

  it('need not be there where it is the default', async () => {
    expect((await line('data list')).code).toBe(0);
  });
});

describe('tradewind data list', () => {
  it('says what brings datasets where there are none', async () => {
    const root = scratchFolder();
    expect((await line(`data list --data ${root}`)).stdout).toBe(
      `no datasets in ${root}: \`data import\` or \`data download\` brings some\n`,
    );
  });

  it('tells with --json how many equal rows an import left out', async () => {
    const rows = [...candles(0, 10), ...candles(7, 10)];
    const root = await dataFolder(rows, { dropDuplicates: true });
    const { code, stdout } = await line(`data list --json --data ${root}`);
    expect({ code, json: JSON.parse(stdout) }).toMatchObject({
      ...{ code: 0, json: [{ dataset: 'local.btc_usdt.1min', rows: 10, leftOut: 3 }] },
    });
  });

  it('counts recorded gaps by that name, and no others', async () => {
    const root = await dataFolder([...candles(0, 10), ...candles(15, 20)]);
    const { stdout } = await line(`data list --data ${root}`);
    expect(stdout).toMatch(/^dataset .* recorded gaps\n\S+ +candles +15 +\S+Z +\S+Z\n$/);
    const listed = JSON.parse((await line(`data list --json --data ${root}`)).stdout);
    expect(listed).toMatchObject([{ recordedGaps: [] }]);
    expect(listed[0]).not.toHaveProperty('gaps');
  });

  it('tells of a dataset that is damaged behind all others, and ends with code 8', async () => {
    const root = await dataFolder();
    cpSync(join(root, ID), join(root, 'bad.btc_usdt.1min'), { recursive: true });
    writeFileSync(join(root, 'bad.btc_usdt.1min', 'manifest.json'), '{');
    const { code, stdout } = await line(`data list --data ${root}`);
    expect(code).toBe(8);
    expect(stdout).toMatch(
      /local\.btc_usdt\.1min +candles +10 (?:.|\n)*bad\.btc_usdt\.1min.*manifest/,
    );
    const listed = await line(`data list --json --data ${root}`);
    expect(listed.code).toBe(8);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { dataset: 'local.btc_usdt.1min' },
      { dataset: 'bad.btc_usdt.1min', damaged: expect.stringContaining('manifest') },
    ]);
  });
});
