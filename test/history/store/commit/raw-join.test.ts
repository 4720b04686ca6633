import { describe, expect, it } from 'vitest';
import { DEPTH_EVENTS, importFiles } from '../../../../src/history/index.ts';
import type { OverlapRule } from '../../../../src/history/store/commit/commit.ts';
import { Store } from '../fixture.ts';
import { EVENT, plainFactsOf, RawMarket, recordingsOf } from '../raw-market.ts';

/** The lines of a market, of which one has a stamp that is earlier than those before it. */
function linesWith(early: number): string[] {
  const market = new RawMarket();
  const steps = [...'tdsdtddtdtddtdtddtddtddt'];
  const lines = steps.map((step) => recordingsOf(market, step)[0]!);
  return lines.with(
    early,
    lines[early]!.replaceAll(/"([ET])":(\d+)/g, (_, name, time) => `"${name}":${time - 150}`),
  );
}

/** Three recordings of these lines: the second begins at line 9 or 10, the third at line 18. */
function recordings(lines: readonly string[], begins: number) {
  const store = new Store();
  const parts = [lines.slice(0, begins), lines.slice(begins, 18), lines.slice(18)];
  const files = parts.map((part, at) => store.file(`raw-${at}`, part.join('\n')));
  const add = async (numbers: readonly number[], overlap?: OverlapRule) => {
    const chosen = numbers.map((at) => files[at]!);
    await importFiles({ root: store.root, files: chosen, overlap });
  };
  return { store, files, add };
}

async function wholeOf(lines: readonly string[]) {
  const store = new Store();
  await store.import(store.file('whole', lines.join('\n')));
  return plainFactsOf(store);
}

describe('joinOf, of raw recordings whose stamps fall behind those before them,', () => {
  it.each([
    ['a trade that a recording begins with', 9, 9],
    ['a change soon behind', 11, 10],
    ['a change that the next one begins with', 18, 10],
  ])(
    'goes by the order of their coming: %s',
    async (_, early, begins) => {
      const lines = linesWith(early);
      const whole = await wholeOf(lines);
      const { store, add } = recordings(lines, begins);
      await add([0]);
      await add([1]);
      await add([2], 'append');
      expect(await plainFactsOf(store)).toEqual(whole);
      await add([1], 'replace');
      expect(await plainFactsOf(store)).toEqual(whole);
    },
    30_000,
  );

  it('does so of several at once, and of one that was missing', async () => {
    const lines = linesWith(10);
    const whole = await wholeOf(lines);
    const [once, holed] = [recordings(lines, 10), recordings(lines, 10)];
    await once.add([0, 1, 2]);
    expect(await plainFactsOf(once.store)).toEqual(whole);
    await holed.add([0]);
    await holed.add([2]);
    await holed.add([1, 2], 'replace');
    expect(await plainFactsOf(holed.store)).toEqual(whole);
  });

  it.each(['refuse', 'append'] as const)('does so of one that came before: %s', async (overlap) => {
    const lines = linesWith(9);
    const whole = await wholeOf(lines);
    const { store, add } = recordings(lines, 9);
    await add([1, 2]);
    await add([0], overlap);
    await add([1, 2], 'replace');
    expect(await plainFactsOf(store)).toEqual(whole);
  });

  it('goes by their stamps where another recorder has another clock', async () => {
    const lines = linesWith(12);
    const { store, files } = recordings(lines, 10);
    const ahead = lines.slice(7).map((line) => {
      const space = line.indexOf(' ');
      return `${BigInt(line.slice(0, space)) + 5_000_000_000n}${line.slice(space)}`;
    });
    const other = store.file('other', ahead.join('\n'));
    await store.import(files[0]!);
    await expect(store.import(other)).rejects.toThrow('it has ');
    await expect(new Store().import([files[0]!, other])).rejects.toThrow('within raw-0');
    await store.import(other, { overlap: 'replace' });
    const { rows } = await plainFactsOf(store);
    const trades = rows.filter((row) => row[EVENT] === DEPTH_EVENTS.trade).map(([time]) => time);
    expect(new Set(trades).size).toBe(trades.length);
    expect(trades).toHaveLength(9);
  });
});
