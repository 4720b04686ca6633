import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEPTH_EVENTS,
  exportDataset,
  type Gap,
  importFiles,
  isFault,
} from '../../../../src/history/index.ts';
import { HOUR_MS } from '../../../../src/kernel/index.ts';
import { run } from '../../../cli/command.ts';
import { dataFile } from '../../../recordings.ts';
import { rowsOf, Store } from '../fixture.ts';
import {
  bestOf,
  EVENT,
  factsOf,
  filesOf,
  hashOf,
  ID,
  plainFactsOf,
  RawMarket,
  recorded,
  recordingsOf,
  TIME,
} from '../raw-market.ts';

const { snapshot, trade, gap: GAP } = DEPTH_EVENTS;

/** Spans from each change that was missed to the next that was recorded. */
function missedSpans(market: RawMarket, plan: string): { time: number; next: number }[] {
  const times = [...market.bestAt.keys()];
  const steps = [...plan].filter((step) => step === 'd' || step === 'm');
  return steps.flatMap((step, at) => {
    const next = times[steps.indexOf('d', at)];
    return step === 'd' || next === undefined ? [] : [{ time: times[at]!, next }];
  });
}

const planOf = (...steps: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...steps), { maxLength: 20 }).map((chosen) => `dsdt${chosen.join('')}t`);

/** Each imports a handful of files: as many runs as take some seconds. */
const RUNS = 10;

describe('importFiles, of raw recordings one after the other,', () => {
  it.each([false, true])(
    'gives what all at once give (futures: %s)',
    async (isFutures) => {
      const plans = planOf(...'ddddddttmsah', '|t', '|t', '|st', '|dt');
      const property = fc.asyncProperty(plans, fc.nat(), async (plan, seed) => {
        const market = new RawMarket({ seed, isFutures });
        const recordings = recordingsOf(market, plan);
        const [once, each] = [new Store(), new Store()];
        const options = { source: 'binance', mix: true };
        const dataset = await once.import(filesOf(once, recordings).reverse(), options);
        for (const file of filesOf(each, recordings)) await each.import(file, options);
        expect(await factsOf(each)).toEqual(await factsOf(once));
        for (const [time, best] of await bestOf(dataset)) {
          expect({ time, best }).toEqual({ time, best: market.bestAt.get(time) });
        }
      });
      // A book at the very time of the last row, and a gap of the day before as the last one.
      const examples: [string, number][] = [
        ['dsdt|atdt', 1],
        ['dsdtm|htd|tt', 1],
      ];
      await fc.assert(property, { seed: 5, numRuns: RUNS, examples });
    },
    60_000,
  );

  it('tells of all that is missing and of nothing else', async () => {
    const plans = planOf(...'dddddttmh', 'sd', 'ad', '|t', '|t', '|std', '|dt');
    const property = fc.asyncProperty(plans, fc.nat(), async (plan, seed) => {
      const market = new RawMarket({ seed });
      const store = new Store();
      for (const file of filesOf(store, recordingsOf(market, plan))) await store.import(file);
      const { gaps, findings } = await factsOf(store);
      const missed = missedSpans(market, plan);
      // A snapshot without a stamp is taken to be of the time of the message before it.
      const isTold = (gap: Gap, { time, next }: { time: number; next: number }): boolean =>
        gap.from < next && time <= gap.to + 1_000;
      for (const span of missed) expect(gaps.some((gap) => isTold(gap, span))).toBe(true);
      for (const gap of gaps) expect(missed.some((span) => isTold(gap, span))).toBe(true);
      expect(findings.map(({ fault, count }) => [fault, count])).toEqual(
        gaps.length === 0 ? [] : [['gap', gaps.length]],
      );
    });
    await fc.assert(property, { seed: 7, numRuns: RUNS });
  }, 60_000);

  it('may take any of them once more', async () => {
    // A book at the very time of the last row of a file would go with that.
    const plans = planOf(...'dddddtth', 'sd', 'ad', '|t', '|t', '|dt');
    const property = fc.asyncProperty(plans, fc.nat(), fc.nat(), async (plan, seed, chosen) => {
      const store = new Store();
      const files = filesOf(store, recordingsOf(new RawMarket({ seed }), plan));
      await store.import(files);
      const before = await plainFactsOf(store);
      const file = files[chosen % files.length]!;
      const [result] = await importFiles({ root: store.root, files: [file], overlap: 'replace' });
      expect(result!.warnings).toEqual([]);
      expect(await plainFactsOf(store)).toEqual(before);
    });
    await fc.assert(property, { seed: 6, numRuns: RUNS });
  }, 60_000);
});

describe('importFiles, of a raw recording without a book to go on from,', () => {
  it('tells from its first change on that the book is not known, and of what it left out', async () => {
    const { store, add, changes } = recorded('tdtddt');
    const [first] = changes();
    const warnings = await add(0);
    const { rows, gaps, findings } = await factsOf(store);
    expect(rows.map((row) => row[EVENT])).toEqual([trade, GAP, trade, trade]);
    expect(rows[1]![TIME]).toBe(first);
    expect(gaps).toMatchObject([{ from: first, leftOut: expect.any(Number) }]);
    const left = `${gaps[0]!.leftOut} changes are left out`;
    const why = 'depth changes have no snapshot to start from';
    expect(findings).toMatchObject([
      { fault: 'late book', count: 1 },
      { fault: 'gap', count: 1, places: [{ time: first, detail: expect.stringContaining(left) }] },
    ]);
    expect(warnings).toEqual([expect.stringContaining(`, ${left}: ${why}; import what was`)]);
    expect(warnings[0]).toContain(`${ID} is unknown from ${new Date(first!).toISOString()} to `);
  });

  it('joins it when what came before is there', async () => {
    // The gap between them is of another day than what closes it.
    const plan = 'tdsddt|htddt|tdt';
    const [{ store, add }, once] = [recorded(plan), recorded(plan)];
    await once.add([0, 1, 2]);
    await add([1, 2]);
    const [warning, more] = await add(0);
    expect(warning).toContain('what comes behind does not go on with the book; import that again');
    expect(more).toBeUndefined();
    expect(store.dataset(ID).gaps).toHaveLength(2);
    expect(await add([1, 2], { overlap: 'replace' })).toEqual([]);
    expect(await plainFactsOf(store)).toEqual(await plainFactsOf(once.store));
  });

  it('tells of a day that is missing from the end of the one before', async () => {
    for (const plan of ['tdsddt|mmht|tdddsdt', 'tdsddt|mmht|sdddt', 'tdsddt|mmht|tadddt']) {
      const { store, add, files } = recorded(plan);
      await add(0);
      const { lastTime } = store.dataset(ID);
      const [warning] = await add(2);
      const [gap, ...others] = store.dataset(ID).gaps;
      expect({ plan, from: gap!.from, others }).toEqual({ plan, from: lastTime, others: [] });
      expect(gap!.to - gap!.from).toBeGreaterThan(HOUR_MS);
      expect(warning).toMatch(/is unknown from .*: depth updates \d+ to \d+ are missing$/);
      const rows = await rowsOf(store.dataset(ID));
      expect(rows.findIndex((row) => row[EVENT] === GAP)).toBe(store.dataset(ID).sources[0]!.rows);
      // What is missing cannot be added in between, only in place of what came after it.
      expect(await add([1, 2], { overlap: 'replace' })).not.toEqual([]);
      expect(files).toHaveLength(3);
    }
  });

  it('tells that nothing of it can be kept', async () => {
    const { store, add } = recorded('tdt|dd');
    await add(0);
    await expect(add(1)).rejects.toThrow(
      'Cannot import raw-1: no row of it can be kept: its changes of depth follow no whole book',
    );
    expect(store.dataset(ID).revision).toBe(1);
  });

  it('keeps the order of its lines, whatever their stamps say', async () => {
    const store = new Store();
    const [late, ...others] = recordingsOf(new RawMarket(), 'm|s|d|t').reverse();
    await store.import(store.file('raw', [late, ...others.reverse()].join('\n').trim()));
    const events = (await rowsOf(store.dataset(ID))).map((row) => row[EVENT]!);
    expect(events.filter((event, at) => event !== events[at - 1])).toEqual([
      ...[trade, snapshot, DEPTH_EVENTS.change],
    ]);
  });

  it('tells the first of many gaps one by one', async () => {
    const { add } = recorded(`tdsd${'mdsd'.repeat(8)}t`);
    const warnings = await add(0);
    expect(warnings).toHaveLength(6);
    expect(warnings[5]).toMatch(/is unknown in 3 more places, \d+ changes are left out$/);
  });
});

describe('importFiles, of a raw recording beside rows of other files,', () => {
  it('tells where what comes behind goes on with another book', async () => {
    const plan = 'tdsddt|tdsddt|tddt';
    const { store, add } = recorded(plan);
    await add([0, 1, 2]);
    const other = recordingsOf(new RawMarket({ seed: 2 }), plan)[1]!;
    const files = [store.file('other', other)];
    const [result] = await importFiles({ root: store.root, files, overlap: 'replace' });
    expect(result!.warnings.at(-1)).toContain('what comes behind does not go on with the book');
    const { rows, gaps } = await factsOf(store);
    const places = rows.flatMap((row, at) => (row[EVENT] === GAP ? [at] : []));
    expect(places).toHaveLength(2);
    expect(gaps.at(-1)).toMatchObject({ from: rows[places[1]!]![TIME], to: rows.at(-1)![TIME] });
  });

  it('tells a gap, for nobody knows whether their book goes on', async () => {
    const { store, add, files } = recorded('tdsddt|tdddt|tdsdt');
    await add(0);
    const part = join(store.root, '.files', 'part.parquet');
    await exportDataset(store.dataset(ID), { file: part });
    const other = new Store();
    await other.import(part, { source: 'binance', market: 'btc_usdt' });
    const { rows, lastTime } = other.dataset(ID);
    for (const file of files.slice(1)) await other.import(file, { mix: true });
    const { gaps } = other.dataset(ID);
    const reason = 'nothing tells which update the book before is of';
    expect(gaps).toMatchObject([{ from: lastTime, reason }]);
    const events = (await rowsOf(other.dataset(ID))).map((row) => row[EVENT]);
    expect(events.indexOf(GAP)).toBe(rows);
    expect(events.slice(rows + 1).find((event) => event !== trade)).toBe(snapshot);
  });
});

describe('importFiles, of a raw recording that overlaps what is there,', () => {
  /** A recording, and another recorder's that begins or ends within it. */
  function overlapping() {
    const market = new RawMarket();
    const lines = 'tdsdtddttddtddtddt'.split('').map((step) => recordingsOf(market, step)[0]!);
    const store = new Store();
    const file = (name: string, from: number, to?: number): string =>
      store.file(name, lines.slice(from, to).join('\n'));
    return { store, file, market };
  }

  it('adds what lies behind, and the book goes on', async () => {
    const { store, file } = overlapping();
    await store.import(file('whole', 0));
    const whole = await plainFactsOf(store);
    const [again, parted] = [overlapping(), overlapping()];
    await parted.store.import(parted.file('first', 0, 11));
    await expect(parted.store.import(parted.file('second', 6))).rejects.toThrow('--append');
    await parted.store.import(parted.file('second', 6), { overlap: 'append' });
    expect(await plainFactsOf(parted.store)).toEqual(whole);
    await again.store.import(again.file('first', 0, 11));
    const inner = importFiles({
      ...{ root: again.store.root, overlap: 'append' },
      files: [again.file('inner', 3, 9)],
    });
    await expect(inner).rejects.toThrow('inner: no row of it can be kept: the dataset has their');
  });

  it('adds what lies before, with a gap up to the next book', async () => {
    const { store, file, market } = overlapping();
    await store.import(file('second', 9));
    const { firstTime } = store.dataset(ID);
    const files = [file('first', 0, 12)];
    const [result] = await importFiles({ root: store.root, files, overlap: 'append' });
    expect(result!.warnings).toEqual([expect.stringContaining('does not go on with the book')]);
    const times = (await rowsOf(store.dataset(ID))).map((row) => row[TIME]!);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(store.dataset(ID).gaps[0]).toMatchObject({ to: store.dataset(ID).lastTime });
    expect(store.dataset(ID).gaps[0]!.from).toBeLessThan(firstTime);
    for (const [time, best] of await bestOf(store.dataset(ID))) {
      expect(best).toEqual(market.bestAt.get(time));
    }
  });

  it('refuses to add on both sides of what is there', async () => {
    const { store, file } = overlapping();
    await store.import(file('middle', 6, 12));
    const all = file('all', 0);
    const both = importFiles({ root: store.root, files: [all], overlap: 'append' });
    await expect(both).rejects.toThrow(/all:13: it goes on behind .*; --replace is wanted/);
    await store.import(all, { overlap: 'replace' });
    expect((await store.check(ID)).findings.filter(isFault)).toEqual([]);
  });
});

describe('importFiles, of a raw recording in a hole of what is there,', () => {
  it('wants it to take the place of others, and what is behind it once more', async () => {
    const [before, within, behind] = recordingsOf(new RawMarket(), 'dsdtddt|dtdt|dtddt');
    const [once, each] = [new Store(), new Store()];
    await once.import(filesOf(once, [before!, within!, behind!]));
    const [first, middle, last] = filesOf(each, [before!, within!, behind!]);
    await each.import(first!);
    await each.import(last!);
    await expect(each.import(middle!)).rejects.toThrow(/ already; --replace \(take .* is wanted$/);
    await each.import(middle!, { overlap: 'replace' });
    await each.import(last!, { overlap: 'replace' });
    expect(await plainFactsOf(each)).toEqual(await plainFactsOf(once));
  });
});

describe('tradewind data import', () => {
  it('warns of what it left out, and ends well', async () => {
    const { store, files } = recorded('tdtdt');
    const data = ['--data', store.root];
    const { code, stdout } = await run(['data', 'import', files[0]!, ...data]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^warning: the book of binance.btc_usdt.depth is unknown from /m);
    const json = await run(['data', 'import', files[0]!, ...data, '--replace', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject([{ warnings: [expect.any(String)] }]);
    expect((await run(['data', 'list', ...data])).stdout).toMatch(/UTC|Z +1$/m);
    const listed = await run(['data', 'list', '--json', ...data]);
    const told = Number(/(\d+) changes? (?:is|are) left out/.exec(stdout)?.[1]);
    expect(told).toBeGreaterThan(0);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { leftOut: 0, recordedGaps: [{ leftOut: told }] },
    ]);
  }, 30_000);
});

describe.skipIf(dataFile('README.md') === undefined)('the real recordings of two days', () => {
  const days = ['08', '09'].map((day) => `books/binance-spot/btcusdt_202408${day}.gz`);

  it('are the same dataset one after the other as at once', async () => {
    const [once, each] = [new Store(), new Store()];
    const files = days.map((path) => dataFile(path)!);
    await once.import(files);
    for (const file of files) await each.import(file);
    expect(each.dataset(ID).rows).toBe(319_998);
    expect(await hashOf(each.dataset(ID))).toBe(await hashOf(once.dataset(ID)));
    expect((await each.check(ID)).findings.filter(isFault)).toEqual([]);
  }, 60_000);

  it('are so too where the later one came first and is told to be imported again', async () => {
    const [once, other] = [new Store(), new Store()];
    const [earlier, later] = days.map((path) => dataFile(path)!);
    await once.import([earlier!, later!]);
    await other.import(later!);
    expect(other.dataset(ID).gaps).toMatchObject([{ leftOut: 174_021 }]);
    expect(new Date(other.dataset(ID).gaps[0]!.from).toISOString()).toBe(
      '2024-08-09T00:00:01.273Z',
    );
    await other.import(earlier!);
    await other.import(later!, { overlap: 'replace' });
    expect(await hashOf(other.dataset(ID))).toBe(await hashOf(once.dataset(ID)));
    expect((await other.check(ID)).findings.filter(isFault)).toEqual([]);
  }, 60_000);
});
