import type { Conventions, EquityColumns } from '../../../report/index.ts';
import type { SampleColumns } from '../record/sample-log.ts';

/** What is bought of a market, with an equal part of the starting equity. */
interface Share {
  readonly start: number;
  readonly amount: number;
}

export interface AccountCurveOptions {
  readonly markets: readonly string[];
  /** Where that begins: at the first price that is known, or the first behind the start. */
  readonly buyAndHold: Conventions['buyAndHold'];
}

/**
 * What the samples of an account came to, block by block; worked out each time that it is gone
 * through. Doubles: for curves, nothing settles by them.
 */
export function accountCurve(
  samples: Iterable<SampleColumns>,
  { markets, buyAndHold }: AccountCurveOptions,
): Iterable<EquityColumns> {
  const first = buyAndHold === 'firstOpen' ? 0 : 1;
  const shares = sharesOf(samples, first);
  const start = coinsAtStart(samples);
  return { [Symbol.iterator]: () => valued(samples, { markets, shares, start, first }) };
}

interface Valuation {
  readonly markets: readonly string[];
  readonly shares: readonly Share[] | undefined;
  readonly start: Owned | undefined;
  /** The row of the first block from which on prices count for buying and holding. */
  readonly first: number;
}

function* valued(
  samples: Iterable<SampleColumns>,
  { markets, shares, start, first }: Valuation,
): Generator<EquityColumns> {
  let uncounted = first;
  let room = roomFor(0);
  const priced = markets.map(() => false);
  for (const block of samples) {
    const { time, money: cash, positions } = block;
    if (room.equity.length !== time.length) room = roomFor(time.length);
    const named = markets.map((market, at) => [market, positions[at]!] as const);
    const { equity, positionValue } = valueIn(room, block);
    const buyAndHold = shares && boughtAndHeld(block, { shares, first: uncounted, room, priced });
    uncounted = 0;
    const leftAlone = start && worthOf(start, { block, room: room.leftAlone });
    yield {
      ...{ time, cash, equity, positionValue, positions: new Map(named) },
      ...(buyAndHold && { buyAndHold }),
      ...(leftAlone && { leftAlone }),
    };
  }
}

/** Columns that serve again for each block. */
type Room = Readonly<Record<'equity' | 'positionValue' | 'buyAndHold' | 'leftAlone', Float64Array>>;

function roomFor(rows: number): Room {
  const column = () => new Float64Array(rows);
  return {
    ...{ equity: column(), positionValue: column() },
    ...{ buyAndHold: column(), leftAlone: column() },
  };
}

function valueIn(room: Room, { money, prices, amounts }: SampleColumns): Room {
  const { positionValue, equity } = room;
  positionValue.fill(0);
  for (const [market, values] of prices.entries()) {
    const owned = amounts[market]!;
    for (let row = 0; row < owned.length; row++) {
      // Nothing of what has no price yet is worth nothing.
      if (owned[row] !== 0) positionValue[row]! += owned[row]! * values[row]!;
    }
  }
  for (let row = 0; row < equity.length; row++) equity[row] = money[row]! + positionValue[row]!;
  return room;
}

/** Money, and an amount of each market's base currency. */
interface Owned {
  readonly money: number;
  readonly amounts: readonly number[];
}

/** What the account starts with; undefined where that is money alone. */
function coinsAtStart(samples: Iterable<SampleColumns>): Owned | undefined {
  const [beginning] = samples;
  if (beginning === undefined) return undefined;
  const amounts = beginning.amounts.map((column) => column[0]!);
  if (amounts.every((amount) => amount === 0)) return undefined;
  return { money: beginning.money[0]!, amounts };
}

function worthOf(
  { money, amounts }: Owned,
  { block, room }: { readonly block: SampleColumns; readonly room: Float64Array },
): Float64Array {
  room.fill(0);
  for (const [market, amount] of amounts.entries()) {
    // Nothing of what has no price yet is worth nothing.
    if (amount === 0) continue;
    const prices = block.prices[market]!;
    for (let row = 0; row < room.length; row++) room[row]! += amount * prices[row]!;
  }
  for (let row = 0; row < room.length; row++) room[row]! += money;
  return room;
}

/** Undefined where the starting equity or the price of a market is not known. */
function sharesOf(samples: Iterable<SampleColumns>, first: number): Share[] | undefined {
  const [beginning] = samples;
  if (beginning === undefined) return undefined;
  const equity = valueIn(roomFor(beginning.time.length), beginning).equity[0]!;
  const starts = beginning.prices.map((_, market) => firstPrice(samples, { market, first }));
  if (!(equity > 0)) return undefined;
  const shares = starts.flatMap((start) =>
    start === undefined ? [] : [{ start, amount: equity / starts.length / start }],
  );
  return shares.length === starts.length ? shares : undefined;
}

function firstPrice(
  samples: Iterable<SampleColumns>,
  { market, first }: { readonly market: number; readonly first: number },
): number | undefined {
  let uncounted = first;
  for (const { prices } of samples) {
    const price = prices[market]!.find((value, row) => row >= uncounted && value > 0);
    if (price !== undefined) return price;
    uncounted = 0;
  }
  return undefined;
}

interface HeldShares {
  readonly shares: readonly Share[];
  /** The row from which on prices count. */
  readonly first: number;
  readonly room: Room;
  /** Whether a price of each market was known in the rows before. */
  readonly priced: boolean[];
}

function boughtAndHeld(
  { prices }: SampleColumns,
  { shares, first, room, priced }: HeldShares,
): Float64Array {
  const worth = room.buyAndHold.fill(0);
  for (const [market, { start, amount }] of shares.entries()) {
    const column = prices[market]!;
    let isBought = priced[market]!;
    for (let row = 0; row < column.length; row++) {
      const price = column[row]!;
      if (row >= first && price > 0) isBought = true;
      // Before it is bought the money is there; what is held without a price has no known worth.
      worth[row]! += amount * (isBought ? price : start);
    }
    priced[market] = isBought;
  }
  return worth;
}
