import { describe, expect, it } from 'vitest';
import { manifestFile, readManifest, writeManifest } from '../../../src/history/store/manifest.ts';
import { candles, datasetOf, json } from './fixture.ts';

async function manifestFixture() {
  return datasetOf('btc_usdt.json', json(candles(0, 2)));
}

describe('readManifest', () => {
  it.each([
    ['source', '../../elsewhere'],
    ['market', '/elsewhere/btc_usdt'],
    ['id', '../local.btc_usdt.1min'],
    ['resolution', '..\\1min'],
  ])('refuses a %s that leads out of the folder of datasets', async (key, value) => {
    const { folder, ...manifest } = await manifestFixture();
    writeManifest(folder, { ...manifest, key: manifest, ...{ [key]: value } });
    expect(() => readManifest(folder)).toThrow(`Cannot read ${manifestFile(folder)}: it is no`);
  });

  it.each([
    { file: '../other.parquet' },
    { file: '/elsewhere/other.parquet' },
    { file: '..' },
    { period: '../2024' },
  ])('refuses a part that leads out of its dataset: %j', async (wrong) => {
    const { folder, ...manifest } = await manifestFixture();
    const parts = manifest.parts.map((part) => ({ ...part, ...wrong }));
    writeManifest(folder, { ...manifest, key: manifest, parts });
    expect(() => readManifest(folder)).toThrow('it is no manifest');
  });
});
