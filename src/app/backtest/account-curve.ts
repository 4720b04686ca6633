import type { EquityColumns } from '../../report/index.ts';
import type { SampleColumns } from './sample-log.ts';

/** What is bought of a market at its first price, with an equal part of the starting equity. */
interface Share {
  readonly start: number;
  readonly amount: number;
}

/**
 * What the samples of an account came to, block by block; worked out each time that it is gone
 * through. Doubles: for curves, nothing settles by them.
 */
export function accountCurve(
  samples: Iterable<SampleColumns>,
  markets: readonly string[],
): Iterable<EquityColumns> {
  const shares = sharesOf(samples);
  return { [Symbol.iterator]: () => valued(samples, { markets, shares }) };
}

interface Valuation {
  readonly markets: readonly string[];
  readonly shares: readonly Share[] | undefined;
}

function* valued(
  samples: Iterable<SampleColumns>,
  { markets, shares }: Valuation,
): Generator<EquityColumns> {
  for (const block of samples) {
    const { time, money: cash, positions } = block;
    const named = markets.map((market, at) => [market, positions[at]!] as const);
    const buyAndHold = shares && boughtAndHeld(block, shares);
    yield {
      ...{ time, cash, ...worthOf(block), positions: new Map(named) },
      ...(buyAndHold && { buyAndHold }),
    };
  }
}

function worthOf({
  time,
  money,
  prices,
  amounts,
}: SampleColumns): Pick<EquityColumns, 'equity' | 'positionValue'> {
  const positionValue = new Float64Array(time.length);
  for (const [market, values] of prices.entries()) {
    for (const [row, amount] of amounts[market]!.entries()) {
      // Nothing of what has no price yet is worth nothing.
      if (amount !== 0) positionValue[row]! += amount * values[row]!;
    }
  }
  return { positionValue, equity: positionValue.map((value, row) => money[row]! + value) };
}

/** Undefined where the starting equity or the price of a market is not known. */
function sharesOf(samples: Iterable<SampleColumns>): Share[] | undefined {
  const [beginning] = samples;
  if (beginning === undefined) return undefined;
  const first = worthOf(beginning).equity[0]!;
  const starts = beginning.prices.map((_, market) => firstPrice(samples, market));
  if (!(first > 0)) return undefined;
  const shares = starts.flatMap((start) =>
    start === undefined ? [] : [{ start, amount: first / starts.length / start }],
  );
  return shares.length === starts.length ? shares : undefined;
}

function firstPrice(samples: Iterable<SampleColumns>, market: number): number | undefined {
  for (const { prices } of samples) {
    const price = prices[market]!.find((value) => value > 0);
    if (price !== undefined) return price;
  }
  return undefined;
}

function boughtAndHeld({ time, prices }: SampleColumns, shares: readonly Share[]): Float64Array {
  const worth = new Float64Array(time.length);
  for (const [market, { start, amount }] of shares.entries()) {
    for (const [row, price] of prices[market]!.entries()) {
      worth[row]! += amount * (price > 0 ? price : start);
    }
  }
  return worth;
}
