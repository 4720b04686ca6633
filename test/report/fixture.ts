import {
  type Amount,
  amountOf,
  type LateFee,
  type Market,
  orderValue,
  priceOf,
  type Side,
} from '../../src/domain/index.ts';
import { Decimal, type Random, seededRandom } from '../../src/kernel/index.ts';
import type {
  EquityColumns,
  PriceColumns,
  RecordedFill,
  RunRecord,
} from '../../src/report/index.ts';
import { makeMarket as makeUsualMarket } from '../domain/fixture.ts';

export const MINUTE = 60_000;
export const DAY = 86_400_000;
/** Midnight of 20 April 2021, UTC. */
export const START = Date.UTC(2021, 3, 20);

export function makeMarket(overrides: Partial<Market> = {}): Market {
  return makeUsualMarket({ amountScale: 6, minSize: 5, ...overrides });
}

let fillCount = 0;

/** A buy of 1 BTC at 100 without a fee; the value follows price and amount. */
export function makeFill(overrides: Partial<RecordedFill> = {}): RecordedFill {
  const { price = 100, amount = 1 as Amount, side = 'buy' } = overrides;
  const count = ++fillCount;
  return {
    market: 'btc_usdt',
    strategy: 'maker',
    clientOrderId: `order${count}`,
    exchangeOrderId: String(count),
    side,
    amount,
    value: Decimal.of(price).times(Decimal.of(amount)),
    price,
    fee: Decimal.ZERO,
    feeCurrency: 'usdt',
    time: START + count * MINUTE,
    passed: {},
    ...overrides,
  };
}

/** A fee of a buy that was told later. */
export function makeLateFee(overrides: Partial<LateFee> = {}): LateFee {
  const { clientOrderId, exchangeOrderId, market, strategy, side, price, time } = makeFill();
  return {
    ...{ clientOrderId, exchangeOrderId, market, strategy, side, price, time },
    ...{ fee: Decimal.ZERO, feeCurrency: 'btc', value: Decimal.ZERO },
    ...overrides,
  };
}

/** A curve of equity alone, a day between its values. */
export function makeCurve(equity: readonly number[], stepMs = DAY): EquityColumns {
  return {
    time: Float64Array.from(equity, (_, at) => START + at * stepMs),
    equity: Float64Array.from(equity),
    cash: Float64Array.from(equity),
    positionValue: new Float64Array(equity.length),
    positions: new Map(),
  };
}

/** The curve some rows at a time: one, then two, then four. */
export function inBlocks(curve: EquityColumns): Iterable<EquityColumns> {
  return { [Symbol.iterator]: () => blocksOf(curve) };
}

function* blocksOf({ positions, ...columns }: EquityColumns): Generator<EquityColumns> {
  const { length } = columns.time;
  for (let from = 0; from < length; from = 2 * from + 1) {
    const cut = (column: Float64Array) => column.subarray(from, 2 * from + 1);
    const cuts = Object.entries(columns).map(([name, column]) => [name, cut(column)]);
    const held = Array.from(positions, ([market, column]) => [market, cut(column)] as const);
    yield { ...(Object.fromEntries(cuts) as typeof columns), positions: new Map(held) };
  }
}

/** All rows of a record's curve. */
export function wholeCurve({ curve }: Pick<RunRecord, 'curve'>): EquityColumns {
  // Its columns hold until the next are asked for.
  const blocks = Array.from(curve, (block) => structuredClone(block));
  const joined = (columnOf: (block: EquityColumns) => Float64Array) =>
    Float64Array.from(blocks.flatMap((block) => [...columnOf(block)]));
  const markets = [...(blocks[0]?.positions.keys() ?? [])];
  return {
    time: joined(({ time }) => time),
    equity: joined(({ equity }) => equity),
    cash: joined(({ cash }) => cash),
    positionValue: joined(({ positionValue }) => positionValue),
    positions: new Map(markets.map((id) => [id, joined((block) => block.positions.get(id)!)])),
    ...(blocks[0]?.buyAndHold && { buyAndHold: joined((block) => block.buyAndHold!) }),
    ...(blocks[0]?.leftAlone && { leftAlone: joined((block) => block.leftAlone!) }),
  };
}

interface RecordOverrides extends Partial<Omit<RunRecord, 'curve'>> {
  readonly curve?: EquityColumns;
}

/** A run of ten days in which nothing happened. */
export function makeRecord(overrides: RecordOverrides = {}): RunRecord {
  const curve = overrides.curve ?? makeCurve(new Array(11).fill(1000));
  return {
    name: 'A quiet run',
    mode: 'backtest',
    version: '0.1.0',
    settings: { strategy: 'maker', size: 0.01 },
    seed: '1',
    period: { from: curve.time[0] ?? START, to: curve.time.at(-1) ?? START },
    markets: [makeMarket()],
    quote: 'usdt',
    strategies: ['maker'],
    fillModel: { name: 'nextOpen', confession: ['Orders fill at the next open.'] },
    ...{ trading: undefined, ended: [], markouts: [], journalHash: 'abc123' },
    ...{ notes: [], decisive: 0 },
    prices: new Map(),
    fills: [],
    passed: new Map(),
    refusals: [],
    missed: { count: 0, value: Decimal.ZERO },
    coverage: [],
    counts: { events: 0, intents: 0, orders: 0, fills: 0 },
    ...overrides,
    curve: inBlocks(curve),
  };
}

/** Prices that wander with a crash in them, and a run that trades them back and forth. */
export function makeRealisticRecord({ minutes, trades }: RealisticOptions): RunRecord {
  const seed = 'realistic';
  const random = seededRandom(seed);
  const prices = makePrices(minutes, random);
  const fills = makeFills(prices, { trades, random });
  const curve = accountCurve(prices, fills);
  return makeRecord({
    name: 'EMA cross on BTC/USDT',
    settings: realisticSettings(seed),
    seed,
    strategies: ['ema-cross'],
    curve,
    prices: new Map([['btc_usdt', prices]]),
    fills,
    fillModel: {
      name: 'conservative candles',
      confession: [
        'A resting order fills when a candle trades through its price, not when it touches it.',
        'At most a tenth of a candle’s volume is filled.',
        'The queue at a price, and the order of prices inside a candle, are not modelled.',
      ],
    },
    refusals: [
      { code: 'balance', count: 3, wishes: 3 },
      { code: 'collar', count: 410, wishes: 41 },
      { code: 'staleData', count: 12, wishes: 12 },
    ],
    missed: { count: 17, value: Decimal.of('48211.57') },
    coverage: [
      {
        name: 'binance btc_usdt 1min',
        rows: minutes,
        from: START,
        to: START + (minutes - 1) * MINUTE,
        coverage: 0.9936,
        findings: ['A gap of 284 minutes at 2021-04-25 04:00.', '7 candles look half-formed.'],
      },
    ],
    journalHash: '9f2c4be1a07d'.repeat(5),
    counts: { events: minutes, intents: trades * 2, orders: trades * 2 + 17, fills: fills.length },
    notes: ['The last position was left open.'],
  });
}

interface RealisticOptions {
  readonly minutes: number;
  readonly trades: number;
}

function makePrices(minutes: number, random: Random): PriceColumns {
  const columns = {
    time: new Float64Array(minutes),
    open: new Float64Array(minutes),
    high: new Float64Array(minutes),
    low: new Float64Array(minutes),
    close: new Float64Array(minutes),
  };
  const market = makeMarket();
  let price = 56_000;
  for (let at = 0; at < minutes; at++) {
    const crash = at > minutes * 0.93 && at < minutes * 0.945 ? -0.0006 : 0;
    const close = price * Math.exp(crash + 0.0009 * random.normal());
    columns.time[at] = START + at * MINUTE;
    columns.open[at] = priceOf(market, price);
    columns.close[at] = priceOf(market, close);
    columns.high[at] = priceOf(market, Math.max(price, close) * (1 + random.exponential(0.0003)));
    columns.low[at] = priceOf(market, Math.min(price, close) * (1 - random.exponential(0.0003)));
    price = close;
  }
  return columns;
}

function makeFills(
  prices: PriceColumns,
  { trades, random }: { trades: number; random: Random },
): RecordedFill[] {
  const minutes = prices.time.length;
  const fills: RecordedFill[] = [];
  for (let trade = 0; trade < trades; trade++) {
    const opened = Math.floor((trade * minutes) / trades) + random.integer(5);
    const closed = Math.min(minutes - 1, opened + 2 + random.integer(minutes / trades - 8));
    const side: Side = random.next() < 0.7 ? 'buy' : 'sell';
    const amount = amountOf(makeMarket(), 0.05 + 0.2 * random.next());
    fills.push(priced(prices, { at: opened, side, amount, random }));
    if (trade === trades - 1) break;
    const other = side === 'buy' ? 'sell' : 'buy';
    fills.push(priced(prices, { at: closed, side: other, amount, random }));
  }
  return fills;
}

function priced(
  prices: PriceColumns,
  { at, side, amount, random }: { at: number; side: Side; amount: Amount; random: Random },
): RecordedFill {
  const market = makeMarket();
  const reference = prices.open[at]!;
  const price = priceOf(market, reference * (1 + (side === 'buy' ? 0.0001 : -0.0001)));
  const value = orderValue(market, { price, amount });
  return makeFill({
    strategy: 'ema-cross',
    side,
    amount,
    price,
    value,
    fee: value.times(Decimal.of('0.0004')).round(8, 'up'),
    time: prices.time[at]!,
    liquidity: random.next() < 0.3 ? 'maker' : 'taker',
    referencePrice: reference,
  });
}

/** The account of 20,000 USDT that made the fills, valued at every close. */
function accountCurve(
  { time, open, close }: PriceColumns,
  fills: readonly RecordedFill[],
): EquityColumns {
  const rows = time.length + 1;
  const columns = {
    time: new Float64Array(rows),
    equity: new Float64Array(rows),
    cash: new Float64Array(rows),
    positionValue: new Float64Array(rows),
    buyAndHold: new Float64Array(rows),
  };
  const held = new Float64Array(rows);
  let cash = 20_000;
  let amount = 0;
  for (let row = 0, next = 0; row < rows; row++) {
    const at = row - 1;
    for (; at >= 0 && next < fills.length && fills[next]!.time <= time[at]!; next++) {
      const fill = fills[next]!;
      const sign = fill.side === 'buy' ? 1 : -1;
      cash -= sign * fill.value.toNumber() + fill.fee.toNumber();
      amount += sign * fill.amount;
    }
    const price = at < 0 ? open[0]! : close[at]!;
    columns.time[row] = START + row * MINUTE;
    columns.cash[row] = cash;
    columns.positionValue[row] = amount * price;
    columns.equity[row] = cash + amount * price;
    columns.buyAndHold[row] = (20_000 / open[0]!) * price;
    held[row] = amount;
  }
  return { ...columns, positions: new Map([['btc_usdt', held]]) };
}

function realisticSettings(seed: string): RunRecord['settings'] {
  return {
    mode: 'backtest',
    markets: ['btc_usdt'],
    strategies: [{ use: 'ema-cross', params: { fast: 12, slow: 26, size: 0.1 } }],
    period: { from: '2021-04-20', to: '2021-05-21' },
    startingBalances: { usdt: 20_000 },
    fees: { makerRate: 0.0004, takerRate: 0.0004 },
    seed,
  };
}
