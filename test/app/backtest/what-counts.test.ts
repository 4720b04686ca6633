import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/app/backtest/index.ts';
import { executionConfigSchema } from '../../../src/execution/index.ts';
import { marketConfigSchema } from '../../../src/market/index.ts';
import { storageConfig } from '../../../src/storage/index.ts';
import { depthRows, tickDataset, tickRun, tradeRows } from './tick-fixture.ts';

const LISTENER = new URL('listener.ts', import.meta.url).pathname;
const TICKER_READER = new URL('ticker-reader.ts', import.meta.url).pathname;

const SECONDS = Array.from({ length: 60 }, (_, at) => at * 7);
const PRINTS = SECONDS.map((second) => [second, 'buy', 100 + (second % 11)] as const);

/** Some minutes of a market, wished on at every candle. */
async function data(kind: 'trades' | 'depth') {
  const rows =
    kind === 'trades'
      ? tradeRows(PRINTS)
      : depthRows([
          [0, 'snapshot', 'buy', 99, 5],
          [0, 'snapshot', 'sell', 121, 5],
          ...PRINTS.flatMap(([second, side, price]) => [
            [second, 'trade', side, price, 2] as const,
            [second + 3, 'change', 'buy', 99, 1 + (second % 3)] as const,
          ]),
        ]);
  const { root } = await tickDataset({ kind, rows });
  const strategies = [{ use: LISTENER, name: 'listener', params: { intervals: ['1min'] } }];
  return async (settings: object = {}) => {
    const deployment = tickRun({ root, kind }, { strategies, ...settings });
    const { record, log } = await runBacktest({ deployment });
    return { hash: record.journalHash, refusals: record.refusals.map(({ code }) => code), log };
  };
}

/** Settings of a live run that a backtest does not look at, none at its default. */
const IGNORED = {
  data: {
    ...{ tickerPollMs: 7, depthPollMs: 7, tradesPollMs: 7, candlesPollMs: 7, depthLevels: 7 },
    ...{ requestTimeoutMs: 7, backoffMaxMs: 7, feeds: false, feedSilenceMs: 7 },
    ...{ feedJoinTimeoutMs: 7, candles: 'venue', exchangeAgeMaxMs: 7 },
    staleAfterMs: { ticker: 7, trades: 7, candles: 7 },
  },
  executor: {
    ...{ foreignOrders: 'cancel', restoredGraceMs: 7, reconcileMs: 7 },
    budget: { marginMs: 7, reserveForCancels: 0.7, questionsShare: 0.2, limitedBackOffMs: 7 },
    heartbeat: { refreshMs: 7_000, retryMs: 700, safetyMarginMs: 7, signOfLifeMs: 7_000 },
  },
  journal: {
    ...{ path: 'nowhere/else', durability: 'full', flushIntervalMs: 7, keepDays: 7 },
    marketData: false,
  },
  log: { level: 'silent', format: 'json' },
  allowWithdrawals: true,
};

describe('what a backtest looks at', () => {
  it.each(['trades', 'depth'] as const)('is none of what concerns a venue, of %s', async (kind) => {
    const run = await data(kind);
    const plain = await run();
    expect(plain.log.length).toBeGreaterThan(3);
    expect(await run(IGNORED)).toEqual(plain);
  });

  it('is every other setting of data', async () => {
    const ignored = Object.keys(IGNORED.data);
    const rest = Object.keys(marketConfigSchema.shape).filter((key) => !ignored.includes(key));
    expect(rest).toEqual(['candleHistory', 'candleGraceMs']);
    const trades = await data('trades');
    const plain = await trades();
    expect((await trades({ data: { candleGraceMs: 5_000 } })).log).not.toEqual(plain.log);
    const depth = await data('depth');
    const refused = async (staleMs: number) =>
      (await depth({ data: { staleAfterMs: { depth: staleMs } } })).refusals;
    expect(await refused(60_000)).toEqual([]);
    expect(await refused(1)).toEqual(['staleData']);
  });

  it('is no setting of the journal', () => {
    expect(Object.keys(IGNORED.journal)).toEqual(Object.keys(storageConfig.shape));
  });

  it('is settings of the executor that are there', () => {
    expect(Object.keys(executionConfigSchema.shape)).toEqual(
      expect.arrayContaining(Object.keys(IGNORED.executor)),
    );
  });
});

describe('a strategy that wants tickers', () => {
  it('ends the run before its first row, and is told what there is', async () => {
    const { root } = await tickDataset({ kind: 'trades', rows: tradeRows(PRINTS) });
    const strategies = [{ use: TICKER_READER, name: 'reader' }];
    const deployment = tickRun({ root, kind: 'trades' }, { strategies });
    let isPlayed = false;
    const onProgress = () => {
      isPlayed = true;
      return true;
    };
    await expect(runBacktest({ deployment, onProgress })).rejects.toThrow(
      /deployment\.yaml:\d+:\d+: Cannot start strategy "reader": Cannot stream ticker of btc_usdt: venue\.btc_usdt\.trades has trade, depth and candle alone, of which no summary of 24 hours is made, one of these is wanted$/,
    );
    expect(isPlayed).toBe(false);
  });
});
