import { currenciesOf } from '../../domain/index.ts';
import { Decimal, getOrInsert } from '../../kernel/index.ts';
import type { TradedOrder } from './digest.ts';
import { baseFeeOf, boughtBy, isWhole, pairsOfFees } from './fee-coins.ts';
import type { OrderPair } from './match-orders.ts';

/** Why two profits differ. */
const CAUSES = [
  'price',
  'amount',
  'unfilledInA',
  'unfilledInB',
  'onlyA',
  'onlyB',
  'fees',
  'endPrice',
  'rest',
] as const;
export type Cause = (typeof CAUSES)[number];

/** One line of the explanation of a difference. */
export interface AttributionLine {
  readonly cause: Cause;
  /** How many orders it comes from; 0 if it comes from none. */
  readonly orders: number;
  /** What it adds to the difference, the profit of B less that of A, in the quote currency. */
  readonly amount: Decimal;
}

/** Where the profits of two runs differ, in one quote currency. Lines add up to `difference`. */
export interface Attribution {
  readonly quote: string;
  readonly profit: { readonly a: Decimal; readonly b: Decimal };
  /** Whether the profits are those of the reports; else those of the fills, at the last prices. */
  readonly isOfReports: boolean;
  /** `b - a`, exact. */
  readonly difference: Decimal;
  readonly lines: readonly AttributionLine[];
}

/** The last price of each market in each run. */
export interface Marks {
  readonly a: ReadonlyMap<string, number>;
  readonly b: ReadonlyMap<string, number>;
}

export interface AttributionOptions {
  readonly pairs: readonly OrderPair[];
  readonly marks: Marks;
  /** The profits in the runs' reports, with their quote currency. Default: those of the fills. */
  readonly reported?: { readonly quote: string; readonly a: Decimal; readonly b: Decimal };
}

/** Decimal places to which a part of an order's value is rounded. */
const MONEY_SCALE = 8;
/** Places of a profit in a report: further ones are noise. */
const REPORTED_SCALE = 12;
/** How far a sum of doubles may be from the exact one. */
const DOUBT = Decimal.of('0.000001');

/**
 * Explains the difference of two profits line by line, for each quote currency.
 *
 * Fills of both runs are valued at the last price of A. What the last price of B changes in the
 * value of B's holdings is a line of its own, and so are the fees.
 */
export function attribute({ pairs, marks, reported }: AttributionOptions): Attribution[] {
  const accounts = new Map<string, Account>();
  const accountIn = (quote: string): Account =>
    getOrInsert(accounts, quote, () => new Account(quote));
  const [a, b] = [pairs.map((pair) => pair.a), pairs.map((pair) => pair.b)];
  const orders = { a: lastPricesOf(a), b: lastPricesOf(b) };
  const ofFees = pairsOfFees(pairs);
  for (const pair of pairs) {
    const { market } = (pair.a ?? pair.b)!;
    const { quote } = currenciesOf(market);
    const mark = marksOf(market, { marks, orders });
    accountIn(quote).add(pair, { mark, isOfFees: ofFees.has(pair) });
  }
  if (reported !== undefined) accountIn(reported.quote);
  return Array.from(accounts.values(), (account) => account.close(reported));
}

/** The last prices of a market in both runs: from its data, else its orders, else the other run. */
function marksOf(
  market: string,
  { marks, orders }: { readonly marks: Marks; readonly orders: Marks },
): { readonly a: Decimal; readonly b: Decimal } {
  const a = marks.a.get(market) ?? orders.a.get(market);
  const b = marks.b.get(market) ?? orders.b.get(market);
  return { a: Decimal.of((a ?? b)!), b: Decimal.of((b ?? a)!) };
}

/** The price of each market's last order. */
function lastPricesOf(orders: readonly (TradedOrder | undefined)[]): Map<string, number> {
  const last = new Map<string, TradedOrder>();
  for (const order of orders) {
    if (order === undefined) continue;
    const known = last.get(order.market)?.createdTime ?? Number.NEGATIVE_INFINITY;
    if (order.createdTime >= known) last.set(order.market, order);
  }
  return new Map(Array.from(last, ([market, { price }]) => [market, price]));
}

interface PairTerms {
  /** The last prices of its market. */
  readonly mark: { readonly a: Decimal; readonly b: Decimal };
  /** Whether the amounts filled differ only by what fees had left to trade. */
  readonly isOfFees: boolean;
}

interface FillTerms {
  readonly mark: Decimal;
  readonly isOfFees: boolean;
}

/** Sums of one quote currency. */
class Account {
  readonly #quote: string;
  readonly #sums = new Map<Cause, { orders: number; amount: Decimal }>();
  #profitA = Decimal.ZERO;
  #profitB = Decimal.ZERO;

  constructor(quote: string) {
    this.#quote = quote;
  }

  add(pair: OrderPair, { mark, isOfFees }: PairTerms): void {
    const { a, b } = pair;
    if (a !== undefined) this.#profitA = this.#profitA.plus(netOf(a, mark.a));
    if (b !== undefined) this.#profitB = this.#profitB.plus(netOf(b, mark.b));
    const left = this.#addFills(pair, { mark: mark.a, isOfFees });
    const fees = feesOf(a, mark.a).minus(feesOf(b, mark.a)).plus(left);
    if (fees.sign !== 0) this.#add('fees', fees);
    const moved = heldOf(b).times(mark.b.minus(mark.a));
    if (moved.sign !== 0) this.#add('endPrice', moved);
  }

  close(reported: AttributionOptions['reported']): Attribution {
    const isReported = reported?.quote === this.#quote;
    const a = isReported ? exactOf(reported.a, this.#profitA) : this.#profitA;
    let explained = Decimal.ZERO;
    for (const { amount } of this.#sums.values()) explained = explained.plus(amount);
    const b = isReported ? exactOf(reported.b, this.#profitB, a.plus(explained)) : this.#profitB;
    const [profit, difference] = [{ a, b }, b.minus(a)];
    const rest = difference.minus(explained);
    if (rest.sign !== 0) this.#sums.set('rest', { orders: 0, amount: rest });
    const lines = CAUSES.flatMap((cause) => {
      const sum = this.#sums.get(cause);
      return sum === undefined ? [] : [{ cause, ...sum }];
    });
    return { quote: this.#quote, profit, isOfReports: isReported, difference, lines };
  }

  /** Adds what the fills differ by. Returns the part that belongs to the fees. */
  #addFills({ a, b }: OrderPair, { mark, isOfFees }: FillTerms): Decimal {
    const filledA = a !== undefined && a.amount.sign > 0 ? a : undefined;
    const filledB = b !== undefined && b.amount.sign > 0 ? b : undefined;
    if (filledA !== undefined && filledB !== undefined) {
      return this.#addBoth(filledA, filledB, { mark, isOfFees });
    }
    if (filledA !== undefined) {
      this.#add(b === undefined ? 'onlyA' : 'unfilledInB', grossOf(filledA, mark).negated());
    } else if (filledB !== undefined) {
      this.#add(a === undefined ? 'onlyB' : 'unfilledInA', grossOf(filledB, mark));
    }
    return Decimal.ZERO;
  }

  /**
   * The amount that both filled differs by its price; what one filled beyond it, by being there, by
   * its order being larger where both filled whole, or by what fees had left: that is returned.
   */
  #addBoth(a: TradedOrder, b: TradedOrder, { mark, isOfFees }: FillTerms): Decimal {
    const common = a.amount.compare(b.amount) < 0 ? a.amount : b.amount;
    const [partA, partB] = [part(a, common), part(b, common)];
    this.#add('price', grossOf(partB.common, mark).minus(grossOf(partA.common, mark)));
    const beyondA = grossOf(partA.beyond, mark);
    const beyondB = grossOf(partB.beyond, mark);
    const beyond = beyondB.minus(beyondA);
    if (isOfFees) return beyond;
    if (isWhole(a) && isWhole(b) && !a.amount.equals(b.amount)) {
      this.#add('amount', beyond);
      return Decimal.ZERO;
    }
    if (partA.beyond.amount.sign > 0) this.#add('unfilledInB', beyondA.negated());
    if (partB.beyond.amount.sign > 0) this.#add('unfilledInA', beyondB);
    return Decimal.ZERO;
  }

  #add(cause: Cause, amount: Decimal): void {
    const sum = this.#sums.get(cause) ?? { orders: 0, amount: Decimal.ZERO };
    this.#sums.set(cause, { orders: sum.orders + 1, amount: sum.amount.plus(amount) });
  }
}

/** A report's profit went through doubles: if it is close to an exact one, that one is taken. */
function exactOf(reported: Decimal, ...workedOut: readonly Decimal[]): Decimal {
  const isClose = (exact: Decimal): boolean => reported.minus(exact).abs().compare(DOUBT) < 0;
  return workedOut.find(isClose) ?? reported.round(REPORTED_SCALE, 'nearest');
}

type Piece = Pick<TradedOrder, 'side' | 'amount' | 'value'>;

/** Splits an order's fills at an amount; the values of both parts add up exactly. */
function part(
  { side, amount, value }: Piece,
  at: Decimal,
): { readonly common: Piece; readonly beyond: Piece } {
  const isWhole = at.equals(amount);
  const inside = isWhole ? value : value.times(at).dividedBy(amount, MONEY_SCALE, 'nearest');
  return {
    common: { side, amount: at, value: inside },
    beyond: { side, amount: amount.minus(at), value: value.minus(inside) },
  };
}

/** The profit of fills before fees, with their amount valued at a price. */
function grossOf({ side, amount, value }: Piece, mark: Decimal): Decimal {
  const worth = amount.times(mark);
  return side === 'buy' ? worth.minus(value) : value.minus(worth);
}

function netOf(order: TradedOrder, mark: Decimal): Decimal {
  return grossOf(order, mark).minus(feesOf(order, mark));
}

/** Fees in the quote currency; those in the base currency are valued at a price. */
function feesOf(order: TradedOrder | undefined, mark: Decimal): Decimal {
  let sum = Decimal.ZERO;
  if (order === undefined) return sum;
  const { base } = currenciesOf(order.market);
  for (const [currency, fee] of order.fees) {
    sum = sum.plus(currency === base ? fee.times(mark) : fee);
  }
  return sum;
}

/** Base currency that the order brought in, less fees in it; negative for a sale. */
function heldOf(order: TradedOrder | undefined): Decimal {
  if (order === undefined) return Decimal.ZERO;
  return boughtBy(order).minus(baseFeeOf(order));
}
