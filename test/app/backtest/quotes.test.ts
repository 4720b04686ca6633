import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/app/backtest/index.ts';
import { wholeCurve } from '../../report/fixture.ts';
import { LIMITS, START_MS } from './fixture.ts';
import { quoteRows, type TickData, tickDataset, tickRun, tradesOf } from './tick-fixture.ts';

/** Does what a list says with the quotes that it hears, and says what it hears. */
const QUOTED = `import { defineStrategy, filter, ignoreElements, map, merge, mergeMap, order, tap, target, timer, z } from '#strategy';
export default defineStrategy({
  name: 'quoted',
  params: z.strictObject({ wishes: z.record(z.string(), z.any()), interval: z.string().optional(), timers: z.array(z.number()) }),
  run({ market, params, depth, candles, freshness, log, clock }) {
    const hears = (what) => tap((told) => log(what, told));
    const late = params.timers.map((seconds) => timer(1_000 * seconds, clock).pipe(
      map(() => order(market, { tag: 'late' + seconds, side: 'buy', price: 100, amount: 0.1, type: 'ioc' })),
    ));
    const books = depth().pipe(
      hears('book'),
      map((_, at) => params.wishes[String(at)]),
      filter((wish) => wish !== undefined),
      map((wish) => typeof wish === 'number' ? target(market, wish) : order(market, { tag: 'one', ...wish })),
    );
    const heard = merge(
      freshness().pipe(map(({ fresh }) => fresh), hears('fresh')),
      ...(params.interval ? [candles(params.interval).pipe(
        map(({ open, high, low, close, volume }) => ({ open, high, low, close, volume })),
        hears('candle'),
      )] : []),
    );
    return merge(books, ...late, heard.pipe(ignoreElements()));
  },
});
`;

interface Played extends Partial<Pick<TickData, 'gaps'>> {
  readonly rows: Parameters<typeof quoteRows>[0];
  /** By the number of the book that is heard. */
  readonly wishes?: Readonly<Record<number, number | object>>;
  readonly interval?: string;
  /** When to buy a tenth at once, seconds after the start. */
  readonly timers?: readonly number[];
  readonly fromSeconds?: number;
  readonly seconds?: number;
  readonly backtest?: object;
  readonly settings?: object;
}

async function played({ rows, gaps, wishes = {}, interval, timers = [], ...options }: Played) {
  const { root } = await tickDataset({
    kind: 'quotes',
    rows: quoteRows(rows),
    ...(gaps && { gaps }),
  });
  const { fromSeconds = 0, seconds = 60, backtest, settings } = options;
  const params = { wishes, interval, timers };
  const deployment = tickRun(
    { root, kind: 'quotes' },
    {
      strategies: [{ use: './scripted.ts', name: 'quoted', params }],
      ...{ ...settings, text: QUOTED, ...(backtest && { backtest }) },
    },
  );
  const fromMs = START_MS + fromSeconds * 1_000;
  const period = { warmFromMs: fromMs, fromMs, toMs: START_MS + seconds * 1_000 };
  const result = await runBacktest({ deployment, period });
  const told = (what: string) =>
    result.log
      .filter((line) => line.includes(` ${what} `))
      .map((line) => {
        return `${(Date.parse(line.slice(0, 24)) - START_MS) / 1_000}${line.split(` ${what}`)[1]}`;
      });
  return { ...result, trades: tradesOf(result.record), told };
}

const ROWS = [
  [0, 99, 5, 100, 1],
  [1, 99.5, 2, 100, 1],
  [2, 98, 3, 99, 4],
  [3, 99, 3, 99.5, 2],
] as const;

describe('a backtest of quotes', () => {
  it('trades at the best price, and no further than what stands there', async () => {
    // Of an ask of 1 a target of 3 gets 1. It tries again every second, ahead of the quote of that.
    const { trades } = await played({ rows: ROWS, wishes: { 0: 3 } });
    expect(trades).toEqual([
      [0, 'buy', 1, 100],
      [3, 'buy', 2, 99],
    ]);
  });

  it('fills what rests once the other side reaches it, at its own price', async () => {
    const wish = { side: 'buy', price: 99.2, amount: 5 };
    const { trades, record } = await played({ rows: ROWS, wishes: { 0: wish } });
    expect(trades).toEqual([[2, 'buy', 4, 99.2]]);
    expect(record.fillModel?.name).toBe('quotes');
    expect(record.fillModel?.confession.join(' ')).toContain('There are no trades');
    expect(record.counts.events).toBe(4);
    expect(record.coverage[0]).toMatchObject({ rows: 4, findings: [] });
  });

  it('tells quotes as books of one level, and values the account by their middles', async () => {
    const { told, record } = await played({ rows: ROWS });
    expect(told('book')).toHaveLength(4);
    expect(told('book')[1]).toMatch(/^1 .*asks: \[ \[ 100, 1 \] \],\s*bids: \[ \[ 99.5, 2 \] \]/);
    const { equity } = wholeCurve(record);
    expect(Array.from(equity)).toEqual([10_995, 10_997.5, 10_985, 10_992.5]);
    expect(Array.from(record.prices.get('btc_usdt')!.close)).toEqual([99.5, 99.75, 98.5, 99.25]);
  });

  it('knows the quote that stands where its period begins', async () => {
    const { told, trades } = await played({ rows: ROWS, wishes: { 0: 0.5 }, fromSeconds: 1.5 });
    expect(told('book')).toHaveLength(3);
    expect(trades).toEqual([[1.5, 'buy', 0.5, 100]]);
  });

  it('has candles of the middles, whose volume counts quotes', async () => {
    const rows = [...ROWS, [61, 99, 3, 101, 2], [125, 100, 3, 101, 2]] as const;
    const { told } = await played({ rows, interval: '1min', seconds: 130 });
    expect(told('candle')).toEqual([
      '61 { close: 99.25, high: 99.75, low: 98.5, open: 99.5, volume: 4 }',
      '121 { close: 100, high: 100, low: 100, open: 100, volume: 1 }',
    ]);
    const late = await played({ rows, interval: '1min', seconds: 130, fromSeconds: 62 });
    expect(late.told('candle')[0]).toBe(told('candle')[0]!.replace('61', '62'));
  });

  it('is asked for as live, and silent in an outage, where these are simulated', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => [at, 99, 5, 100 + at, 1] as const);
    const stated = [{ from: '2024-01-01T00:00:10', lengthMs: 8_000 }];
    const simulate = { polls: true, outages: { stated } };
    const settings = { data: { feeds: false, depthPollMs: 2_000 } };
    const { told } = await played({ rows, settings, backtest: { simulate } });
    const seconds = told('book').map((line) => Number(line.split(' ')[0]));
    expect(seconds.every((at) => at <= 10 || at >= 18)).toBe(true);
    expect(seconds.length).toBeGreaterThan(8);
    expect(seconds.length).toBeLessThan(14);
    expect(told('fresh').map((line) => line.split(' { ')[1])).toEqual([
      ...['details: false }', 'details: true }'],
    ]);
  });

  it('trades for a wish once time alone lets it pass, as live, though no quote comes', async () => {
    const risk = { ...LIMITS, blackouts: [{ from: '00:00', to: '00:01' }] };
    const rows = [ROWS[0], [100, 101, 1, 102, 1]] as const;
    const { trades } = await played({ rows, wishes: { 0: 1 }, seconds: 120, settings: { risk } });
    expect(trades).toEqual([[60, 'buy', 1, 100]]);
  });

  it('comes to the same hash twice', async () => {
    const once = await played({ rows: ROWS, wishes: { 0: 3 } });
    const again = await played({ rows: ROWS, wishes: { 0: 3 } });
    expect(again.record.journalHash).toEqual(once.record.journalHash);
  });
});

describe('a backtest of quotes that lack something', () => {
  it('takes the size of the settings where they have no amounts', async () => {
    const rows = ROWS.map(([seconds, bid, , ask]) => [seconds, bid, 0, ask, 0] as const);
    await expect(played({ rows })).rejects.toThrow(
      /deployment.yaml:\d+:\d+: Cannot replay venue.btc_usdt.quotes: its bids and asks have no amounts, backtest.fill.size is wanted: how much stands at each, in btc$/,
    );
    const backtest = { fill: { model: 'quotes', size: 1.5 } };
    const { trades } = await played({ rows, wishes: { 0: 2 }, backtest });
    expect(trades).toEqual([
      [0, 'buy', 1.5, 100],
      [3, 'buy', 0.5, 99],
    ]);
  });

  it('lets no order leave where a side is empty or the bid reaches the ask', async () => {
    const rows = [
      [0, 99, 5, 0, 0],
      [1, 99, 0, 100, 1],
      [2, 100, 5, 100, 1],
      [2.5, 99, 5, 100, 1],
      [4, 99, 5, 101, 1],
    ] as const;
    const { trades, record } = await played({ rows, wishes: { 0: 1 } });
    expect(trades).toEqual([[3, 'buy', 1, 100]]);
    expect(record.coverage[0]!.findings).toEqual([
      'A side has no price or no amount in 2 of 5 quotes: the book is empty on that side.',
      'The bid is at or above the ask in 1 of 5 quotes: risk refuses every order then.',
    ]);
  });

  it('is stale in a gap of the recording', async () => {
    const gaps = [{ from: START_MS + 1_000, to: START_MS + 3_000, reason: 'the line was cut' }];
    const rows = ROWS.filter(([seconds]) => seconds !== 2);
    const { told, record, trades } = await played({ rows, gaps, wishes: { 1: 0.1 } });
    expect(told('fresh')).toEqual(['1 { details: false }', '3 { details: true }']);
    expect(trades).toEqual([[1, 'buy', 0.1, 100]]);
    expect(record.coverage[0]!.findings).toEqual([
      'Nothing is recorded from 2024-01-01 00:00:01 to 2024-01-01 00:00:03 UTC: the line was cut.',
    ]);
  });
});

describe('a backtest of quotes that are finer than the steps of the market', () => {
  it('keeps a side whose next price is the same one in these steps', async () => {
    const rows = [
      [0, 99.001, 5, 99.998, 1],
      [1, 99.004, 4, 100.002, 2],
    ] as const;
    const { told } = await played({ rows });
    expect(told('book')[1]).toMatch(/asks: \[ \[ 100, 2 \] \],\s*bids: \[ \[ 99, 4 \] \]/);
  });
});

describe('a backtest of quotes with silences and gaps', () => {
  it('lets no order leave or rest after an hour, and says how long that was', async () => {
    const rows = [...ROWS, [200_000, 97, 1, 98, 1]] as const;
    const wishes = { 0: { side: 'buy', price: 98.5, amount: 1 } };
    const timers = [3_500, 3_700, 200_000 - 1];
    const weekend = { rows, wishes, timers, seconds: 200_001 };
    const { trades, record } = await played(weekend);
    expect(trades).toEqual([[3_500, 'buy', 0.1, 99.5]]);
    expect(record.refusals).toMatchObject([{ code: 'staleData' }]);
    expect(record.coverage[0]!.findings).toEqual([
      'No row was recorded from 2024-01-01 00:00:03 to 2024-01-03 07:33:20 UTC: for 55.6 hours.',
    ]);
    const settings = { data: { staleAfterMs: { depth: 300_000_000 } } };
    const open = await played({ ...weekend, settings });
    expect(open.trades).toEqual([
      [3_500, 'buy', 0.1, 99.5],
      [3_700, 'buy', 0.1, 99.5],
      [199_999, 'buy', 0.1, 99.5],
      [200_000, 'buy', 1, 98.5],
    ]);
  });

  it('tries a target again with the first quote after a silence, as live', async () => {
    const rows = [
      [0, 99, 5, 100, 1],
      [5_407, 99, 5, 99.5, 4],
    ] as const;
    const { trades } = await played({ rows, wishes: { 0: 3 }, seconds: 5_410 });
    expect(trades).toEqual([
      [0, 'buy', 1, 100],
      [5_407, 'buy', 2, 99.5],
    ]);
  });

  it('fills what rests by the first quote behind a gap, be it the last of all', async () => {
    const gaps = [{ from: START_MS + 1_000, to: START_MS + 3_000, reason: 'the line was cut' }];
    const rows = [...ROWS.slice(0, 2), [3, 98, 3, 99, 2]] as const;
    const wishes = { 0: { side: 'buy', price: 99.2, amount: 1 } };
    const { trades } = await played({ rows, gaps, wishes });
    expect(trades).toEqual([[3, 'buy', 1, 99.2]]);
  });
});
