import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Depth, Level, MarketRecord, Trade } from '../../src/domain/index.ts';
import { startReplay } from '../../src/sim/replay-market.ts';
import { makeMarket } from '../domain/fixture.ts';
import { fileSource, recordsIn } from '../history/fixture.ts';
import { dataFile } from '../recordings.ts';
import { exchangeFixture, requestFixture } from './fixture.ts';
import { MARKET, tradeOf } from './replay-fixture.ts';

function replayed(records: readonly MarketRecord[]) {
  const simulated = exchangeFixture({ markets: [MARKET], depthIntervalMs: 0 });
  const { clock, liquidity } = simulated;
  const replay = startReplay({ records, liquidity, clock });
  return { ...simulated, replay };
}

function depthOf({ exchange }: ReturnType<typeof exchangeFixture>): Promise<Depth> {
  return lastValueFrom(exchange.market.depth({ market: MARKET.id, size: 50 }));
}

/** The recorded book after all records, by the plainest means. */
function bookAfter(records: readonly MarketRecord[]): { bids: Level[]; asks: Level[] } {
  const sides = { buy: new Map<number, number>(), sell: new Map<number, number>() };
  for (const record of records) {
    if (record.kind === 'book') {
      sides.buy = new Map(record.bids);
      sides.sell = new Map(record.asks);
    }
    if (record.kind !== 'levels') continue;
    for (const [side, price, amount] of record.changes) {
      if (amount === 0) sides[side].delete(price);
      else sides[side].set(price, amount);
    }
  }
  return {
    bids: [...sides.buy].sort((a, b) => b[0] - a[0]).slice(0, 50),
    asks: [...sides.sell].sort((a, b) => a[0] - b[0]).slice(0, 50),
  };
}

/** The trades of a file of rows `[ms, id, type, side, price, amount, cost]`. */
function tradesIn(path: string): MarketRecord[] {
  type Row = [number, string, null, 'buy' | 'sell', number, number];
  const rows = JSON.parse(gunzipSync(readFileSync(path)).toString()) as Row[];
  return rows.map(([time, id, , takerSide, price, amount]) => {
    return { kind: 'trade', time, id, takerSide, price, amount };
  });
}

describe('a replay into the simulated exchange', () => {
  it('pushes a change of many levels whole, never half of it', () => {
    const { clock, exchange } = replayed([
      { kind: 'book', time: 0, bids: [[99, 1]], asks: [[100, 1]] },
      {
        ...{ kind: 'levels', time: 50 },
        changes: [
          ['buy', 100, 2],
          ['buy', 99, 0],
          ['sell', 101, 2],
          ['sell', 100, 0],
        ],
      },
    ]);
    const seen: [bid: number | undefined, ask: number | undefined][] = [];
    exchange.marketFeed.depth(MARKET.id).subscribe(({ bids, asks }) => {
      seen.push([bids[0]?.[0], asks[0]?.[0]]);
    });
    clock.advanceBy(1_000);
    expect(seen).toEqual([
      [undefined, undefined],
      [99, 100],
      [100, 101],
    ]);
  });

  it('fills a resting order when the tape goes through its price', async () => {
    const tape = [1_000, 999.5, 999, 998].map((price, index) =>
      tradeOf({ time: index * 1_000, price, takerSide: 'sell' }),
    );
    const { clock, alice } = replayed(tape);
    clock.advanceBy(0);
    const terms = { market: MARKET.id, side: 'buy', price: 999.2, amount: 0.5 } as const;
    const request = requestFixture({ ...terms, type: 'limit' });
    const { exchangeOrderId } = await lastValueFrom(alice.trading.place(request));
    const filled = async () => {
      const order = alice.trading.order({ market: MARKET.id, exchangeOrderId });
      return (await lastValueFrom(order)).filledAmount;
    };
    clock.advanceBy(1_500);
    expect(await filled()).toBe(0);
    clock.advanceBy(1_000);
    expect(await filled()).toBe(0.5);
  });
});

describe('a replay of real data into the simulated exchange', () => {
  const spot = dataFile('books/binance-spot/btcusdt_20240808.gz');
  it.skipIf(spot === undefined)('ends with the recorded book, to the last level', async () => {
    const all = await recordsIn(fileSource(spot!));
    // Trades after the last change of depth take from a book that no record restores.
    const records = all.slice(0, 1 + all.findLastIndex(({ kind }) => kind === 'levels'));
    const amounts = records.flatMap((record) => (record.kind === 'trade' ? [record.amount] : []));
    const simulated = replayed(records);
    const trades: Trade[] = [];
    simulated.exchange.marketFeed.trades(MARKET.id).subscribe((batch) => trades.push(...batch));
    simulated.clock.advanceBy(600_000);
    expect(simulated.replay.summary).toMatchObject({ gaps: 0, passes: 1 });
    expect(trades.map(({ amount }) => amount)).toEqual(amounts);
    const { bids, asks } = await depthOf(simulated);
    expect({ bids, asks }).toEqual(bookAfter(records));
  });

  const tape = dataFile('trades/XRP_ETH-trades.json.gz');
  it.skipIf(tape === undefined)('keeps a believable book around a tape of trades', async () => {
    const market = makeMarket({
      ...{ id: 'xrp_eth', base: 'xrp', quote: 'eth', priceScale: 8, amountScale: 0 },
      ...{ minAmount: 1, minSize: 0.001 },
    });
    const balances = { xrp: '1000' };
    const { clock, exchange, liquidity } = exchangeFixture({
      markets: [market],
      accounts: [{ name: 'alice', balances }],
      depthIntervalMs: 0,
    });
    const records = tradesIn(tape!);
    const spreads: number[] = [];
    exchange.marketFeed.depth('xrp_eth').subscribe(({ bids, asks }) => {
      if (bids[0] && asks[0]) spreads.push(asks[0][0] / bids[0][0] - 1);
    });
    const replay = startReplay({ records, liquidity, clock });
    clock.advanceBy(3 * 24 * 3_600_000);
    expect(replay.summary).toMatchObject({ records: 12_477, trades: 12_477, passes: 1 });
    expect(Math.min(...spreads)).toBeGreaterThan(0);
    // The real market's spread in those days was about 5 to 10 basis points.
    const median = spreads.sort((a, b) => a - b)[spreads.length >> 1]!;
    expect(median).toBeGreaterThan(0.0001);
    expect(median).toBeLessThan(0.003);
  });
});
