import { describe, expect, it } from 'vitest';
import { loadBacktest, runBacktest } from '../../../src/app/backtest/index.ts';
import { DEFAULT_SEED } from '../../../src/app/config/seeds.ts';
import { MINUTE_MS, seededRandom } from '../../../src/kernel/index.ts';
import { backtestFile, replayed, START_MS, scriptedDeployment, sourceOf } from './fixture.ts';
import { depthRows, tickDataset, tickRun, tradeRows } from './tick-fixture.ts';

/** When the bot began to ask, milliseconds into any minute. */
const startMs = (seed = DEFAULT_SEED) => seededRandom(seed).fork('polls').integer(MINUTE_MS);

/** Milliseconds since the start of the first request at or after a time, one each `everyMs`. */
const nextPoll = (ms: number, everyMs = 500, phaseMs = startMs()) =>
  ms + ((((phaseMs - START_MS - ms) % everyMs) + everyMs) % everyMs);

const POLLS = { simulate: { polls: true } };

interface Heard {
  readonly kind: 'trades' | 'depth';
  readonly rows: ReturnType<typeof depthRows>;
  readonly data?: object;
  readonly backtest?: object;
}

/** What a strategy says of books and trades, with the milliseconds since the start. */
async function heardOf({ kind, rows, data = { feeds: false }, backtest }: Heard) {
  const { root } = await tickDataset({ kind, rows });
  const deployment = tickRun({ root, kind }, { data, backtest: { ...POLLS, ...backtest } });
  const events: [number, string][] = [];
  const { log } = await runBacktest({
    deployment,
    onEvent: (event) => {
      if (event.kind === 'intent') events.push([event.time - START_MS, 'trade']);
    },
  });
  const books = log.map((line): [number, string] => {
    return [Date.parse(line.slice(0, 24)) - START_MS, line.slice(38)];
  });
  return { books: books.filter(([, text]) => text.startsWith('{ asks')), trades: events };
}

const BOOK = depthRows([
  [0, 'snapshot', 'buy', 99, 5],
  [0, 'snapshot', 'sell', 100, 1],
  [1.2, 'change', 'buy', 99.5, 2],
  [1.21, 'change', 'buy', 99.6, 2],
  [1.22, 'change', 'buy', 99.5, 0],
  [1.3, 'trade', 'buy', 100, 1],
  [1.31, 'trade', 'buy', 100, 1],
  [4, 'change', 'sell', 100, 0.5],
]);
const book = (ask: string, ...bids: string[]) =>
  `{ asks: [ [ ${ask} ] ], bids: [ ${bids.map((bid) => `[ ${bid} ]`).join(', ')} ] }`;

describe('polls of a book', () => {
  it('show it as it stands at each, unchanged ones too', async () => {
    const { books } = await heardOf({ kind: 'depth', rows: BOOK });
    const first = nextPoll(0);
    const times = Array.from({ length: 9 }, (_, at) => first + 500 * at);
    const expected = times
      .filter((time) => time < nextPoll(4_000))
      .map((time) => [
        time,
        time < 1_200 ? book('100, 1', '99, 5') : book('100, 1', '99.6, 2', '99, 5'),
      ]);
    expect(books).toEqual([...expected, [nextPoll(4_000), book('100, 0.5', '99.6, 2', '99, 5')]]);
    expect(expected.length).toBe(8);
  });

  it('come after the latency of the feed, which delays the next where it is long', async () => {
    const late = async (feed: number) => {
      const { books } = await heardOf({
        kind: 'depth',
        rows: BOOK,
        backtest: { latency: { feed }, ...POLLS },
      });
      return books.map(([time]) => time);
    };
    expect((await late(40)).slice(0, 3)).toEqual(
      [540, 1_040, 1_540].map((ms) => nextPoll(0) + ms - 500),
    );
    expect((await late(700)).slice(0, 3)).toEqual(
      [700, 1_400, 2_100].map((ms) => nextPoll(0) + ms),
    );
  });

  it('bring the trades between at their own pace', async () => {
    const data = { feeds: false, tradesPollMs: 700 };
    const { trades } = await heardOf({ kind: 'depth', rows: BOOK, data });
    const time = nextPoll(1_300, 700);
    expect(trades).toEqual([time, time].map((ms) => [ms, 'trade']));
  });

  it('leave what is pushed as it comes', async () => {
    const pushed = await heardOf({
      kind: 'depth',
      rows: BOOK,
      data: { feeds: { depth: true, trades: false } },
    });
    expect(pushed.books.map(([time]) => time)).toEqual([0, 1_200, 1_210, 1_220, 4_000]);
    expect(pushed.trades.map(([time]) => time)).toEqual([nextPoll(1_300), nextPoll(1_310)]);
    const polled = await heardOf({ kind: 'depth', rows: BOOK, data: { feeds: { depth: false } } });
    expect(polled.books.map(([time]) => time)).toContain(nextPoll(0));
    expect(polled.trades.map(([time]) => time)).toEqual([1_300, 1_310]);
  });

  it('tell nothing more of a book that is lost', async () => {
    const rows = depthRows([
      [0, 'snapshot', 'buy', 99, 5],
      [0, 'snapshot', 'sell', 100, 1],
      [1.2, 'gap', 'buy', 0, 0],
      [9, 'snapshot', 'buy', 98, 5],
      [9, 'snapshot', 'sell', 100, 1],
    ]);
    const { books } = await heardOf({ kind: 'depth', rows });
    expect(books.map(([time]) => time).filter((time) => time > 1_200)).toEqual([nextPoll(9_000)]);
  });
});

describe('polls of trades in a recorded book', () => {
  it('tell one that arrived late with the next answer behind its arrival', async () => {
    const rows = depthRows([
      [0, 'snapshot', 'buy', 99, 5],
      [0, 'snapshot', 'sell', 100, 50],
      [2, 'change', 'buy', 99, 4],
      [1.4, 'trade', 'buy', 100, 1],
      [4, 'change', 'buy', 99, 3],
    ]);
    const { trades } = await heardOf({ kind: 'depth', rows });
    expect(trades.map(([time]) => time)).toEqual([nextPoll(2_000)]);
  });
});

describe('polls at the moment of a change', () => {
  it('show what changed at the very moment of one', async () => {
    const first = nextPoll(0);
    const changes = [0, 1, 2, 3].map((at) => (first + 500 * at) / 1_000);
    const rows = depthRows([
      [0, 'snapshot', 'buy', 99, 5],
      [0, 'snapshot', 'sell', 100, 1],
      ...changes.map((second, at) => [second, 'change', 'buy', 99, at + 6] as const),
    ]);
    const { books } = await heardOf({ kind: 'depth', rows });
    expect(books).toEqual(
      changes.map((second, at) => [Math.round(second * 1_000), book('100, 1', `99, ${at + 6}`)]),
    );
  });
});

describe('polls of trades', () => {
  const rows = tradeRows([
    [1.1, 'buy', 100],
    [1.12, 'sell', 99],
    [1.15, 'buy', 101],
    [7, 'buy', 102],
  ]);

  it('bring all of them since the one before, and best prices once', async () => {
    const { trades, books } = await heardOf({
      kind: 'trades',
      rows,
      backtest: { ...POLLS, latency: { feed: 30 } },
    });
    const [first, second] = [nextPoll(1_100) + 30, nextPoll(7_000) + 30];
    expect(nextPoll(1_100)).toBe(nextPoll(1_150));
    expect(trades.map(([time]) => time)).toEqual([first, first, first, second]);
    expect(books).toEqual([
      [first, book('101, 2', '99, 2')],
      [second, book('102, 2', '99, 2')],
    ]);
  });

  it('take as long as the first of them took when they were recorded', async () => {
    const stamped = rows.map((row, at) => [
      row[0],
      Number(row[0]) + 10 * (at + 1),
      ...row.slice(2),
    ]);
    const backtest = { ...POLLS, latency: { feed: { recorded: 'refuse' } } };
    const { trades } = await heardOf({ kind: 'trades', rows: stamped as typeof rows, backtest });
    const [first, second] = [nextPoll(1_100) + 10, nextPoll(7_000) + 40];
    expect(trades.map(([time]) => time)).toEqual([first, first, first, second]);
  });
});

const MINUTES = Array.from({ length: 6 }, (_, at) => ({ close: 100 + at }));
const SCRIPT = Object.fromEntries(MINUTES.map((_, at) => [at, 0]));

/** When the wishes at each minute's close were made, milliseconds since the close. */
async function wishedAfter(data: object, { backtest = {}, seed = DEFAULT_SEED } = {}) {
  const { events } = await replayed({
    ...{ minutes: MINUTES, script: SCRIPT },
    settings: { data, seed },
    backtest: { ...POLLS, ...backtest },
  });
  const times = events
    .filter(({ kind }) => kind === 'intent')
    .map((event) => (event as { time: number }).time);
  return times.map((time, at) => time - START_MS - (at + 1) * MINUTE_MS);
}

describe('polls of candles', () => {
  it('bring those of trades when all of these are there', async () => {
    expect(await wishedAfter({ feeds: false })).toEqual(Array(6).fill(1_000));
    // Later than the wait for late trades where these are asked for less often.
    const late = nextPoll(0, 20_000);
    const slow = await wishedAfter(
      { feeds: false, tradesPollMs: 20_000 },
      { backtest: { latency: { feed: 7 } } },
    );
    expect(slow).toEqual(Array(6).fill(Math.max(1_000, late + 7)));
  });

  it('bring those of the venue at the pace of their own requests', async () => {
    const data = { feeds: false, candles: 'venue' };
    expect(await wishedAfter(data)).toEqual(Array(6).fill(nextPoll(0, 5_000)));
    const slow = { ...data, candlesPollMs: 7_000 };
    const expected = [1, 2, 3, 4, 5, 6].map(
      (at) => nextPoll(at * MINUTE_MS, 7_000, startMs('b')) - at * MINUTE_MS,
    );
    expect(await wishedAfter(slow, { seed: 'b' })).toEqual(expected);
    expect(new Set(expected).size).toBe(6);
  });

  it('are heard when they close where they are pushed', async () => {
    const data = { feeds: { depth: false }, candles: 'venue' };
    expect(await wishedAfter(data)).toEqual(Array(6).fill(0));
  });

  it('ask for one market after the other, a second apart', async () => {
    const file = backtestFile(
      {
        markets: MARKETS,
        strategies: [{ use: './scripted.ts', name: 'pair', markets: MARKETS }],
        data: { feeds: false, candles: 'venue' },
        backtest: { balances: { usdt: '10000' }, ...POLLS },
      },
      PAIR,
    );
    const sources = MARKETS.map((id) => sourceOf(id, MINUTES));
    const { log } = await runBacktest({ deployment: loadBacktest(file), sources });
    const heard = log.map((line) => {
      return [line.slice(31), (Date.parse(line.slice(0, 24)) - START_MS) % MINUTE_MS];
    });
    const [soon, later] = [startMs() % 5_000, (startMs() + 1_000) % 5_000];
    expect(heard.slice(0, 2).toSorted()).toEqual([
      ['btc_usdt', soon],
      ['eth_usdt', later],
    ]);
  });
});

const MARKETS = ['btc_usdt', 'eth_usdt'];
/** Says which market's candle it hears. */
const PAIR = `import { defineStrategy, ignoreElements, merge, tap, z } from '#strategy';
export default defineStrategy({
  name: 'pair',
  params: z.strictObject({}),
  run: ({ markets, candles, log }) =>
    merge(...markets.map((market) => candles('1min', market).pipe(tap(() => log(market.id)))))
      .pipe(ignoreElements()),
});
`;

describe('polls where everything is pushed', () => {
  it('are refused, with the place and what is wanted', () => {
    expect(() => scriptedDeployment({ script: {}, backtest: POLLS })).toThrow(
      /deployment.yaml:\d+:\d+: Cannot simulate polls: data.feeds takes all that a backtest has from the feed, data.feeds: false is wanted, or false for depth, trades or candles$/,
    );
    const data = { feeds: { candles: false } };
    expect(() => scriptedDeployment({ script: {}, backtest: POLLS, settings: { data } })).toThrow();
  });
});
