import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/kernel/index.ts';
import {
  CANDLE_PATHS,
  candlesModelSchema,
  GAP_RULES,
} from '../../../src/sim/models/candles-config.ts';
import { START_MS } from './fixture.ts';
import { type NaiveCandle, NaiveCandles } from './naive-candles.ts';
import { balancesAfter } from './naive-money.ts';
import { type NaivePrint, NaiveTrades } from './naive-trades.ts';
import {
  AMOUNT_FACTOR,
  FEES,
  filledOf,
  fillTexts,
  makePlan,
  PRICE_FACTOR,
  pick,
  plannedSource,
} from './planned-fills.ts';

const MINUTE = 60_000;
/** More of them: TRADEWIND_FILL_SEEDS=200. */
const SEEDS = Array.from(
  { length: Number(process.env.TRADEWIND_FILL_SEEDS ?? 12) },
  (_, seed) => seed,
);

function randomCandles(random: Random, count: number): NaiveCandle[] {
  let last = 10_000;
  let next = 0;
  return Array.from({ length: count }, () => {
    const at = next;
    next += pick(random, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1 + random.integer(4)]);
    const open = last + pick(random, [0, 0, random.integer(61) - 30]);
    const close = open + random.integer(81) - 40;
    const high = Math.max(open, close) + pick(random, [0, random.integer(40)]);
    const low = Math.min(open, close) - pick(random, [0, random.integer(40)]);
    last = Math.min(11_000, Math.max(9_000, close));
    return { at, open, high, low, close, volume: 10 * random.integer(1_000) };
  });
}

function candleSource(candles: readonly NaiveCandle[]) {
  const column = (name: keyof NaiveCandle, factor: number) =>
    Float64Array.from(candles, (candle) => candle[name] / factor);
  const prices = {
    ...{ open: column('open', PRICE_FACTOR), high: column('high', PRICE_FACTOR) },
    ...{ low: column('low', PRICE_FACTOR), close: column('close', PRICE_FACTOR) },
  };
  const time = Float64Array.from(candles, ({ at }) => START_MS + at * MINUTE);
  const columns = { time, ...prices, volume: column('volume', AMOUNT_FACTOR) };
  const lengthMs = (candles.at(-1)!.at + 1) * MINUTE;
  return plannedSource({ kind: 'candles', stepMs: MINUTE, columns, lengthMs });
}

/** Where prices within candles are heard. */
const CLOSE_MOMENTS = ['thisClose', 'nextOpen', undefined] as const;
/** Of prices within candles: cents, or tenths. */
const SCALES = [undefined, 1] as const;

function candleCase(seed: number) {
  const random = seededRandom(`candles ${seed}`);
  const candles = randomCandles(random, 250);
  const sign = pick(random, [1, -1] as const);
  const at = pick(random, ['thisClose', 'nextOpen', 'heardOpen', 'heardPath']);
  const pathSteps = 1 + random.integer(6);
  const atClose = at === 'heardPath' ? CLOSE_MOMENTS[seed % 3] : undefined;
  const fill = candlesModelSchema.parse({
    model: 'candles',
    at,
    ...(at === 'heardPath' && { pathSteps, pathScale: SCALES[seed % 2], atClose }),
    limits: pick(random, ['touch', 'penetration']),
    gaps: pick(random, atClose === 'thisClose' ? GAP_RULES : ['own', 'open']),
    path: pick(random, CANDLE_PATHS),
    volumeCap: pick(random, [null, 0.01, 0.1]),
    slippage: pick(random, [{}, { steps: 2 }, { basisPoints: 5 }, { steps: 1, basisPoints: 12 }]),
  });
  // Of both sides only where all is heard at once: own orders of the other side keep one away.
  const isOfBoth = seed % 2 === 1;
  const plan = makePlan(random, {
    ...{ from: 5, to: 240, orders: isOfBoth ? 0.5 : 0.25, cancels: isOfBoth ? 0.4 : 0.12 },
    order: (at) => {
      const side = isOfBoth && random.next() < 0.5 ? -sign : sign;
      return {
        type: pick(random, ['limit', 'limit', 'limit', 'ioc', 'postOnly'] as const),
        side: side > 0 ? 'buy' : 'sell',
        price: candles[at]!.close + side * (random.integer(121) - 72),
        amount: 1 + random.integer(400),
      };
    },
  });
  // Together never whole minutes: who is first of what comes as a candle closes is not asked here.
  const latency = {
    ...{ feed: pick(random, [0, 0, 5, 700]), order: pick(random, [0, 0, 40, 30_000, 59_999]) },
    answer: pick(random, [0, 30, 9_000]),
  };
  const none = { feed: 0, order: 0, answer: 0 };
  const fees = pick(random, [FEES, { maker: 0.000123, taker: 0.001717 }]);
  return { candles, fill, plan, latency: isOfBoth ? none : latency, fees };
}

describe('a backtest of candles', () => {
  it.each(SEEDS)('fills and charges as a naive engine does, seed %i', async (seed) => {
    const { candles, fill, plan, latency, fees } = candleCase(seed);
    const naive = new NaiveCandles(fill, latency, fees);
    naive.play(candles, plan);
    const { fills, balances } = await filledOf({
      ...{ source: candleSource(candles), plan, fees },
      ...{ backtest: { fill, latency }, executor: { answerTimeoutMs: 120_000 } },
    });
    expect(fills).toEqual(fillTexts(naive.fills));
    expect(balances).toEqual(balancesAfter(naive.fills, fees));
  });
});

const SPREAD = 4;

/** The middle moves between two prints of one side alone: what takers bounce is the spread. */
function randomPrints(
  random: Random,
  { count, amount }: { count: number; amount: () => number },
): NaivePrint[] {
  let ms = 1_000;
  let middle = 10_000;
  let sells = true;
  return Array.from({ length: count }, () => {
    ms += pick(random, [0, 20 + random.integer(400)]);
    if (random.next() < 0.5) sells = !sells;
    else middle += random.integer(9) - 4;
    return { ms, price: middle + (sells ? -SPREAD : SPREAD) / 2, amount: amount(), sells };
  });
}

function tradeSource(prints: readonly NaivePrint[]) {
  const columns = {
    time: Float64Array.from(prints, ({ ms }) => START_MS + ms),
    received: new Float64Array(prints.length).fill(Number.NaN),
    price: Float64Array.from(prints, ({ price }) => price / PRICE_FACTOR),
    amount: Float64Array.from(prints, ({ amount }) => amount / AMOUNT_FACTOR),
    side: Float64Array.from(prints, ({ sells }) => (sells ? -1 : 1)),
  };
  return plannedSource({ kind: 'trades', stepMs: 1, columns, lengthMs: prints.at(-1)!.ms + 1 });
}

function settingsOf(random: Random, amount: number) {
  return {
    ...{ queue: pick(random, [0, 50, 300]), printCap: pick(random, [true, false]) },
    ...{ latencyMs: pick(random, [0, 37, 250]), buys: pick(random, [true, false]) },
    touch: { spread: SPREAD, amount },
  };
}

/** Orders behind the best prices. */
function restingCase(seed: number) {
  const random = seededRandom(`trades ${seed}`);
  const prints = randomPrints(random, { count: 500, amount: () => 1 + random.integer(200) });
  const settings = settingsOf(random, 0);
  const sign = settings.buys ? 1 : -1;
  const used = new Set<number>();
  const plan = makePlan(random, {
    ...{ from: 40, to: 490, orders: 0.08, cancels: 0.03 },
    order: (at) => {
      // Each by itself: what waits there is the queue alone.
      let price = prints[at]!.price - sign * (12 + random.integer(20));
      while (used.has(price)) price -= sign;
      used.add(price);
      return { type: 'postOnly', price, amount: 1 + random.integer(300) };
    },
  });
  return { prints, settings, plan, touchMeanTrades: 1 };
}

/** Orders around the best prices, on a tape of one amount: the mean amount is that. */
function takingCase(seed: number) {
  const random = seededRandom(`takers ${seed}`);
  const amount = 20 + random.integer(100);
  const prints = randomPrints(random, { count: 500, amount: () => amount });
  // What is found is a whole number of units.
  const touchMeanTrades = pick(random, amount % 2 === 0 ? [0.5, 1, 2] : [1, 2]);
  const settings = settingsOf(random, amount * touchMeanTrades);
  const sign = settings.buys ? 1 : -1;
  const used = new Set<number>();
  const plan = makePlan(random, {
    ...{ from: 40, to: 490, orders: 0.3, cancels: 0.1 },
    order: (at) => {
      let price = prints[at]!.price + sign * (random.integer(24) - 12);
      while (used.has(price)) price -= sign;
      used.add(price);
      const type = pick(random, ['limit', 'limit', 'ioc', 'postOnly'] as const);
      return { type, price, amount: 1 + random.integer(400) };
    },
  });
  return { prints, settings, plan, touchMeanTrades };
}

describe('a backtest of trades', () => {
  let compared = 0;

  const cases = [
    ['resting', restingCase],
    ['taking', takingCase],
  ] as const;
  const all = cases.flatMap(([what, make]) => SEEDS.map((seed) => [what, seed, make] as const));

  it.each(all)('fills %s orders as a naive engine does, seed %i', async (_, seed, make) => {
    const { prints, settings, plan, touchMeanTrades } = make(seed);
    const { queue, printCap, latencyMs, buys } = settings;
    const queueAhead = queue === 0 ? 'none' : { amount: queue / AMOUNT_FACTOR };
    const naive = new NaiveTrades(settings);
    naive.play(prints, plan);
    const { fills, balances } = await filledOf({
      ...{ source: tradeSource(prints), side: buys ? 'buy' : 'sell', plan },
      backtest: {
        fill: { model: 'trades', queueAhead, printCap, touchMeanTrades },
        latency: { order: latencyMs },
      },
    });
    expect(fills).toEqual(fillTexts(naive.fills));
    expect(balances).toEqual(balancesAfter(naive.fills, FEES));
    compared += fills.length;
  });

  it('has fills to compare', () => {
    expect(compared).toBeGreaterThan(100);
  });
});
