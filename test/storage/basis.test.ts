import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { JournalReader, type RunBasis } from '../../src/storage/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import { journalOf, scratchPath } from './fixture.ts';

const BASIS: RunBasis = {
  seed: 'seed',
  file: '/somewhere/bot.yaml',
  config: { name: 'bot' },
  markets: [makeMarket()],
};

it('JournalReader.basis tells what each run stood on, where it told', () => {
  const path = scratchPath();
  journalOf({ path, basis: BASIS }).close();
  journalOf({ path }).close();
  const reader = new JournalReader(path);
  expect(reader.basis(1)).toEqual(BASIS);
  expect(reader.basis()).toBeUndefined();
  reader.close();
});

it('a journal made before runs told what they stand on is read, and gets it when it is written', () => {
  const path = scratchPath();
  journalOf({ path }).close();
  const file = new DatabaseSync(path);
  file.exec('ALTER TABLE runs DROP COLUMN basis');
  file.close();
  const before = new JournalReader(path);
  expect(before.basis()).toBeUndefined();
  expect(before.runs()).toMatchObject([{ id: 1, isPruned: false }]);
  before.close();
  journalOf({ path, basis: BASIS }).close();
  const after = new JournalReader(path);
  expect(after.basis(2)).toEqual(BASIS);
  after.close();
});

it('a run whose basis has fields of wrong types is told with its journal', () => {
  const path = scratchPath();
  journalOf({
    path,
    basis: { ...BASIS, markets: [{ ...makeMarket(), priceScale: '2' }] as never },
  });
  const reader = new JournalReader(path);
  const damage =
    'what a run stood on is damaged at markets.0.priceScale, a whole journal is wanted';
  expect(() => reader.basis()).toThrow(`Cannot read the journal ${path}: ${damage}`);
  reader.close();
});
