import type { OrderPush } from '../../src/exchange/index.ts';
import { Decimal } from '../../src/kernel/index.ts';

/** What is charged, money in hundred millionths, rates in millionths. */
export interface NaiveRates {
  readonly maker: bigint;
  readonly taker: bigint;
  readonly perOrder: bigint;
  readonly perUnit: bigint;
  readonly least: bigint;
  readonly most: bigint | undefined;
  readonly buyTax: bigint;
  readonly sellTax: bigint;
  /** Decimal places to round to, the nearest. */
  readonly scale: number | undefined;
}

const MILLION = 1_000_000n;
const HUNDRED_MILLION = 100_000_000n;

/** Whole units of money or of an amount with eight places. */
export const unitsOf = (value: number | string | Decimal): bigint =>
  Decimal.of(value).round(8, 'down').units;

const ceil = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor;
const lesser = (one: bigint, other: bigint) => (one < other ? one : other);
const shareOf = (value: bigint, rate: bigint) => ceil(value * rate, MILLION);

/** Every trade of an order, one after the other. */
interface NaiveOrder {
  readonly isBuy: boolean;
  readonly price: bigint;
  readonly priceScale: number;
  readonly amount: bigint;
  readonly fills: { amount: bigint; value: bigint; share: bigint }[];
  paid: bigint;
}

const sum = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n);

/** The money of one account and the fees of its orders, reckoned fill by fill from what is pushed. */
export class NaiveCharges {
  readonly #rates: NaiveRates;
  readonly #orders = new Map<string, NaiveOrder>();
  /** Orders that rested before the present step: they are makers. */
  readonly #rested = new Set<string>();
  money: bigint;

  constructor(rates: NaiveRates, money: string) {
    this.#rates = rates;
    this.money = unitsOf(money);
  }

  /** Applies a push. Returns the whole fee of its order. */
  push({ order }: OrderPush): bigint {
    const { exchangeOrderId: id, filledAmount, filledValue, closed } = order;
    const price = Decimal.of(order.price);
    const known: NaiveOrder = this.#orders.get(id) ?? {
      ...{ isBuy: order.side === 'buy', amount: unitsOf(order.amount), fills: [], paid: 0n },
      ...{ price: price.units, priceScale: price.scale },
    };
    this.#orders.set(id, known);
    const amount = unitsOf(filledAmount) - sum(known.fills.map((fill) => fill.amount));
    const value = unitsOf(filledValue) - sum(known.fills.map((fill) => fill.value));
    const rate = this.#rested.has(id) ? this.#rates.maker : this.#rates.taker;
    if (amount > 0n) this.#fill(known, { amount, value, rate });
    if (closed) this.#orders.delete(id);
    return known.paid;
  }

  /** The step is over: all open orders rest. */
  rest(): void {
    for (const id of this.#orders.keys()) this.#rested.add(id);
  }

  get frozen(): bigint {
    return sum([...this.#orders.values()].map((order) => this.#frozenFor(order)));
  }

  /** The fee of all of a sell at once. */
  feeOf({ amount, value }: { amount: bigint; value: bigint }): bigint {
    const fills = [{ amount, value, share: shareOf(value, this.#dearest) }];
    return this.#total({ isBuy: false, fills });
  }

  get #dearest(): bigint {
    const { maker, taker } = this.#rates;
    return maker > taker ? maker : taker;
  }

  #fill(
    order: NaiveOrder,
    { amount, value, rate }: { amount: bigint; value: bigint; rate: bigint },
  ): void {
    const { fills, isBuy } = order;
    const wholeShare = shareOf(value, rate);
    const before = this.#restOf(order);
    const after = before.amount - amount;
    const setFree = before.cost - this.#costOf(order, after) - value;
    const forShares = shareOf(before.cost, this.#dearest);
    const shareMax = forShares - shareOf(this.#costOf(order, after), this.#dearest) + setFree;
    const free = this.money - this.frozen;
    fills.push({ amount, value, share: isBuy ? lesser(wholeShare, shareMax) : wholeShare });
    const due = this.#total(order) - order.paid;
    const fee = isBuy ? due : lesser(due, value + free);
    order.paid += fee;
    this.money += (isBuy ? -value : value) - fee;
  }

  #frozenFor(order: NaiveOrder): bigint {
    if (!order.isBuy) return 0n;
    const { amount, cost } = this.#restOf(order);
    const rest = { amount, value: cost, share: shareOf(cost, this.#dearest) };
    return cost + this.#total({ isBuy: true, fills: [...order.fills, rest] }) - order.paid;
  }

  #restOf(order: NaiveOrder): { amount: bigint; cost: bigint } {
    const amount = order.amount - sum(order.fills.map((fill) => fill.amount));
    return { amount, cost: this.#costOf(order, amount) };
  }

  #costOf({ price, priceScale }: NaiveOrder, amount: bigint): bigint {
    return ceil(price * amount, 10n ** BigInt(priceScale));
  }

  #total({ isBuy, fills }: Pick<NaiveOrder, 'isBuy' | 'fills'>): bigint {
    const { perOrder, perUnit, least, most, buyTax, sellTax, scale } = this.#rates;
    const amount = sum(fills.map((fill) => fill.amount));
    const shares = sum(fills.map((fill) => fill.share));
    const value = sum(fills.map((fill) => fill.value));
    const due = perOrder + ceil(perUnit * amount, HUNDRED_MILLION) + shares;
    const atLeast = due > least ? due : least;
    const commission = most === undefined ? atLeast : lesser(atLeast, shareOf(value, most));
    const tax = isBuy ? buyTax : sellTax;
    if (scale === undefined) return commission + shareOf(value, tax);
    const step = 10n ** BigInt(8 - scale);
    const taxed = (value * tax * 2n + step * MILLION) / (2n * step * MILLION);
    return ((commission * 2n + step) / (2n * step) + taxed) * step;
  }
}
