import { describe, expect, it } from 'vitest';
import { DEPTH_EVENTS, importFiles } from '../../../../src/history/index.ts';
import type { OverlapRule } from '../../../../src/history/store/commit/commit.ts';
import { Store } from '../fixture.ts';
import { EVENT, plainFactsOf, RawMarket, recordingsOf } from '../raw-market.ts';

/** The line with which the third recording begins. */
const THIRD = 18;

/** The lines of a market, one of which has an earlier stamp than those before it. */
function linesWith(early: number, pauseMs = 0): string[] {
  const market = new RawMarket();
  const lines = [...'tdsdtddtdtddtdtddtddtddt'].map((step, at) => {
    if (at === THIRD) market.wait(pauseMs);
    return recordingsOf(market, step)[0]!;
  });
  return lines.with(
    early,
    lines[early]!.replaceAll(/"([ET])":(\d+)/g, (_, name, time) => `"${name}":${time - 150}`),
  );
}

/**
 * A line of a recorder that hears it so many nanoseconds later, or whose clock is ahead by them.
 */
function heardLater(line: string, by: bigint): string {
  const space = line.indexOf(' ');
  return `${BigInt(line.slice(0, space)) + by}${line.slice(space)}`;
}

/** Three recordings of these lines. `begins`: the line with which the second does. */
function recordings(lines: readonly string[], begins: number) {
  const store = new Store();
  const parts = [lines.slice(0, begins), lines.slice(begins, THIRD), lines.slice(THIRD)];
  const files = parts.map((part, at) => store.file(`raw-${at}`, part.join('\n')));
  const add = async (numbers: readonly number[], overlap?: OverlapRule) => {
    const chosen = numbers.map((at) => files[at]!);
    await importFiles({ root: store.root, files: chosen, overlap });
  };
  return { store, files, add };
}

/**
 * Trades that two recorders heard: one 50 ms late, the other 400 ms late, from the seventh trade
 * on.
 */
function heardByTwo() {
  const store = new Store();
  const times = Array.from(
    { length: 20 },
    (_, at) => Date.parse('2024-08-09T00:00:00Z') + at * 100,
  );
  const files = [
    store.file('a', tradesOf(times.slice(0, 10), 50)),
    store.file('b', tradesOf(times.slice(6), 400)),
  ];
  return { store, files, times };
}

function tradesOf(times: readonly number[], lateMs: number): string {
  return times.map((time) => tradeLine(time, time + lateMs)).join('\n');
}

function tradeLine(time: number, received: number): string {
  const data = {
    e: 'trade',
    E: time,
    T: time,
    s: 'BTCUSDT',
    t: time,
    p: '100.0',
    q: '1.0',
    m: false,
  };
  return `${received}000000 ${JSON.stringify({ stream: 'btcusdt@trade', data })}`;
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
    ['a change that the next one begins with', THIRD, 10],
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

  it('takes away nothing that lies between two that replace what was there', async () => {
    const lines = linesWith(10, 2_000);
    const { store, add } = recordings(lines, 10);
    await add([0, 1, 2]);
    const whole = await plainFactsOf(store);
    await expect(add([0, 2], 'replace')).rejects.toThrow(
      /^Cannot import these recordings together: .* rows between them, .*; one import each is wanted$/,
    );
    expect(await plainFactsOf(store)).toEqual(whole);
    for (const one of [0, 2]) await add([one], 'replace');
    expect(await plainFactsOf(store)).toEqual(whole);
  });

  it('does so of several at once, and of one that was missing', async () => {
    const lines = linesWith(10, 2_000);
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
    const heard = (await plainFactsOf(store)).rows.map(([, received]) => received!);
    expect(heard).toEqual(heard.toSorted((a, b) => a - b));
    await add([1, 2], 'replace');
    expect(await plainFactsOf(store)).toEqual(whole);
  });
});

it.each([
  ['behind', 0, 1],
  ['ahead', 1, 0],
] as const)(
  'joinOf takes all equal trades of one order, a part of which came %s',
  async (...[, one, other]) => {
    const { store, times } = heardByTwo();
    const order = [3, 8, 11, 15].map((lateMs) => tradesOf([times[9]!], lateMs));
    const files = [
      store.file('a', [tradesOf(times.slice(0, 9), 3), ...order.slice(0, 2)].join('\n')),
      store.file('b', [...order.slice(2), tradesOf(times.slice(10), 3)].join('\n')),
    ];
    await store.import(files[one]!);
    await store.import(files[other]!, { overlap: 'append' });
    const { rows } = await plainFactsOf(store);
    expect(rows.map(([time]) => time)).toEqual(
      times.flatMap((time, at) => (at === 9 ? [time, time, time, time] : [time])),
    );
  },
);

it('joinOf puts a recording of whole books alone in place of what is there', async () => {
  const store = new Store();
  const [first, books] = recordingsOf(new RawMarket(), 'tdsddt|aha').map((text) =>
    text
      .trim()
      .split('\n')
      .map((line) => heardLater(line, 1_250_000_000n))
      .join('\n'),
  );
  await store.import(store.file('btcusdt-1', first!));
  await store.import(store.file('btcusdt-2', books!));
  const both = await plainFactsOf(store);
  expect(both.rows.at(-1)![EVENT]).toBe(DEPTH_EVENTS.snapshot);
  await store.import(store.file('btcusdt-2', books!), { overlap: 'replace' });
  expect((await plainFactsOf(store)).rows).toEqual(both.rows);
});

describe('joinOf, of what two recorders heard,', () => {
  it.each([
    ['the same clock', 60_000_001n],
    ['another clock', 5_000_000_000n],
  ])('takes each trade once, heard later by %s', async (_, later) => {
    const lines = linesWith(12);
    const { store, files } = recordings(lines, 10);
    const heard = lines.slice(7).map((line) => heardLater(line, later));
    const other = store.file('other', heard.join('\n'));
    await store.import(files[0]!);
    await expect(store.import(other)).rejects.toThrow('it has ');
    await expect(new Store().import([files[0]!, other])).rejects.toThrow('within raw-0');
    await store.import(other, { overlap: 'replace' });
    const { rows } = await plainFactsOf(store);
    const trades = rows.filter((row) => row[EVENT] === DEPTH_EVENTS.trade).map(([time]) => time);
    expect(trades).toHaveLength(9);
    expect(new Set(trades).size).toBe(9);
  });

  it.each([
    ['refuse', 0, 1],
    ['refuse', 1, 0],
    ['append', 0, 1],
    ['append', 1, 0],
    ['replace', 0, 1],
    ['replace', 1, 0],
  ] as const)(
    'takes each trade once though both agree within a second: %s, %i before %i',
    async (...[overlap, one, other]) => {
      const { store, files, times } = heardByTwo();
      await store.import(files[one]!);
      const importing = store.import(files[other]!, { overlap });
      if (overlap === 'refuse') await expect(importing).rejects.toThrow('it has ');
      else await importing;
      const { rows } = await plainFactsOf(store);
      const first = one === 0 ? times.slice(0, 10) : times.slice(6);
      expect(rows.map(([time]) => time)).toEqual(overlap === 'refuse' ? first : times);
    },
  );

  it.each(['refuse', 'append', 'replace'] as const)(
    'takes none of two files of one import that tell the same: %s',
    async (overlap) => {
      const { store, files } = heardByTwo();
      await expect(store.import(files, { overlap })).rejects.toThrow('within a');
    },
  );

  it('takes each trade once where one takes a place that ends within the other', async () => {
    const { store, times } = heardByTwo();
    const [before, between, behind] = [
      tradesOf(times.slice(0, 4), 50),
      tradesOf(times.slice(4, 18), 50),
      tradesOf(times.slice(15), 400),
    ].map((text, at) => store.file(`part-${at}`, text));
    for (const file of [before!, behind!]) await store.import(file);
    for (const file of [between!, between!]) {
      await store.import(file, { overlap: 'replace' });
      const { rows } = await plainFactsOf(store);
      expect(rows.map(([time]) => time)).toEqual(times);
    }
  });
});
