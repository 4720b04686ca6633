import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  journalDays,
  journalRuns,
  journalTrades,
  type TradeChoice,
} from '../../../src/app/journal/index.ts';
import { settleOrder } from '../../../src/app/terminal/settle-order.ts';
import type { TradingEvent } from '../../../src/domain/index.ts';
import { DAY_MS, Decimal, VirtualClock } from '../../../src/kernel/index.ts';
import { FileJournal } from '../../../src/storage/index.ts';
import { fillEvent, makePending } from '../../domain/fixture.ts';
import { byNobody } from '../../nobody.ts';
import { orderEvent, START_MS, tradeEvent } from '../../storage/events.ts';
import { scratchFolder } from '../fixture.ts';
import {
  beganMs,
  EMBEDDED,
  fillOf,
  journalWith,
  lateFeeOf,
  openRun,
  runOf,
  scratchJournal,
} from './fixture.ts';

const pending = (clientOrderId: string): TradingEvent =>
  orderEvent(makePending({ clientOrderId, createdTime: START_MS }));
const strategyEvent = (strategy: string): TradingEvent => {
  return { kind: 'strategy', time: START_MS, strategy, status: 'started', reason: 'test' };
};
const runEvent = (status: 'starting' | 'stopping' | 'stopped', reason: string): TradingEvent => {
  return { kind: 'run', time: START_MS, status, reason };
};

/** The profits of trades. */
function profitsOf(path: string, choice: Omit<TradeChoice, 'path'> = {}): number[] {
  return journalTrades({ ...choice, path }).closed.map(({ profit }) => profit);
}

describe('journalRuns', () => {
  it('tells of each run what it did, what it earned and how it stopped', () => {
    const fills = [fillOf({ fee: '0.5' }), fillOf({ side: 'sell', price: 103, fee: '0.25' })];
    const path = journalWith([
      {
        events: [
          ...[strategyEvent('maker'), strategyEvent('swing'), pending('a'), pending('b')],
          ...fills.map(fillEvent),
          ...[runEvent('stopping', 'its time is over'), runEvent('stopped', 'cancelled 0 of 0')],
        ],
      },
    ]);
    expect(journalRuns(path)).toEqual([
      {
        ...{ run: 1, began: beganMs(1), ended: beganMs(1), state: 'ended', process: undefined },
        lastEvent: fills[1]!.time,
        ...{ seed: 'seed1', strategies: ['maker', 'swing'], orders: 2, fills: 2 },
        profit: [{ currency: 'usdt', profit: Decimal.of('2.25'), fees: Decimal.of('0.75') }],
        reason: 'its time is over',
      },
    ]);
  });

  it('says of a start that failed that it did', () => {
    const path = journalWith([{ events: [runEvent('starting', 'reading the account')] }]);
    expect(journalRuns(path)).toMatchObject([{ state: 'ended', reason: 'its start failed' }]);
  });

  it('tells one that goes on from one that was killed, and takes no lock', () => {
    const path = scratchJournal();
    const running = openRun(path, 1, runOf(['buy', 100, 1]));
    onTestFinished(() => running.close());
    const before = readdirSync(dirname(path));
    const [run] = journalRuns(path);
    expect(run).toMatchObject({ state: 'running', process: process.pid, fills: 1 });
    expect(run!.ended).toBeUndefined();
    expect(readdirSync(dirname(path))).toEqual(before);
    writeFileSync(`${path}.owner`, String(2 ** 22 + 1));
    const lastEvent = START_MS + 3_000;
    running.append({ kind: 'run', time: lastEvent, status: 'running', reason: 'test' });
    running.commit();
    expect(journalRuns(path)[0]).toMatchObject({ state: 'killed', process: undefined, lastEvent });
  });

  it('counts what the run before left, and a fee that a later run was told with its fill', () => {
    const [bought, sold] = [fillOf({ fee: '0.5' }), fillOf({ side: 'sell', price: 110 })];
    const path = journalWith([
      { events: [fillEvent(bought)] },
      { events: [lateFeeOf(bought, '-0.25'), fillEvent(sold)] },
    ]);
    const profits = journalRuns(path).map(({ profit }) => profit[0]!.profit.toString());
    expect(profits).toEqual(['-0.25', '10']);
    expect(profitsOf(path)).toEqual([9.75]);
  });

  it('names what a person wrote as such', () => {
    const path = journalWith([{ events: [pending('a')] }]);
    const unknown = { status: 'unknown', reason: 'lost', unknownSince: START_MS } as const;
    const order = { ...makePending({ clientOrderId: 'b' }), ...unknown };
    openRun(path, 2, { events: [orderEvent(order)] }).close();
    settleOrder({ journal: path, clientOrderId: 'b', exchangeOrderId: undefined });
    expect(journalRuns(path).map(({ state }) => state)).toEqual(['ended', 'ended', 'byHand']);
    expect(journalRuns(path)[2]).toMatchObject({ orders: 0, reason: 'a person settled an order' });
  });
});

describe('journalTrades', () => {
  it('names the strategies that it knows to whoever asks for another', () => {
    const path = journalWith([
      { events: [strategyEvent('swing')] },
      runOf(['buy', 100, 1], ['sell', 101, 1]),
    ]);
    const ask = (strategy: string) => () => journalTrades({ path, strategy });
    expect(ask('swing')()).toEqual({ closed: [], open: [], adjustments: [] });
    const what = `Cannot look for "makr" in ${path}: it knows maker, swing`;
    expect(ask('makr')).toThrow(`${what}, did you mean "maker"?`);
    expect(ask('other')).toThrow(', one of these is wanted');
    const empty = journalWith([{ events: [] }]);
    expect(() => journalTrades({ path: empty, strategy: 'maker' })).toThrow('it knows no strategy');
  });

  it('names the markets that it knows to whoever asks for another', () => {
    const path = journalWith([runOf(['buy', 100, 1], ['sell', 101, 1])]);
    const ask = (market: string) => () => journalTrades({ path, market });
    const what = `Cannot look for "btc_usd" in ${path}: it knows btc_usdt, eth_btc`;
    expect(ask('btc_usd')).toThrow(`${what}, did you mean "btc_usdt"?`);
    expect(() => journalTrades({ path, market: 'btc_usdt', to: 0 })).not.toThrow();
  });

  it('goes over runs on one account, and by run tells what closed in it and was open then', () => {
    const path = journalWith([
      runOf(['buy', 100, 1], ['sell', 101, 1], ['buy', 100, 2]),
      runOf(['sell', 102, 2]),
    ]);
    expect(profitsOf(path)).toEqual([1, 4]);
    expect([1, 2].map((run) => profitsOf(path, { run }))).toEqual([[1], [4]]);
    const [open, ...others] = journalTrades({ path, run: 1 }).open;
    expect(others).toEqual([]);
    expect(open).toMatchObject({ run: 1, isGone: false, trip: { amount: 2 } });
    expect(open!.held.amount.toString()).toBe('2');
    expect(journalTrades({ path }).open).toEqual([]);
  });

  it('have by run the same fees as in all, whichever run was told them', () => {
    const sold = fillOf({ side: 'sell', price: 101, fee: '0.5' });
    const path = journalWith([
      { events: [fillEvent(fillOf()), fillEvent(sold)] },
      { events: [lateFeeOf(sold, '0.25')] },
    ]);
    expect(profitsOf(path)).toEqual([0.25]);
    expect([1, 2].map((run) => profitsOf(path, { run }))).toEqual([[0.25], []]);
  });

  it('begins anew where an embedded exchange did, with which the rest of a run is gone', () => {
    const path = journalWith([
      { ...runOf(['buy', 100, 1]), config: EMBEDDED },
      { ...runOf(['sell', 110, 1]), config: EMBEDDED },
    ]);
    const { closed, open } = journalTrades({ path });
    expect(closed).toEqual([]);
    expect(open.map(({ trip, run, isGone }) => [trip.side, run, isGone])).toEqual([
      ['long', 1, true],
      ['short', 2, true],
    ]);
  });

  it('of a run on an embedded exchange that goes on are not gone', () => {
    const path = scratchJournal();
    const running = openRun(path, 1, { ...runOf(['buy', 100, 1]), config: EMBEDDED });
    onTestFinished(() => running.close());
    expect(journalTrades({ path }).open).toMatchObject([{ isGone: false }]);
  });
});

describe('the trades that are chosen', () => {
  it('are those of a strategy, of a market, and that closed within a time', () => {
    const at = (time: number, strategy: string, market = 'btc_usdt') => [
      fillOf({ strategy, market, time }),
      fillOf({ strategy, market, time: time + 1, side: 'sell', price: 101 }),
    ];
    const fills = [
      ...at(START_MS, 'maker'),
      ...at(START_MS + DAY_MS, 'adopted'),
      ...at(START_MS + 2 * DAY_MS, 'maker', 'eth_btc'),
    ];
    const path = journalWith([{ events: fills.map(fillEvent) }]);
    const chosen = (choice: Omit<TradeChoice, 'path'>) =>
      journalTrades({ ...choice, path }).closed.map(({ strategy, market }) => [strategy, market]);
    const [first, second, third] = chosen({});
    expect(chosen({ strategy: 'adopted' })).toEqual([second]);
    expect(chosen({ market: 'eth_btc' })).toEqual([third]);
    expect(chosen({ from: START_MS + 1, to: START_MS + DAY_MS + 1 })).toEqual([first]);
    expect(chosen({ from: START_MS + 2 })).toEqual([second, third]);
    const { days } = journalDays({ path });
    expect(days.map(({ day, currency, sum }) => [day, currency, `${sum}`])).toEqual([
      [START_MS, 'usdt', '1'],
      [START_MS + DAY_MS, 'usdt', '2'],
      [START_MS + 2 * DAY_MS, 'btc', '1'],
    ]);
  });

  it('are counted by day and currency', () => {
    const trade = (market: string, time: number) => [
      fillEvent(fillOf({ market, time })),
      fillEvent(fillOf({ market, time: time + 1, side: 'sell', price: 101 })),
    ];
    const events = [
      ...trade('btc_usdt', START_MS),
      ...trade('eth_usdt', START_MS + 2),
      ...trade('eth_btc', START_MS + 4),
      ...trade('btc_usdt', START_MS + DAY_MS),
    ];
    const { days } = journalDays({ path: journalWith([{ events }]) });
    expect(days.map(({ day, currency, trades }) => [day, currency, trades])).toEqual([
      [START_MS, 'usdt', 2],
      [START_MS, 'btc', 1],
      [START_MS + DAY_MS, 'usdt', 1],
    ]);
  });

  it('know no rules of a run that told none, and need no market data', () => {
    const path = journalWith([{ ...runOf(['buy', 100, 1], ['sell', 101, 0.5]), hasBasis: false }]);
    expect(journalTrades({ path }).open).toMatchObject([{ trip: { profit: 0.5 } }]);
    const late = new VirtualClock(START_MS + 10 * DAY_MS);
    const options = { path, clock: late, configHash: 'a', keepDays: 1 };
    const kept = journalWith([{ events: [tradeEvent(1), ...runOf(['buy', 100, 1]).events] }]);
    new FileJournal({ ...options, path: kept }).close();
    expect(journalTrades({ path: kept }).open).toHaveLength(1);
  });
});

describe('a journal that cannot be shown', () => {
  it.each([
    ['there is no such file', () => join(scratchFolder(), 'none'), 'there is no such file'],
    ['it is a folder', scratchFolder, 'it is a folder, a journal of live or paper is wanted'],
    ['it is no file', () => '/dev/null', 'it is no file, a journal of live or paper is wanted'],
    ['it has no such run', () => journalWith([runOf(['buy', 1, 1])]), 'it has run 1'],
  ])('is named: %s', (_, make, what) => {
    const path = make();
    const message = expect.stringMatching(`^Cannot read (run 7 of )?${path}: ${what}`);
    const error = expect.objectContaining({ reason: 'journal', message });
    expect(() => journalTrades({ path, run: 7 })).toThrow(error);
    expect(() => journalDays({ path, run: 7 })).toThrow(error);
  });

  it('is not said to be missing where one is not let into its folder', () => {
    const path = journalWith([runOf(['buy', 1, 1])]);
    chmodSync(dirname(path), 0);
    const { stdout } = byNobody(
      `import { journalRuns } from ${JSON.stringify(new URL('../../../src/app/journal/index.ts', import.meta.url).href)};
      try {
        journalRuns(process.argv[1]);
      } catch ({ message }) {
        console.log(message);
      }`,
      path,
    );
    chmodSync(dirname(path), 0o700);
    const barrier = `you may not use ${dirname(path)}, permission to read it is wanted`;
    expect(stdout).toBe(`Cannot read ${path}: ${barrier}\n`);
  });

  it('has no run yet, or lacks the fill of a fee', () => {
    const empty = scratchJournal();
    writeFileSync(empty, '');
    expect(() => journalRuns(empty)).toThrow('it is no journal, one of Tradewind is wanted');
    const path = journalWith([{ events: [lateFeeOf(fillOf({ clientOrderId: 'a1' }), '1')] }]);
    expect(() => journalTrades({ path })).toThrow(
      `Cannot read ${path}: a fee was told of order a1, which has no fill there, an intact ` +
        'journal is wanted',
    );
    expect(readdirSync(dirname(path)).sort()).toEqual([
      ...['test.journal', 'test.journal.departures', 'test.journal.lock'],
    ]);
  });
});
