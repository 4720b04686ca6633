import { createReadStream, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { plainBytes } from '../../../src/history/bytes.ts';
import { BestPrices } from '../../../src/history/check/best-prices.ts';
import { type DepthRecord, DepthSynchronizer } from '../../../src/history/depth-synchronizer.ts';
import {
  type Dataset,
  type DatasetOf,
  DEPTH_EVENTS,
  openScan,
  resample,
} from '../../../src/history/index.ts';
import { linesOf } from '../../../src/history/lines.ts';
import { readRawMessage } from '../../../src/history/raw.ts';
import { dataFile } from '../../recordings.ts';
import { rowsOf, Store } from './fixture.ts';

const hasData = dataFile('README.md') !== undefined;
const utc = (text: string): number => Date.parse(`${text}Z`);
const oracle = (name: string) =>
  JSON.parse(readFileSync(dataFile(`oracles/${name}.json`)!, 'utf8'));

interface Half {
  readonly time: number;
}

describe.skipIf(!hasData)('the real data', () => {
  it('of 2021 has its halts, and candles that were saved half-formed', async () => {
    const { pairs } = oracle('resample-1m-5m') as { pairs: Record<string, { different: Half[] }> };
    const store = new Store();
    for (const pair of ['BTC_USDT', 'ETH_BTC']) {
      const files = ['1m', '5m'].map(
        (step) => dataFile(`candles/binance-spot-2021/${pair}-${step}.json`)!,
      );
      await store.import(files, { source: 'binance' });
      const { findings } = await store.check(`binance.${pair.toLowerCase()}.1min`);
      const half = findings.find(({ fault }) => fault === 'half-formed')!;
      const inPrice = half.places.filter(({ detail }) => /open|high|low|close/.test(detail));
      expect(inPrice.map(({ time }) => time)).toEqual(
        pairs[pair]!.different.map(({ time }) => time),
      );
      const gaps = findings.find(({ fault }) => fault === 'gap')!.places;
      expect(gaps).toContainEqual({ time: utc('2021-04-25T04:01'), detail: '284 candles' });
      const early = { time: utc('2021-04-20T02:00'), detail: '150 candles' };
      expect(gaps.length).toBe(pair === 'ETH_BTC' ? 2 : 1);
      if (pair === 'ETH_BTC') expect(gaps).toContainEqual(early);
    }
  }, 60_000);

  it('of 2019 has the gap that its duplicates hide', async () => {
    const store = new Store();
    const dataset = await store.import(
      dataFile('candles/binance-spot-2019-dirty/BTC_USDT-1m.json')!,
    );
    expect(dataset.rows).toBe(43_200);
    const { findings } = await store.check(dataset.id);
    expect(findings).toMatchObject([
      { fault: 'gap', count: 120, places: [{ time: utc('2019-11-25T02:00') }] },
      { fault: 'duplicate', count: 120 },
    ]);
  });

  it.each(['json.gz', 'parquet'])(
    'XRP/ETH trades as %s give the bars of the oracle',
    async (form) => {
      const bars = oracle('book-and-bars')['trades-to-bars'] as Record<string, number>;
      const store = new Store();
      const trades = await store.import(dataFile(`trades/XRP_ETH-trades.${form}`)!);
      expect(trades.rows).toBe(bars['trades count']);
      for (const step of ['1m', '5m']) {
        const built = await resample(trades, { root: store.root, resolution: step });
        expect(built.rows).toBe(bars[`${step} bars`]);
        expect(await rowsOf(built)).toEqual(
          await naiveBars(trades, step === '1m' ? 60_000 : 300_000),
        );
      }
    },
  );
});

describe.skipIf(!hasData)('recorded depth', () => {
  it.each(['spot', 'usdm'])(
    "%s depth is the exchange's own after every update",
    async (market) => {
      const path = `books/binance-${market}/btcusdt_20240808.gz`;
      const facts = oracle('book-and-bars')['best-bid-ask'].files[path] as Record<string, number>;
      const store = new Store();
      const dataset = await store.import(dataFile(path)!);
      const expected = await bestByUpdate(dataFile(path)!);
      let equal = 0;
      for await (const { update, book } of booksOf(dataset)) {
        const best = expected.get(update);
        if (best === undefined) continue;
        const { bid, ask } = book;
        expect([bid, book.amountAt(1, bid), ask, book.amountAt(-1, ask)]).toEqual(best);
        equal++;
      }
      expect(equal).toBe(facts.equal);
      expect((await store.check(dataset.id)).findings).toMatchObject([{ fault: 'late book' }]);
    },
    60_000,
  );

  it('goes on with a book from one recording to the next', async () => {
    const store = new Store();
    const files = ['08', '09'].map(
      (day) => dataFile(`books/binance-spot/btcusdt_202408${day}.gz`)!,
    );
    const dataset = await store.import(files);
    expect(dataset.parts.map(({ period }) => period)).toEqual(['2024-08-08', '2024-08-09']);
    expect((await store.check(dataset.id)).findings).toMatchObject([{ fault: 'late book' }]);
  }, 60_000);
});

/** Bars as one would build them by hand. */
async function naiveBars(trades: Dataset, stepMs: number): Promise<number[][]> {
  const bars = new Map<number, number[]>();
  for (const [time, , price, amount] of await rowsOf(trades)) {
    const start = Math.floor(time! / stepMs) * stepMs;
    const bar = bars.get(start);
    if (bar === undefined) bars.set(start, [start, price!, price!, price!, price!, amount!]);
    else {
      bar[2] = Math.max(bar[2]!, price!);
      bar[3] = Math.min(bar[3]!, price!);
      bar[4] = price!;
      bar[5] = bar[5]! + amount!;
    }
  }
  return [...bars.values()];
}

/** The book of a dataset after each of its updates. */
async function* booksOf(dataset: Dataset) {
  const book = new BestPrices();
  let last = Number.NaN;
  for await (const rows of openScan(dataset as DatasetOf<'depth'>)) {
    for (let row = 0; row < rows.time.length; row++) {
      const [update, event] = [rows.update[row]!, rows.event[row]!];
      if (update !== last) yield { update: last, book };
      if (update !== last && event === DEPTH_EVENTS.snapshot) book.clear();
      last = update;
      if (event === DEPTH_EVENTS.trade || event === DEPTH_EVENTS.gap) continue;
      book.set(rows.side[row]!, rows.price[row]!, rows.amount[row]!);
    }
  }
  yield { update: last, book };
}

/** The exchange's own best bid and ask, by the number that an update has in the dataset. */
async function bestByUpdate(file: string): Promise<Map<number, number[]>> {
  const synchronizer = new DepthSynchronizer();
  const numbers = new Map<number, number>();
  const tickers = new Map<number, number[]>();
  let count = 0;
  const note = (records: readonly DepthRecord[], updateId?: number): void => {
    count += records.length;
    if (records.length === 1 && updateId !== undefined) numbers.set(updateId, count);
  };
  for await (const lines of linesOf(plainBytes(createReadStream(file)))) {
    for (const { text } of lines) {
      const message = readRawMessage(text);
      if (message.kind === 'trade') count++;
      if (message.kind === 'snapshot') note(synchronizer.snapshot(message.snapshot));
      if (message.kind === 'diff') {
        note(synchronizer.diff(message.diff), message.diff.lastUpdateId);
      }
      if (message.kind === 'bookTicker') {
        tickers.set(message.updateId, [...message.bid, ...message.ask]);
      }
    }
  }
  const pairs = [...tickers].flatMap(([updateId, best]) => {
    const number = numbers.get(updateId);
    return number === undefined ? [] : [[number, best] as const];
  });
  return new Map(pairs);
}
