import { expect, it } from 'vitest';
import { type RunBasis, readFrom } from '../../src/storage/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import { changed, journalOf, scratchPath } from './fixture.ts';

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
  const basisOf = (run?: number) => readFrom(path, (reader) => reader.basis(run));
  expect([basisOf(1), basisOf()]).toEqual([BASIS, undefined]);
});

it('a journal made before runs told what they stand on is read, and gets it when it is written', () => {
  const path = scratchPath();
  journalOf({ path }).close();
  changed(path, 'ALTER TABLE runs DROP COLUMN basis');
  readFrom(path, (before) => {
    expect(before.basis()).toBeUndefined();
    expect(before.runs()).toMatchObject([{ id: 1, isPruned: false }]);
  });
  journalOf({ path, basis: BASIS }).close();
  expect(readFrom(path, (after) => after.basis(2))).toEqual(BASIS);
});

it('a run whose basis has fields of wrong types is told with its journal', () => {
  const path = scratchPath();
  journalOf({
    path,
    basis: { ...BASIS, markets: [{ ...makeMarket(), priceScale: '2' }] as never },
  });
  const damage =
    'what a run stood on is damaged at markets.0.priceScale, a whole journal is wanted';
  expect(() => readFrom(path, (reader) => reader.basis())).toThrow(
    `Cannot read the journal ${path}: ${damage}`,
  );
});
