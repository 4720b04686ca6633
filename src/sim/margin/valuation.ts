import { Decimal } from '../../kernel/index.ts';
import type { MatchingEngine } from '../matching-engine.ts';

/** Decimal places of a rate that is the inverse of a price. */
const INVERSE_SCALE = 24;
const ONE = Decimal.of(1);

/** The parts of a market that tell what its currencies are worth. */
export type PricedMarket = Pick<MatchingEngine, 'units' | 'armsLengthPrice' | 'book'>;

/** Whether a wallet holds or owes money: it decides which way a careful price errs. */
export type Position = 'held' | 'owed';

/**
 * What currencies are worth in the exchange's unit of account, to a careful lender.
 *
 * What is held counts at the lower of the last price and the best bid, what is owed at the higher
 * of the last price and the best ask; if there is only one of the two, that one counts. The last
 * price is that of the newest trade between two parties: a trade of an account with itself tells
 * nothing, nor can an account's quotes improve on a last price. A market of the currency and the
 * unit counts first, whichever is the base; else the first market that leads to the unit in two
 * steps.
 *
 * What it does not model: two accounts that trade with each other to move the price, own quotes in a
 * market without a last price, prices of other exchanges, the depth of the book that a large
 * position would have to be sold into.
 */
export class Valuation {
  readonly #unit: string | undefined;
  readonly #markets: () => Iterable<PricedMarket>;

  /** `unit`: Default: the quote currency of the first market. */
  constructor(parts: { unit: string | undefined; markets: () => Iterable<PricedMarket> }) {
    this.#unit = parts.unit;
    this.#markets = parts.markets;
  }

  /** The unit of account. */
  get unit(): string | undefined {
    if (this.#unit !== undefined) return this.#unit;
    for (const { units } of this.#markets()) return units.market.quote;
    return undefined;
  }

  /** The worth of one coin of a currency, undefined where no market tells. */
  rateOf(currency: string, position: Position): Decimal | undefined {
    const direct = this.#directRate(currency, position);
    if (direct !== undefined) return direct;
    for (const engine of this.#markets()) {
      const other = otherOf(engine, currency);
      const onwards = other === undefined ? undefined : this.#directRate(other, position);
      const step = onwards === undefined ? undefined : rateIn(engine, { currency, position });
      if (step !== undefined) return step.times(onwards!);
    }
    return undefined;
  }

  #directRate(currency: string, position: Position): Decimal | undefined {
    if (currency === this.unit) return ONE;
    for (const engine of this.#markets()) {
      if (otherOf(engine, currency) !== this.unit) continue;
      const rate = rateIn(engine, { currency, position });
      if (rate !== undefined) return rate;
    }
    return undefined;
  }
}

/** The currency that a market trades against `currency`, undefined where it does not trade it. */
function otherOf({ units: { market } }: PricedMarket, currency: string): string | undefined {
  if (market.base === currency) return market.quote;
  return market.quote === currency ? market.base : undefined;
}

/** What one coin of a currency is worth in the other currency of the market. */
function rateIn(
  engine: PricedMarket,
  { currency, position }: { currency: string; position: Position },
): Decimal | undefined {
  const held = position === 'held';
  if (engine.units.market.base === currency) return held ? lowOf(engine) : highOf(engine);
  // The quote currency buys the base currency: for what is held, a high price is careful.
  const price = held ? highOf(engine) : lowOf(engine);
  return price && ONE.dividedBy(price, INVERSE_SCALE, held ? 'down' : 'up');
}

/** The lower of last price and best bid. */
function lowOf({ units, armsLengthPrice: last, book }: PricedMarket): Decimal | undefined {
  const bid = book.bids.best?.price ?? 0;
  const price = last > 0 && bid > 0 ? Math.min(last, bid) : Math.max(last, bid);
  return price > 0 ? new Decimal(price, units.market.priceScale) : undefined;
}

/** The higher of last price and best ask. */
function highOf({ units, armsLengthPrice: last, book }: PricedMarket): Decimal | undefined {
  const price = Math.max(last, book.asks.best?.price ?? 0);
  return price > 0 ? new Decimal(price, units.market.priceScale) : undefined;
}
