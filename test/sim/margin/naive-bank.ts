import type { MarginAsset } from '../../../src/domain/index.ts';
import { DAY_MS } from '../../../src/kernel/index.ts';

/** A fraction of whole numbers, never rounded. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** What a market tells of its prices; undefined where there is none. */
export interface Quote {
  readonly base: string;
  readonly quote: string;
  readonly last: Fraction | undefined;
  readonly bid: Fraction | undefined;
  readonly ask: Fraction | undefined;
}

const ZERO: Fraction = { over: 0n, under: 1n };
const ONE: Fraction = { over: 1n, under: 1n };
/** Units x milliseconds x millionths a day that cost one unit of interest. */
const INTEREST_DIVISOR = BigInt(DAY_MS) * 1_000_000n;

/** The worth in usdt of all that is held and all that is owed, by the rules as they are written. */
export function worthOf(assets: readonly MarginAsset[], quotes: readonly Quote[]) {
  let total = ZERO;
  let debt = ZERO;
  for (const { currency, available, frozen, loan, overdraft } of assets) {
    const held = fractionOf(String(available.plus(frozen)));
    const owed = fractionOf(String(loan.plus(overdraft)));
    total = sum(total, product(held, rateOf(currency, quotes, true)));
    debt = sum(debt, product(owed, rateOf(currency, quotes, false)));
  }
  return { total, debt };
}

/** Whether a wallet may owe so much more of a currency, its debts `times` its net worth. */
export function mayOwe(
  { currency, missing }: { currency: string; missing: string },
  { assets, quotes, times }: { assets: readonly MarginAsset[]; quotes: Quote[]; times: bigint },
): boolean {
  const rate = rateOf(currency, quotes, false);
  const owed = assets.filter(({ loan, overdraft }) => loan.plus(overdraft).sign > 0);
  if (rate === undefined || owed.some((one) => !rateOf(one.currency, quotes, false))) return false;
  const { total, debt } = worthOf(assets, quotes);
  const net = sum(total, { over: -debt.over, under: debt.under });
  const most = sum(debt, product(fractionOf(missing), rate));
  return compare(most, { over: net.over * times, under: net.under }) <= 0;
}

/** A decimal text as a fraction. */
export function fractionOf(text: string): Fraction {
  const [whole = '', places = ''] = text.split('.');
  return { over: BigInt(whole + places), under: 10n ** BigInt(places.length) };
}

/** Positive where the first is larger. */
export function compare(one: Fraction, other: Fraction): number {
  return Number(one.over * other.under - other.over * one.under);
}

/** One loan, in whole units: summed up over the milliseconds. */
export class NaiveLoan {
  principal = 0n;
  #unitMs = 0n;
  #paid = 0n;
  readonly #millionths: bigint;

  constructor(millionthsPerDay: bigint) {
    this.#millionths = millionthsPerDay;
  }

  get interest(): bigint {
    const charged = this.#unitMs * this.#millionths;
    return (charged + INTEREST_DIVISOR - 1n) / INTEREST_DIVISOR - this.#paid;
  }

  wait(durationMs: number): void {
    this.#unitMs += this.principal * BigInt(durationMs);
  }

  /** The loan was repaid down to `left`; a loan of which nothing is left is over. */
  repaid(left: { principal: bigint; interest: bigint }): void {
    this.#paid += this.interest - left.interest;
    this.principal = left.principal;
    if (left.principal + left.interest > 0n) return;
    this.#unitMs = 0n;
    this.#paid = 0n;
  }
}

/** The rate by a market with usdt, else by two markets. */
function rateOf(currency: string, quotes: readonly Quote[], held: boolean): Fraction | undefined {
  const direct = directRateOf(currency, quotes, held);
  if (direct !== undefined) return direct;
  for (const { other, rate } of stepsOf(currency, quotes, held)) {
    const onwards = directRateOf(other, quotes, held);
    if (onwards !== undefined) return product(rate, onwards);
  }
  return undefined;
}

function directRateOf(currency: string, quotes: readonly Quote[], held: boolean) {
  if (currency === 'usdt') return ONE;
  return stepsOf(currency, quotes, held).find(({ other }) => other === 'usdt')?.rate;
}

function stepsOf(currency: string, quotes: readonly Quote[], held: boolean) {
  return quotes.flatMap((one) => {
    const other = otherOf(one, currency);
    const rate = stepOf(one, { currency, held });
    return other === undefined || rate === undefined ? [] : [{ other, rate }];
  });
}

function otherOf({ base, quote }: Quote, currency: string): string | undefined {
  if (base === currency) return quote;
  return quote === currency ? base : undefined;
}

/** Low for what is held and high for what is owed: of the market's price, or of its inverse. */
function stepOf(
  { base, last, bid, ask }: Quote,
  { currency, held }: { currency: string; held: boolean },
): Fraction | undefined {
  const isBase = currency === base;
  const isLow = held === isBase;
  const prices = [last, isLow ? bid : ask].filter((price) => price !== undefined);
  const [price] = prices.sort((a, b) => (isLow ? compare(a, b) : compare(b, a)));
  return price && (isBase ? price : { over: price.under, under: price.over });
}

/** Nothing where the rate is not known. */
function product(one: Fraction, rate: Fraction | undefined): Fraction {
  return rate === undefined ? ZERO : { over: one.over * rate.over, under: one.under * rate.under };
}

function sum(one: Fraction, other: Fraction): Fraction {
  const over = one.over * other.under + other.over * one.under;
  return { over, under: one.under * other.under };
}
