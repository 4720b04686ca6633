import { globSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { dataFile, dataOr } from './recordings.ts';

it('dataFile gives no recording where the tests are to run without', () => {
  vi.stubEnv('TRADEWIND_NO_RECORDINGS', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(dataFile('README.md')).toBe(undefined);
  expect(dataOr('oracles/position.json', 'a stand-in')).toBe('a stand-in');
});

it('no other file of the tests looks for recordings beside the repository', () => {
  const files = globSync('test/**/*.ts').filter((file) => !file.startsWith('test/recordings.'));
  expect(files.length).toBeGreaterThan(100);
  const lookers = files.filter((file) => readFileSync(file, 'utf8').includes('shared/data'));
  expect(lookers).toEqual([]);
});
