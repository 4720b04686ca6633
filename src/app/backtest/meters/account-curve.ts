import type { Conventions, EquityColumns } from '../../../report/index.ts';
import type { SampleColumns } from '../record/sample-log.ts';
import { type Route, ratesOf } from '../worth/routes.ts';

/** What buy and hold buys of a currency with an equal part of the starting equity. */
interface Share {
  readonly start: number;
  readonly amount: number;
}

export interface AccountCurveOptions {
  readonly markets: readonly string[];
  /** How each amount of the samples is valued. */
  readonly routes: readonly Route[];
  /** How each currency that buy and hold buys is valued. */
  readonly bought: readonly Route[];
  /** Where buy and hold begins: at the first known price, or at the first after the start. */
  readonly buyAndHold: Conventions['buyAndHold'];
}

/**
 * The equity curve of an account's samples, block by block, worked out anew at each iteration. In
 * doubles: it is for curves, nothing settles by it.
 */
export function accountCurve(
  samples: Iterable<SampleColumns>,
  options: AccountCurveOptions,
): Iterable<EquityColumns> {
  const first = options.buyAndHold === 'firstOpen' ? 0 : 1;
  const shares = sharesOf(samples, { ...options, first });
  const start = coinsAtStart(samples);
  return { [Symbol.iterator]: () => valued(samples, { ...options, shares, start, first }) };
}

interface Valuation extends AccountCurveOptions {
  readonly shares: readonly Share[] | undefined;
  readonly start: Owned | undefined;
  /** The row of the first block from which on prices count for buy and hold. */
  readonly first: number;
}

function* valued(
  samples: Iterable<SampleColumns>,
  { markets, routes, bought, shares, start, first }: Valuation,
): Generator<EquityColumns> {
  let uncounted = first;
  let room = roomFor(0);
  const priced = bought.map(() => false);
  for (const block of samples) {
    const { time, money: cash, positions } = block;
    if (room.equity.length !== time.length) room = roomFor(time.length);
    const named = markets.map((market, at) => [market, positions[at]!] as const);
    const rates = columnsOf(routes, block);
    const { equity, positionValue } = valueIn(room, { ...block, rates });
    const held = shares && { shares, rates: columnsOf(bought, block), first: uncounted };
    const buyAndHold = held && boughtAndHeld(held, { room: room.buyAndHold, priced });
    uncounted = 0;
    const leftAlone = start && worthOf(start, { rates, room: room.leftAlone });
    yield {
      ...{ time, cash, equity, positionValue, positions: new Map(named) },
      ...(buyAndHold && { buyAndHold }),
      ...(leftAlone && { leftAlone }),
    };
  }
}

/** Columns that are reused for each block. */
type Room = Readonly<Record<'equity' | 'positionValue' | 'buyAndHold' | 'leftAlone', Float64Array>>;

function roomFor(rows: number): Room {
  const column = () => new Float64Array(rows);
  return {
    ...{ equity: column(), positionValue: column() },
    ...{ buyAndHold: column(), leftAlone: column() },
  };
}

/** What one unit of each currency was worth, row by row. */
function columnsOf(routes: readonly Route[], { time, prices }: SampleColumns): Float64Array[] {
  return routes.map((route) => ratesOf(route, prices, time.length));
}

interface Held extends Pick<SampleColumns, 'money' | 'amounts'> {
  readonly rates: readonly Float64Array[];
}

function valueIn(room: Room, { money, amounts, rates }: Held): Room {
  const { positionValue, equity } = room;
  positionValue.fill(0);
  for (const [at, values] of rates.entries()) {
    const owned = amounts[at]!;
    for (let row = 0; row < owned.length; row++) {
      // Owning none of a currency is worth 0 even while the currency has no price.
      if (owned[row] !== 0) positionValue[row]! += owned[row]! * values[row]!;
    }
  }
  for (let row = 0; row < equity.length; row++) equity[row] = money[row]! + positionValue[row]!;
  return room;
}

/** Money in the currency of the account, and an amount of each other currency. */
interface Owned {
  readonly money: number;
  readonly amounts: readonly number[];
}

/** What the account starts with; undefined where it starts with money only. */
function coinsAtStart(samples: Iterable<SampleColumns>): Owned | undefined {
  const [beginning] = samples;
  if (beginning === undefined) return undefined;
  const amounts = beginning.amounts.map((column) => column[0]!);
  if (amounts.every((amount) => amount === 0)) return undefined;
  return { money: beginning.money[0]!, amounts };
}

function worthOf(
  { money, amounts }: Owned,
  { rates, room }: Pick<Held, 'rates'> & { readonly room: Float64Array },
): Float64Array {
  room.fill(0);
  for (const [at, amount] of amounts.entries()) {
    // Owning none of a currency is worth 0 even while the currency has no price.
    if (amount === 0) continue;
    const values = rates[at]!;
    for (let row = 0; row < room.length; row++) room[row]! += amount * values[row]!;
  }
  for (let row = 0; row < room.length; row++) room[row]! += money;
  return room;
}

type Buying = Pick<Valuation, 'routes' | 'bought' | 'first'>;

/** What buy and hold buys; undefined where the starting equity or a price is not known. */
function sharesOf(samples: Iterable<SampleColumns>, buying: Buying): Share[] | undefined {
  const [beginning] = samples;
  if (beginning === undefined) return undefined;
  const rates = columnsOf(buying.routes, beginning);
  const equity = valueIn(roomFor(beginning.time.length), { ...beginning, rates }).equity[0]!;
  const starts = buying.bought.map((route) => firstRate(samples, { route, first: buying.first }));
  if (!(equity > 0)) return undefined;
  const shares = starts.flatMap((start) =>
    start === undefined ? [] : [{ start, amount: equity / starts.length / start }],
  );
  return shares.length === starts.length ? shares : undefined;
}

function firstRate(
  samples: Iterable<SampleColumns>,
  { route, first }: { readonly route: Route; readonly first: number },
): number | undefined {
  let uncounted = first;
  for (const { time, prices } of samples) {
    const rates = ratesOf(route, prices, time.length);
    const rate = rates.find((value, row) => row >= uncounted && value > 0);
    if (rate !== undefined) return rate;
    uncounted = 0;
  }
  return undefined;
}

interface HeldShares {
  readonly shares: readonly Share[];
  /** What one unit of each was worth. */
  readonly rates: readonly Float64Array[];
  /** The row from which on prices count. */
  readonly first: number;
}

function boughtAndHeld(
  { shares, rates, first }: HeldShares,
  {
    room,
    priced,
  }: {
    readonly room: Float64Array;
    /** Whether each had a price in an earlier block; updated here. */
    readonly priced: boolean[];
  },
): Float64Array {
  const worth = room.fill(0);
  for (const [at, { start, amount }] of shares.entries()) {
    const column = rates[at]!;
    let isBought = priced[at]!;
    for (let row = 0; row < column.length; row++) {
      const price = column[row]!;
      if (row >= first && price > 0) isBought = true;
      // Until it is bought, its money is there. Once held, a missing price makes the worth unknown.
      worth[row]! += amount * (isBought ? price : start);
    }
    priced[at] = isBought;
  }
  return worth;
}
