import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { byNobody } from '../../nobody.ts';
import { candles, json, Store } from './fixture.ts';

const INDEX = new URL('../../../src/history/index.ts', import.meta.url).href;

it('datasetNames names one whose folder is closed, and its reading says so', async () => {
  const store = new Store();
  const { id, folder } = await store.import(store.file('btc_usdt.json', json(candles(0, 2))));
  chmodSync(store.root, 0o755);
  chmodSync(folder, 0);
  const { stdout } = byNobody(
    `import { datasetNames, requireDataset } from ${JSON.stringify(INDEX)};
    const [name] = datasetNames(process.argv[1]);
    console.log(name);
    try {
      requireDataset(process.argv[1], name);
    } catch ({ message }) {
      console.log(message);
    }`,
    store.root,
  );
  chmodSync(folder, 0o755);
  expect(stdout).toMatch(/^(\S+)\nCannot read \S+manifest.json: you may not use .* is wanted\n$/);
  expect(stdout.split('\n')[0]).toBe(id);
});

it('datasetNames leaves out a closed folder that has no name of a dataset', () => {
  const store = new Store();
  chmodSync(store.root, 0o755);
  // The root of a disk has such a folder, for its system only.
  const lost = join(store.root, 'lost+found');
  mkdirSync(lost, { mode: 0 });
  const { stdout } = byNobody(
    `import { datasetNames } from ${JSON.stringify(INDEX)};
    console.log(datasetNames(process.argv[1]).length);`,
    store.root,
  );
  chmodSync(lost, 0o755);
  expect(stdout).toBe('0\n');
});
