import type { Conventions, EquityColumns } from '../../../report/index.ts';
import type { SampleColumns } from '../record/sample-log.ts';
import { type Route, ratesOf } from '../worth/routes.ts';

/** What is bought of a currency, with an equal part of the starting equity. */
interface Share {
  readonly start: number;
  readonly amount: number;
}

export interface AccountCurveOptions {
  readonly markets: readonly string[];
  /** How each amount of the samples is valued. */
  readonly routes: readonly Route[];
  /** How each currency is valued that is bought and held. */
  readonly bought: readonly Route[];
  /** Where that begins: at the first price that is known, or the first behind the start. */
  readonly buyAndHold: Conventions['buyAndHold'];
}

/**
 * What the samples of an account came to, block by block; worked out each time that it is gone
 * through. Doubles: for curves, nothing settles by them.
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
  /** The row of the first block from which on prices count for buying and holding. */
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

/** Columns that serve again for each block. */
type Room = Readonly<Record<'equity' | 'positionValue' | 'buyAndHold' | 'leftAlone', Float64Array>>;

function roomFor(rows: number): Room {
  const column = () => new Float64Array(rows);
  return {
    ...{ equity: column(), positionValue: column() },
    ...{ buyAndHold: column(), leftAlone: column() },
  };
}

/** What one of each currency was worth. */
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
      // Nothing of what has no price yet is worth nothing.
      if (owned[row] !== 0) positionValue[row]! += owned[row]! * values[row]!;
    }
  }
  for (let row = 0; row < equity.length; row++) equity[row] = money[row]! + positionValue[row]!;
  return room;
}

/** Money, and an amount of each other currency. */
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
  { rates, room }: Pick<Held, 'rates'> & { readonly room: Float64Array },
): Float64Array {
  room.fill(0);
  for (const [at, amount] of amounts.entries()) {
    // Nothing of what has no price yet is worth nothing.
    if (amount === 0) continue;
    const values = rates[at]!;
    for (let row = 0; row < room.length; row++) room[row]! += amount * values[row]!;
  }
  for (let row = 0; row < room.length; row++) room[row]! += money;
  return room;
}

type Buying = Pick<Valuation, 'routes' | 'bought' | 'first'>;

/** Undefined where the starting equity or a price is not known. */
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
  /** What one of each was worth. */
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
    /** Whether a price of each was known in the rows before. */
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
      // Before it is bought the money is there; what is held without a price has no known worth.
      worth[row]! += amount * (isBought ? price : start);
    }
    priced[at] = isBought;
  }
  return worth;
}
