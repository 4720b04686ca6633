import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { didYouMean, didYouMeanPath, nearest } from '../../../src/app/config/suggest.ts';
import { scratchFolder } from '../fixture.ts';

describe('nearest', () => {
  it.each([
    ['strategys', 'strategies'],
    ['spred', 'spread'],
    ['orderValeuMax', 'orderValueMax'],
    ['qqqq', undefined],
  ])('%s means %s', (typed, meant) => {
    const known = ['strategies', 'spread', 'orderValueMax', 'openValueMax'];
    expect(nearest(typed, known)).toBe(meant);
  });

  it.each([
    ['vol', 'volume'],
    ['bid', undefined],
    ['lo', 'low'],
  ])('%s is the beginning of %s, where one alone begins so', (typed, meant) => {
    expect(nearest(typed, ['low', 'volume', 'bidAmounts', 'bidPrices'])).toBe(meant);
  });

  it.each([
    ['btc_usd', 'btc_usdt'],
    ['bct_usdt', 'btc_usdt'],
    ['btcusdt', 'btc_usdt'],
    ['eth_usdt', undefined],
    ['btc_eth', undefined],
    ['usd', 'usdt'],
    ['eth', undefined],
  ])('%s means %s, and no market or currency of other coins', (typed, meant) => {
    expect(nearest(typed, ['btc_usdt', 'btc', 'usdt'])).toBe(meant);
  });

  it('means nothing where nothing is known', () => {
    expect(nearest('a', [])).toBeUndefined();
  });
});

describe('didYouMean', () => {
  it('asks, or is silent', () => {
    expect(didYouMean('btc_usd', ['btc_usdt'])).toBe(', did you mean "btc_usdt"?');
    expect(didYouMean('xyz', ['btc_usdt'])).toBe('');
  });
});

it('didYouMeanPath names the nearest file in the folder, and no part of a journal', () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'one'));
  const beside = ['-wal', '-shm', '.lock', '.owner', '.departures'];
  for (const end of beside) writeFileSync(join(folder, `${end}.journal${end}`), '');
  writeFileSync(join(folder, 'bot.yaml'), '');
  expect(didYouMeanPath(join(folder, 'bto.yaml'))).toBe(
    `, did you mean "${join(folder, 'bot.yaml')}"?`,
  );
  const withFolders = `, did you mean "${join(folder, 'one')}"?`;
  expect(didYouMeanPath(join(folder, 'ones'), { withFolders: true })).toBe(withFolders);
  expect(didYouMeanPath(join(folder, 'ones'))).toBe('');
  for (const end of beside) expect(didYouMeanPath(join(folder, `${end}.journal`))).toBe('');
  expect(didYouMeanPath(join(folder, 'none', 'bot.yaml'))).toBe('');
});
