import { NEVER, type Observable, of, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type DownloadChoice, downloadData } from '../../../src/app/history/index.ts';
import { INTERVALS } from '../../../src/domain/index.ts';
import { ExchangeFailure } from '../../../src/exchange/index.ts';
import {
  type DatasetKind,
  type DatasetOf,
  openScan,
  requireDataset,
} from '../../../src/history/index.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { START_MS } from '../../sim/fixture.ts';
import { scratchFolder } from '../fixture.ts';
import { drive, listedVenue, venueCandles, venueTrades, wireVenue } from './fixture.ts';

const START = Date.UTC(2024, 0, 31);
type Listed = ReturnType<typeof listedVenue>;

/** Downloads from a venue of lists into a folder, all on virtual time. */
function downloader(listed: Pick<Listed, 'clock' | 'venue'>, root = scratchFolder()) {
  const choice = { root, markets: ['btc_usdt'], source: 'venue' };
  return async (overrides: Partial<DownloadChoice> = {}, stop: Observable<unknown> = NEVER) => {
    const work = downloadData(listed.venue, { ...choice, ...overrides }, { stop });
    const [report] = await drive(listed.clock, work);
    return report!;
  };
}

async function times(root: string, id: string): Promise<number[]> {
  const found: number[] = [];
  const dataset = requireDataset(root, id) as DatasetOf<DatasetKind>;
  for await (const { time } of openScan(dataset)) found.push(...time);
  return found;
}

const count = 2_500;
const candles = venueCandles('1min', { from: START, count });
const end = START + count * MINUTE_MS;

describe('downloadData, of candles,', () => {
  it('pages as either kind of venue tells them, one request a second', async () => {
    for (const pages of ['newest', 'oldest'] as const) {
      const listed = listedVenue({ candles, pages }, end + MINUTE_MS);
      const root = scratchFolder();
      const report = await downloader(listed, root)({ interval: '1min', from: START });
      const rows = pages === 'newest' ? 1_000 : count;
      expect(report).toMatchObject({ id: 'venue.btc_usdt.1min', rows, stopped: false });
      const untold = { from: START, to: end - 1_000 * MINUTE_MS };
      expect(report.untold).toEqual(pages === 'newest' ? untold : undefined);
      expect(report.dataset).toMatchObject({ rows, gaps: [], lastTime: end - MINUTE_MS });
      const sent = listed.asked.map(({ time }) => time);
      for (const [at, time] of sent.entries()) {
        if (at > 0) expect(time - sent[at - 1]!).toBeGreaterThanOrEqual(SECOND_MS);
      }
      const all = candles.map(({ openTime }) => openTime);
      expect(await times(root, 'venue.btc_usdt.1min')).toEqual(all.slice(-rows));
    }
  });

  it('goes on where the dataset ends, and names what the venue no longer tells', async () => {
    const listed = listedVenue({ candles }, START + 500 * MINUTE_MS);
    const download = downloader(listed);
    expect(await download({ interval: '1min' })).toMatchObject({ rows: 499 });
    listed.clock.advanceTo(START + 800 * MINUTE_MS + 10 * SECOND_MS);
    listed.asked.length = 0;
    expect(await download({ interval: '1min' })).toMatchObject({
      rows: 301,
      dataset: { gaps: [] },
    });
    expect(listed.asked).toHaveLength(1);
    listed.clock.advanceTo(end + MINUTE_MS);
    const { dataset } = await download({ interval: '1min' });
    const gap = { from: START + 799 * MINUTE_MS, to: end - 1_000 * MINUTE_MS };
    expect(dataset).toMatchObject({ rows: 1_800, gaps: [gap] });
    expect(dataset!.gaps[0]!.reason).toContain('latest 1000');
    listed.listed.pages = 'oldest';
    expect((await download({ interval: '1min' })).dataset).toMatchObject({ rows: count, gaps: [] });
  });

  it('stores no candle that may still run, by either clock', async () => {
    const listed = listedVenue({ candles }, START + 10 * MINUTE_MS + 3 * SECOND_MS);
    expect(await downloader(listed)({ interval: '1min' })).toMatchObject({ rows: 9 });
  });

  it('knows all types of the contract', async () => {
    for (const interval of INTERVALS) {
      const from = Date.UTC(2024, 0, 1);
      const listed = listedVenue({ candles: venueCandles(interval, { from, count: 3 }) });
      listed.clock.advanceTo(Date.UTC(2025, 0, 1));
      const report = await downloader(listed)({ interval });
      expect(report).toMatchObject({ id: `venue.btc_usdt.${interval}`, rows: 3 });
    }
  });
});

describe('downloadData, cut short,', () => {
  it('keeps what it had when it is stopped or the venue fails, and goes on from there', async () => {
    const listed = listedVenue({ candles, pages: 'oldest' }, end + MINUTE_MS);
    const { market } = listed.venue.exchange;
    const root = scratchFolder();
    const stop = new Subject<unknown>();
    const choice = { root, markets: ['btc_usdt'], source: 'venue', interval: '1min' } as const;
    const first = downloadData(
      listed.venue,
      { ...choice, from: START },
      {
        stop,
        onProgress: ({ rows }) => {
          if (rows >= 1_000) stop.next('Ctrl-C');
        },
      },
    );
    const [report] = await drive(listed.clock, first);
    expect(report).toMatchObject({ rows: 1_000, stopped: true, dataset: { rows: 1_000 } });
    let failing = 0;
    const candlesThatFail: typeof market.candles = (query) =>
      failing++ > 0
        ? throwError(() => new ExchangeFailure('unknown', 'Cannot read candles: no answer'))
        : market.candles(query);
    const exchange = { ...listed.venue.exchange, market: { ...market, candles: candlesThatFail } };
    const broken = { clock: listed.clock, venue: { ...listed.venue, exchange } };
    await expect(downloader(broken, root)({ interval: '1min' })).rejects.toThrow('no answer');
    expect(failing).toBeGreaterThan(5);
    expect(requireDataset(root, 'venue.btc_usdt.1min').rows).toBe(2_000);
    expect(await downloader(listed, root)({ interval: '1min' })).toMatchObject({ rows: 500 });
  });

  it('is stopped in all markets that come behind the one of then', async () => {
    const listed = listedVenue({ candles, pages: 'oldest' }, end + MINUTE_MS);
    const stop = new Subject<unknown>();
    const markets = ['btc_usdt', 'eth_usdt'];
    const known = () => of(markets.map((id) => makeMarket({ id })));
    const market = { ...listed.venue.exchange.market, markets: known };
    const venue = { ...listed.venue, exchange: { ...listed.venue.exchange, market } };
    const choice = { root: scratchFolder(), markets, source: 'venue', interval: '1min' } as const;
    const stopping = { stop, onProgress: () => stop.next('Ctrl-C') };
    const work = downloadData(venue, { ...choice, from: START }, stopping);
    const [, second] = await drive(listed.clock, work);
    expect(second).toMatchObject({ id: 'venue.eth_usdt.1min', rows: 0, stopped: true });
  });

  it('adds what lies before, and leaves a gap while that is not whole', async () => {
    const listed = listedVenue({ candles, pages: 'oldest' }, end + MINUTE_MS);
    const root = scratchFolder();
    await downloader(listed, root)({ interval: '1min', from: START + 2_000 * MINUTE_MS });
    const stop = new Subject<unknown>();
    const choice = { root, markets: ['btc_usdt'], source: 'venue', interval: '1min' } as const;
    const stopping = { stop, onProgress: () => stop.next('Ctrl-C') };
    await drive(listed.clock, downloadData(listed.venue, { ...choice, from: START }, stopping));
    const part = requireDataset(root, 'venue.btc_usdt.1min');
    const gap = { from: START + 999 * MINUTE_MS, to: START + 2_000 * MINUTE_MS };
    expect(part).toMatchObject({ rows: 1_500, gaps: [gap] });
    const { dataset } = await downloader(listed, root)({ interval: '1min', from: START });
    expect(dataset).toMatchObject({ rows: count, gaps: [], firstTime: START });
  });
});

describe('downloadData, of trades,', () => {
  const trades = venueTrades({ from: START, count: 400 });
  const now = START + HOUR_MS;

  it('finds where a time begins and reads on from there, every trade once', async () => {
    const listed = listedVenue({ trades }, now);
    const root = scratchFolder();
    const from = START + 130 * SECOND_MS;
    const report = await downloader(listed, root)({ from, to: START + 300 * SECOND_MS });
    expect(report).toMatchObject({ id: 'venue.btc_usdt.trades', rows: 170 });
    const wanted = trades.slice(130, 300).map(({ exchangeTime }) => exchangeTime);
    expect(await times(root, 'venue.btc_usdt.trades')).toEqual(wanted);
    expect(await downloader(listed, root)()).toMatchObject({ rows: 100, dataset: { gaps: [] } });
    expect(await downloader(listed, root)({ from: START })).toMatchObject({ rows: 130 });
    const all = trades.map(({ exchangeTime }) => exchangeTime);
    expect(await times(root, 'venue.btc_usdt.trades')).toEqual(all);
  });

  it('names the gap where the venue no longer keeps what follows', async () => {
    const listed = listedVenue({ trades: trades.slice(0, 100) }, now);
    const download = downloader(listed);
    await download({ from: START });
    listed.listed.trades = trades.slice(250);
    const { dataset } = await download();
    const gap = { from: trades[99]!.exchangeTime, to: trades[250]!.exchangeTime };
    expect(dataset).toMatchObject({ rows: 250, gaps: [gap] });
    listed.listed.trades = trades;
    expect((await download()).dataset).toMatchObject({ rows: 400, gaps: [] });
  });

  it('has all trades of a moment of which a dataset knew the last ones alone', async () => {
    const swept = trades.map((trade, at) =>
      [90, 249].includes(at) ? { ...trade, exchangeTime: trades[at + 1]!.exchangeTime } : trade,
    );
    const listed = listedVenue({ trades: swept.slice(91, 150) }, now);
    const download = downloader(listed);
    await download({ from: START });
    listed.listed.trades = swept.slice(250);
    await download();
    listed.listed.trades = swept;
    expect(await download({ from: START })).toMatchObject({ dataset: { rows: 400, gaps: [] } });
    expect(await download({ from: START })).toMatchObject({ rows: 0 });
  });

  it('goes on where the venue counts its ids anew, behind a gap', async () => {
    const listed = listedVenue({ trades: trades.slice(200, 300) }, now);
    const root = scratchFolder();
    await downloader(listed, root)({ from: START });
    const later = venueTrades({ from: START + 600 * SECOND_MS, count: 80 });
    listed.listed.trades = later;
    const { dataset } = await downloader(listed, root)();
    const gap = { from: trades[299]!.exchangeTime, to: later[0]!.exchangeTime };
    expect(dataset).toMatchObject({
      rows: 180,
      gaps: [{ ...gap, reason: 'the ids of trades went back' }],
    });
    expect(await downloader(listed, root)()).toMatchObject({ rows: 0 });
  });

  it('wants a beginning for a new dataset', async () => {
    const listed = listedVenue({ trades }, now);
    await expect(downloader(listed)()).rejects.toThrow('no beginning is given, --from is wanted');
  });
});

describe('downloadData, of trades one of which bears a later time,', () => {
  it('reads on behind it, also where it is the last of a page', async () => {
    const trades = venueTrades({ from: START, count: 400 });
    const exchangeTime = START + 50 * MINUTE_MS;
    const span = { from: START + 130 * SECOND_MS, to: START + 300 * SECOND_MS };
    for (const at of [150, 178, 298]) {
      const odd = trades.with(at, { ...trades[at]!, exchangeTime });
      const report = await downloader(listedVenue({ trades: odd }, START + HOUR_MS))(span);
      expect([at, report]).toMatchObject([at, { rows: 169, dataset: { gaps: [] } }]);
    }
  });
});

describe('downloadData', () => {
  it('works over the wire of the exchange, within its limits', async () => {
    const { venue, subject } = wireVenue();
    const minutes = venueCandles('1min', { from: START_MS - 90 * MINUTE_MS, count: 90 });
    subject.sim.seedHistory('btc_usdt', minutes);
    for (let at = 0; at < 120; at++) {
      subject.pass(SECOND_MS);
      subject.liquidity.print({ takerSide: 'buy', price: 30_000 + at, amount: 1 });
    }
    const root = scratchFolder();
    const candles = { root, markets: ['btc_usdt'] };
    const options = { stop: NEVER };
    const download = (choice: DownloadChoice) =>
      drive(subject.clock, downloadData(venue, choice, options));
    const [byMinute] = await download({ ...candles, interval: '1min' });
    expect(byMinute).toMatchObject({ id: 'data.example.btc_usdt.1min', rows: 91 });
    const [byHour] = await download({ ...candles, interval: '1hour' });
    expect(byHour!.rows).toBeGreaterThan(0);
    const [trades] = await download({ root, markets: ['btc_usdt'], from: START_MS });
    expect(trades).toMatchObject({ id: 'data.example.btc_usdt.trades', rows: 120 });
  });

  it('refuses an unknown market before anything is asked or made', async () => {
    const listed = listedVenue();
    const root = scratchFolder();
    const work = downloader(listed, root)({ interval: '1min', markets: ['btc_usdt', 'no_market'] });
    await expect(work).rejects.toThrow('Cannot use market "no_market"');
    expect(listed.asked).toEqual([]);
  });

  it('says that another process changes the dataset', async () => {
    const listed = listedVenue({ candles: venueCandles('1min', { from: START, count: 5 }) }, START);
    const root = scratchFolder();
    const slow = { ...listed.venue.exchange.market, candles: () => NEVER };
    const exchange = { ...listed.venue.exchange, market: slow };
    const stop = new Subject<unknown>();
    const choice = { root, markets: ['btc_usdt'], source: 'venue', interval: '1min' } as const;
    listed.clock.advanceBy(HOUR_MS);
    const held = downloadData({ ...listed.venue, exchange }, choice, { stop });
    await new Promise(setImmediate);
    await expect(downloader(listed, root)({ interval: '1min' })).rejects.toThrow(
      `process ${process.pid} downloads into it right now`,
    );
    stop.next(undefined);
    expect(await held).toMatchObject([{ rows: 0, stopped: true, dataset: undefined }]);
  });
});
