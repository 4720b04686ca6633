import { priceOf, type Side } from '../domain/index.ts';
import { fromUnits, type Random, UNITS_MAX } from '../kernel/index.ts';
import type { SyntheticParameters } from './config.ts';
import type { FairValue } from './fair-value.ts';
import type { Liquidity } from './liquidity.ts';

/** Chance that a maker renews an order in a step: at the touch, and deep in the book. */
const RENEWAL_AT_TOUCH = 0.15;
const RENEWAL_DEEP = 0.01;
/** Spread of the logarithm of the amounts on the levels. */
const AMOUNT_DEVIATION = 0.8;
/** How much more rests on each further level. */
const AMOUNT_GROWTH = 0.06;

/**
 * The makers of a seeded market: a ladder of orders on each side of the fair value, on a fixed grid
 * of prices, wider apart when the market is wild.
 */
export class MakerLadder {
  readonly #liquidity: Liquidity;
  readonly #parameters: SyntheticParameters;
  readonly #random: Random;
  /** Distance of two levels in price units. */
  readonly #gap: number;
  /** Ids of the orders by price in units. */
  readonly #orders: Record<Side, Map<number, string>> = { buy: new Map(), sell: new Map() };

  constructor(parts: { liquidity: Liquidity; parameters: SyntheticParameters; random: Random }) {
    this.#liquidity = parts.liquidity;
    this.#parameters = parts.parameters;
    this.#random = parts.random;
    const { startPrice, levelGap } = parts.parameters;
    this.#gap = Math.max(1, Math.round(startPrice * levelGap * this.#unitsPerPrice()));
  }

  /** Brings the orders in line with the fair value. */
  follow(fair: FairValue): void {
    const price = fair.price * this.#unitsPerPrice();
    const widening = 0.5 + 0.5 * fair.turbulence;
    const half = (price * this.#parameters.spread * widening) / 2;
    const bid = Math.floor((price - half) / this.#gap) * this.#gap;
    const ask = Math.ceil((price + half) / this.#gap) * this.#gap;
    const bids = { side: 'buy', best: bid, step: -this.#gap } as const;
    const asks = { side: 'sell', best: Math.max(ask, bid + this.#gap), step: this.#gap } as const;
    this.#withdraw(bids);
    this.#withdraw(asks);
    this.#fill(bids);
    this.#fill(asks);
  }

  #unitsPerPrice(): number {
    return 10 ** this.#liquidity.market.priceScale;
  }

  /** Cancels what is too near the fair value, too far from it, or due for renewal. */
  #withdraw({ side, best, step }: { side: Side; best: number; step: number }): void {
    const { levels } = this.#parameters;
    for (const [price, id] of this.#orders[side]) {
      const depth = (price - best) / step;
      const renewal = depth < 2 ? RENEWAL_AT_TOUCH : RENEWAL_DEEP;
      if (depth >= 0 && depth < levels && this.#random.next() >= renewal) continue;
      this.#liquidity.cancelOrder(id);
      this.#orders[side].delete(price);
    }
  }

  #fill({ side, best, step }: { side: Side; best: number; step: number }): void {
    const { market } = this.#liquidity;
    for (let depth = 0; depth < this.#parameters.levels; depth++) {
      const units = best + depth * step;
      const isPrice = units > 0 && units < UNITS_MAX;
      if (!isPrice || this.#orders[side].has(units)) continue;
      const price = fromUnits(units, market.priceScale);
      const amount = this.#amount(price, depth);
      const id = this.#liquidity.addOrder({ side, type: 'limit', price, amount });
      if (id !== undefined) this.#orders[side].set(units, id);
    }
  }

  #amount(price: number, depth: number): number {
    const { levelValue } = this.#parameters;
    const size = Math.exp(AMOUNT_DEVIATION * this.#random.normal() - AMOUNT_DEVIATION ** 2 / 2);
    return amountFor(this.#liquidity, {
      price,
      value: levelValue * (1 + AMOUNT_GROWTH * depth) * size,
    });
  }
}

/** A price on scale, from 0 to the largest there can be: a wild market would leave that range. */
export function priceNear({ market }: Pick<Liquidity, 'market'>, price: number): number {
  const most = fromUnits(UNITS_MAX - 1, market.priceScale);
  return priceOf(market, Math.max(0, Math.min(price, most)));
}

/** The amount that a value buys at a price, on scale, from the market's least to the largest. */
export function amountFor(
  { market }: Liquidity,
  { price, value }: { price: number; value: number },
): number {
  const unitsPerAmount = 10 ** market.amountScale;
  const least = Math.max(1, Math.ceil(market.minAmount * unitsPerAmount - 1e-9));
  const wanted = Math.max(least, Math.round((value / price) * unitsPerAmount));
  const units = Math.min(wanted, UNITS_MAX - 1);
  return fromUnits(units, market.amountScale);
}
