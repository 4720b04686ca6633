import { describe, expect, it } from 'vitest';
import { type CandleSource, runBacktest } from '../../../src/app/backtest/index.ts';
import type { TradingEvent } from '../../../src/domain/index.ts';
import { seededRandom } from '../../../src/kernel/index.ts';
import { analyse, metricsFileOf } from '../../../src/report/index.ts';
import { wholeCurve } from '../../report/fixture.ts';
import { MINUTE, START_MS, scriptedDeployment, sourceOf } from './fixture.ts';
import { ownedByBalances, ownedByFills } from './owned.ts';

/** Has targets by the minute at whose close they are wished, several markets at once. */
const TRIANGLE = `import { defineStrategy, map, mergeMap, target, z } from '#strategy';
export default defineStrategy({
  name: 'triangle',
  params: z.strictObject({ wishes: z.record(z.string(), z.record(z.string(), z.number())) }),
  run({ candles, markets, params: { wishes } }) {
    const byId = new Map(markets.map((market) => [market.id, market]));
    return candles('1min', markets.at(-1)).pipe(
      map(({ openTime }) => wishes[String((openTime - ${START_MS}) / ${MINUTE})] ?? {}),
      mergeMap((targets) => Object.entries(targets)),
      map(([id, amount]) => target(byId.get(id), amount)),
    );
  },
});
`;

/** Closes of btc_usdt, eth_usdt and eth_btc. */
type Closes = readonly [btcUsdt: number, ethUsdt: number, ethBtc: number];
const MARKETS = ['btc_usdt', 'eth_usdt', 'eth_btc'] as const;
type Targets = Readonly<Partial<Record<(typeof MARKETS)[number], number>>>;

/** Minutes of a market, from one on; those before it are not in its data. */
function closesOf(id: string, closes: readonly number[], from = 0): CandleSource {
  const source = sourceOf(id, closes.map((close, at) => ({ close, at })).slice(from));
  return { ...source, market: { ...source.market, priceScale: 4, amountScale: 4 } };
}

interface Triangle {
  readonly closes: readonly Closes[];
  readonly wishes: Readonly<Record<number, Targets>>;
  readonly backtest?: object;
  /** The first minute of the data of btc_usdt. Default: that of the others. */
  readonly btcFrom?: number;
  /** Other settings of the deployment. */
  readonly settings?: object;
}

/** A run of the three markets that starts with usdt and one eth, and what the account ends with. */
async function runTriangle({ closes, wishes, backtest, settings, btcFrom = 0 }: Triangle) {
  const deployment = scriptedDeployment({
    ...{ script: {}, text: TRIANGLE },
    settings: {
      markets: MARKETS,
      strategies: [{ use: './scripted.ts', name: 'triangle', params: { wishes } }],
      fees: { maker: 0.001, taker: 0.001 },
      ...settings,
    },
    backtest: { balances: START, ...backtest },
  });
  const sources = MARKETS.map((id, at) =>
    closesOf(
      id,
      closes.map((of) => of[at]!),
      id === 'btc_usdt' ? btcFrom : 0,
    ),
  );
  const events: TradingEvent[] = [];
  const onEvent = (event: TradingEvent): void => void events.push(event);
  const { record } = await runBacktest({ deployment, sources, onEvent });
  return { record, owned: ownedByBalances(events) };
}

const START = { usdt: '10000', btc: '0', eth: '1' };

/** Once around and back, a fee of a thousandth each time: the numbers below are worked out by hand. */
const AROUND: Triangle = {
  closes: [
    [20_000, 1_000, 0.05],
    [20_000, 1_000, 0.05],
    [20_000, 1_000, 0.05],
    [21_000, 1_050, 0.05],
    [21_000, 1_050, 0.05],
    [25_000, 1_400, 0.056],
    [25_000, 1_500, 0.06],
    [25_000, 1_500, 0.06],
  ],
  wishes: {
    1: { btc_usdt: 0.2 }, // 4,000 usdt; 0.1998 btc come in
    2: { eth_btc: 3 }, // 0.15 btc; 2.997 eth
    3: { eth_usdt: -2.997 }, // 3,146.85 usdt, less 3.14685
    5: { eth_usdt: 0 }, // 4,195.8 usdt; 2.994003 eth
    6: { eth_btc: 0 }, // 0.17982 btc, less 0.00017982
    7: { btc_usdt: 0 }, // 0.1998 btc; 4,995 usdt, less 4.995
  },
};

describe('a backtest of markets of several quote currencies', () => {
  it('keeps each currency to the last digit', async () => {
    const { record, owned } = await runTriangle(AROUND);
    expect(owned).toEqual({ usdt: '9937.90815', btc: '0.02964018', eth: '0.997003' });
    expect(ownedByFills(START, record.fills)).toEqual(owned);
  });

  it('values the account by the prices of each time', async () => {
    const { record } = await runTriangle(AROUND);
    const { time, equity, cash, buyAndHold, leftAlone } = wholeCurve(record);
    expect(record.quote).toBe('usdt');
    expect(Array.from(time, (at) => (at - START_MS) / MINUTE)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const after = (minute: number, column: Float64Array = equity) => column[minute + 1];
    expect(equity[0]).toBe(11_000);
    // 6,000 usdt, 0.1998 btc and 1 eth.
    expect(after(1)).toBeCloseTo(6_000 + 0.1998 * 20_000 + 1_000, 9);
    // 0.0498 btc and 3.997 eth, by eth_usdt, not by eth_btc too.
    expect(after(2)).toBeCloseTo(6_000 + 0.0498 * 20_000 + 3_997, 9);
    expect(after(5)).toBeCloseTo(4_947.90315 + 0.0498 * 25_000 + 3.994003 * 1_400, 9);
    expect(after(7)).toBeCloseTo(9_937.90815 + 0.02964018 * 25_000 + 0.997003 * 1_500, 9);
    expect(after(7, cash)).toBeCloseTo(9_937.90815, 9);
    expect(after(7, leftAlone!)).toBeCloseTo(11_500, 9);
    // Half of 11,000 in btc, half in eth.
    expect(after(7, buyAndHold!)).toBeCloseTo(0.275 * 25_000 + 5.5 * 1_500, 9);
  });

  it('has figures in the currency of the account, by the rates of fills and of the ends of trades', async () => {
    const { record } = await runTriangle(AROUND);
    const { metrics, parts } = metricsFileOf(analyse(record));
    expect(metrics.netProfit).toBeCloseTo(12_174.41715 - 11_000, 9);
    expect(metrics.tradedValue).toBeCloseTo(23_833.15, 9);
    expect(metrics.fees).toBeCloseTo(23.83315, 9);
    expect(parts.map(({ market, profit, fees }) => [market, profit, fees])).toEqual([
      ['btc_usdt', 990.005, 8.995],
      // 0.02964018 btc and 0.00032982, at 25,000.
      ['eth_btc', 741.0045, 8.2455],
      ['eth_usdt', -1_055.2437, 7.34265],
    ]);
  });

  it('can be told in another of its currencies', async () => {
    const backtest = { report: { currency: 'btc' } };
    const { record, owned } = await runTriangle({ ...AROUND, backtest });
    const { equity, cash } = wholeCurve(record);
    expect(record.quote).toBe('btc');
    expect(owned).toEqual({ usdt: '9937.90815', btc: '0.02964018', eth: '0.997003' });
    expect(cash.at(-1)).toBeCloseTo(0.02964018, 12);
    // eth is quoted in btc, usdt by what btc costs of it.
    const last = 9_937.90815 / 25_000 + 0.02964018 + 0.997003 * 0.06;
    expect([equity[0], equity.at(-1)]).toEqual([
      expect.closeTo(0.55, 12),
      expect.closeTo(last, 12),
    ]);
    const { parts } = metricsFileOf(analyse(record));
    expect(parts.map(({ profit }) => profit)).toEqual([
      ...[expect.closeTo(990.005 / 25_000, 12), 0.02964018],
      expect.closeTo(-1_055.2437 / 25_000, 12),
    ]);
  });
});

describe('a market on the way to the currency of the account that has no price yet', () => {
  it('counts at the price that its data begin with, for what was traded before', async () => {
    const wishes = { 1: { eth_btc: -0.5 }, 4: { eth_btc: 0 } };
    const closes = AROUND.closes.with(3, [22_000, 1_050, 0.05]).with(4, [21_000, 1_050, 0.04]);
    const backtest = { from: '2024-01-01' };
    const { record, owned } = await runTriangle({ closes, wishes, backtest, btcFrom: 3 });
    expect(ownedByFills(START, record.fills)).toEqual(owned);
    expect(Array.from(record.fills, ({ rate }) => rate)).toEqual([22_000, 21_000]);
    const { metrics, parts } = metricsFileOf(analyse(record));
    expect(metrics.fees).toBeCloseTo(0.000025 * 22_000 + 0.0005 * 0.04 * 21_000, 9);
    // Sold at 0.05, fee 0.000025 btc, and bought back at 0.04, fee 0.0005 eth.
    expect(parts[0]).toMatchObject({ market: 'eth_btc', trades: 1, profit: 0.00495 * 21_000 });
    const { equity } = wholeCurve(record);
    // So does the start, but not what is owned from then on.
    expect([equity[0], equity[2]]).toEqual([11_000, Number.NaN]);
    expect(equity.at(-1)).toBeCloseTo(10_000 + 0.004975 * 25_000 + 0.9995 * 1_500, 9);
  });
});

describe('the notes of a backtest of markets of several quote currencies', () => {
  it('name limits that nobody has set where they count coins, as a start on a venue does', async () => {
    const closes = AROUND.closes.slice(0, 3);
    const { record } = await runTriangle({ closes, wishes: {}, settings: { risk: {} } });
    expect(record.notes?.join()).toContain('Limits of eth_btc count in btc, and nobody has set');
    const { notes } = (await runTriangle({ closes, wishes: {} })).record;
    expect(notes?.join()).not.toContain('Limits');
  });
});

describe('closing at the end of markets of several quote currencies', () => {
  it('goes on until all is flat, whichever leg pays for which', async () => {
    const { 1: first, 2: second, 3: third } = AROUND.wishes;
    const wishes = { 1: first!, 2: second!, 3: third! };
    const backtest = { closeAtEnd: 'close' };
    const { record, owned } = await runTriangle({ ...AROUND, wishes, backtest });
    const { facts } = analyse(record);
    // The btc to sell is there once eth was sold for it, and that once eth was bought for usdt.
    expect([facts.trades.count, facts.trades.open]).toEqual([3, 0]);
    expect(record.notes?.join()).not.toContain('closeAtEnd did not');
    expect(ownedByFills(START, record.fills)).toEqual(owned);
    expect(Number(owned.btc)).toBeCloseTo(-0.15 + 0.17982 - 0.00017982, 3);
  });
});

/** Prices of three markets that wander, each by itself, and targets that are drawn. */
function drawnTriangle(seed: string): Triangle {
  const random = seededRandom(seed);
  const step = (price: number): number => {
    return Math.max(
      1,
      price + random.integer(2 * Math.ceil(price / 50) + 1) - Math.ceil(price / 50),
    );
  };
  // Ten thousandths, as prices count.
  let units = [200_000_000, 10_000_000, 500];
  const closes = Array.from({ length: 60 }, () => {
    units = units.map(step);
    return units.map((unit) => unit / 10_000) as unknown as Closes;
  });
  const wishes = Array.from({ length: 60 }, (): Targets => {
    const id = MARKETS[random.integer(3)]!;
    return { [id]: (random.integer(41) - 20) / (id === 'btc_usdt' ? 100 : 10) };
  });
  return { closes, wishes: { ...wishes } };
}

describe('the account of markets of several quote currencies', () => {
  it.each(['one', 'two', 'three'])(
    'is all that its fills left, at the last prices: %s',
    async (seed) => {
      const drawn = drawnTriangle(seed);
      const { record, owned } = await runTriangle(drawn);
      const fills = [...record.fills];
      expect(fills.length).toBeGreaterThan(10);
      expect(new Set(fills.map(({ market }) => market)).size).toBe(3);
      expect(ownedByFills(START, fills)).toEqual(owned);
      const { time, equity } = wholeCurve(record);
      for (let row = 1; row < time.length; row++) {
        const [btc, eth] = drawn.closes[row - 1]!;
        const left = ownedByFills(
          START,
          fills.filter((fill) => fill.time <= time[row]!),
        );
        const worth = Number(left.usdt) + Number(left.btc) * btc + Number(left.eth) * eth;
        expect(equity[row]).toBeCloseTo(worth, 6);
      }
    },
  );
});
