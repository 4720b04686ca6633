import { describe, expect, it } from 'vitest';
import { loadBacktest, runBacktest } from '../../../src/app/backtest/index.ts';
import type { TradingEvent } from '../../../src/domain/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { backtestFile, LIMITS, replayed } from './fixture.ts';
import { ownedByBalances, ownedByFills } from './owned.ts';

const RESTLESS = new URL('restless.ts', import.meta.url).pathname;
const MARKETS = ['btc_usdt', 'eth_usdt'];
const BALANCES = { usdt: '100000', btc: '2', eth: '20' };

/** Five made-up hours of two strategies that order and cancel as they like, volumes capped. */
async function restlessRun(fees: object, { latency = {}, usdt = BALANCES.usdt } = {}) {
  const instance = { use: RESTLESS, params: { hears: 'candles' } };
  const deployment = loadBacktest(
    backtestFile({
      markets: MARKETS,
      fees: { maker: 0.0007, taker: 0.0013 },
      strategies: [
        { ...instance, name: 'both', markets: MARKETS },
        { ...instance, name: 'one', markets: ['eth_usdt'] },
      ],
      risk: { ...LIMITS, ordersPerWindowMax: 1e6, duplicateWindowMs: 1 },
      backtest: {
        ...{ from: '2024-01-01', to: '2024-01-01T05:00:00', latency },
        balances: { ...BALANCES, usdt },
        generate: { btc_usdt: { startPrice: 60_000 }, eth_usdt: { startPrice: 3_000 } },
        fill: { model: 'candles', at: 'nextOpen', limits: 'touch' },
        fees,
        markets: {
          btc_usdt: { priceScale: 2, amountScale: 5 },
          eth_usdt: { priceScale: 2, amountScale: 4 },
        },
      },
    }),
  );
  const events: TradingEvent[] = [];
  const onEvent = (event: TradingEvent): void => void events.push(event);
  const { record, orders } = await runBacktest({ deployment, onEvent });
  return { record, orders: [...orders], events };
}

/** What the strategies gained of each base currency. */
function heldBy(events: readonly TradingEvent[]): ReadonlyMap<string, Decimal> {
  const newest = new Map<string, readonly [string, Decimal]>();
  for (const event of events) {
    if (event.kind !== 'position') continue;
    const base = event.market.split('_')[0]!;
    newest.set(`${event.strategy} ${event.market}`, [base, event.position.amount]);
  }
  const held = new Map<string, Decimal>();
  for (const [base, amount] of newest.values()) {
    held.set(base, amount.plus(held.get(base) ?? Decimal.ZERO));
  }
  return held;
}

const CHARGED = { in: 'quote', perOrder: 0.35, perUnit: 0.01234567, least: 1, most: 0.05 };
const LATENCY = { order: 700, answer: { lognormal: { medianMs: 400 } }, feed: 100 };

describe('the fills of a report', () => {
  it.each([
    [{ in: 'received' }, {}],
    [{ in: 'received' }, LATENCY],
    [{ in: 'quote' }, {}],
    [{ in: 'base' }, {}],
    [CHARGED, {}],
    [CHARGED, LATENCY],
    [{ ...CHARGED, buyTax: 0.005, sellTax: 0.000123 }, LATENCY],
  ])(
    'add up to what the account owns, to the digit: fees %j, latency %j',
    async (fees, latency) => {
      const { record, events } = await restlessRun(fees, { latency });
      const owned = ownedByBalances(events);
      expect(ownedByFills(BALANCES, record.fills)).toEqual(owned);
      const held = heldBy(events);
      for (const base of ['btc', 'eth'] as const) {
        expect(`${held.get(base)!.plus(Decimal.of(BALANCES[base]))}`).toBe(owned[base]);
      }
      // Without latency the answer to a cancel comes before the push of what was filled at that moment.
      const lateFees = events.filter(({ kind }) => kind === 'lateFee').length;
      if (latency !== LATENCY) expect(lateFees).toBeGreaterThan(0);
    },
  );
});

describe('the orders of a run', () => {
  it('are refused by risk, never by the exchange, where there is no money for their fee', async () => {
    for (const latency of [{}, LATENCY]) {
      const { record } = await restlessRun(CHARGED, { latency, usdt: '900' });
      expect(record.counts.fills).toBeGreaterThan(100);
      const refused = new Map(record.refusals.map(({ code, count }) => [code, count]));
      expect(refused.get('balance')).toBeGreaterThan(100);
      expect([...refused.keys()].filter((code) => code.startsWith('exchange '))).toEqual([]);
    }
  });

  it('have the fees of their fills, what those are in, and how they traded', async () => {
    const { record, orders } = await restlessRun({});
    const byFills = new Map<string, { fee: Decimal; currency: string; ways: Set<unknown> }>();
    for (const { clientOrderId, fee, feeCurrency, liquidity } of record.fills) {
      const told = byFills.get(clientOrderId);
      const ways = (told?.ways ?? new Set()).add(liquidity);
      const sum = fee.plus(told?.fee ?? Decimal.ZERO);
      byFills.set(clientOrderId, { fee: sum, currency: feeCurrency, ways });
    }
    const kinds = new Set<unknown>();
    for (const { clientOrderId, fee, feeCurrency, liquidity } of orders) {
      for (const [at, id] of clientOrderId.entries()) {
        const { fee: sum = Decimal.ZERO, currency = null, ways = [] } = byFills.get(id) ?? {};
        const [way = null, other] = ways;
        expect([fee[at], feeCurrency[at], liquidity[at]]).toEqual([
          ...[sum.toNumber(), currency],
          other === undefined ? way : 'both',
        ]);
        kinds.add(liquidity[at]);
      }
    }
    expect(kinds).toEqual(new Set([null, 'maker', 'taker']));
  });

  it('tell of one that took, and rested with what was left', async () => {
    const minutes = [100, 100, 99, 98].map((close) => ({ close, volume: 5 }));
    const { orders, record } = await replayed({
      ...{ minutes, script: { 1: { bids: [{ price: 100, amount: 1 }] } } },
      settings: { fees: { maker: 0.001, taker: 0.01 } },
      backtest: { fill: { model: 'candles', volumeCap: 0.1 } },
    });
    expect(Array.from(record.fills, ({ liquidity }) => liquidity)).toEqual(['taker', 'maker']);
    const [columns] = orders;
    expect(columns).toMatchObject({ liquidity: ['both'], feeCurrency: ['btc'] });
    // Half of it took, half rested.
    expect(columns!.fee[0]).toBe(0.5 * 0.01 + 0.5 * 0.001);
  });
});

describe('an order that is cancelled at the open at which it took a part', () => {
  it('is told of as one that took, and paid for it', async () => {
    // A tenth of the volume is there to take.
    const minutes = Array.from({ length: 4 }, () => ({ close: 100, volume: 5 }));
    const bid = { price: 100, amount: 8 };
    const { record, orders } = await replayed({
      ...{ minutes, script: { 1: [{ bids: [bid] }, {}] } },
      settings: { fees: { maker: 0, taker: 0.01 } },
      backtest: { fill: { model: 'candles', volumeCap: 0.1, at: 'nextOpen' } },
    });
    expect(Array.from(record.fills, ({ fee, liquidity }) => `${liquidity} ${fee}`)).toEqual([
      'taker 0.005',
    ]);
    expect(Array.from(orders, ({ liquidity }) => liquidity)).toEqual([['taker']]);
  });
});

describe('a fee that was guessed of a coin of few places', () => {
  it('is the one that is charged', async () => {
    const minutes = Array.from({ length: 4 }, () => ({ close: 100, volume: 5 }));
    const { record, events } = await replayed({
      ...{ minutes, script: { 1: [{ bids: [{ price: 100, amount: 8 }] }, {}] } },
      settings: { fees: { maker: 0.00333, taker: 0.00333 } },
      backtest: {
        balances: { usdt: '10000', btc: '100000000000' },
        fill: { model: 'candles', volumeCap: 0.1, at: 'nextOpen' },
      },
    });
    const fees = events.flatMap((event) => (event.kind === 'fill' ? [`${event.fill.fee}`] : []));
    expect(Array.from(record.fills, ({ fee }) => `${fee}`)).toEqual(['0.0017']);
    expect(fees).toEqual(['0.0017']);
  });
});

describe('a position of a fill that the answer to a cancel told', () => {
  it('can be closed', async () => {
    // A tenth of the volume is there to take: the rest of the bid goes at once.
    const minutes = [100, 100, 100, 100, 100].map((close) => ({ close, volume: 5 }));
    const bid = { price: 100, amount: 8 };
    const { events, record, trades } = await replayed({
      ...{ minutes, script: { 1: [{ bids: [bid] }, {}], 3: 0 } },
      settings: { fees: { maker: 0, taker: 0.01 } },
      backtest: { balances: { usdt: '10000' }, fill: { model: 'candles', volumeCap: 0.1 } },
    });
    expect(events.filter(({ kind }) => kind === 'refusal')).toEqual([]);
    expect(trades.map(([side, amount]) => [side, amount])).toEqual([
      ['buy', 0.5],
      ['sell', 0.495],
    ]);
    expect(Array.from(record.fills, ({ fee, liquidity }) => `${liquidity} ${fee}`)).toEqual([
      'taker 0.005',
      'taker 0.495',
    ]);
  });
});
