import { Decimal } from '../../kernel/index.ts';
import type { MatchingEngine } from '../matching-engine.ts';

/** Decimal places of a rate that is the inverse of a price. */
const INVERSE_SCALE = 24;
const ONE = Decimal.of(1);
const HALF = Decimal.of('0.5');

/** A market as far as it tells what its currencies are worth. */
export type PricedMarket = Pick<MatchingEngine, 'units' | 'bars' | 'book'>;

/**
 * What currencies are worth in the exchange's unit of account, by last prices.
 *
 * A market with the unit itself counts first, whichever way round; else the first market that leads
 * there in one step more. Before its first trade a market is worth the middle of its best prices.
 */
export class Valuation {
  readonly #unit: string | undefined;
  readonly #markets: () => Iterable<PricedMarket>;

  /** Without a unit it is the quote currency of the first market. */
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

  /** The worth of one of a currency, undefined where no market tells. */
  rateOf(currency: string): Decimal | undefined {
    const direct = this.#directRate(currency);
    if (direct !== undefined) return direct;
    for (const engine of this.#markets()) {
      const other = otherOf(engine, currency);
      const onwards = other === undefined ? undefined : this.#directRate(other);
      const step = onwards === undefined ? undefined : rateIn(engine, currency);
      if (step !== undefined) return step.times(onwards!);
    }
    return undefined;
  }

  #directRate(currency: string): Decimal | undefined {
    if (currency === this.unit) return ONE;
    for (const engine of this.#markets()) {
      if (otherOf(engine, currency) !== this.unit) continue;
      const rate = rateIn(engine, currency);
      if (rate !== undefined) return rate;
    }
    return undefined;
  }
}

/** The currency that a market trades against that one, undefined where it does not trade it. */
function otherOf({ units: { market } }: PricedMarket, currency: string): string | undefined {
  if (market.base === currency) return market.quote;
  return market.quote === currency ? market.base : undefined;
}

/** What one of a currency is worth in the other currency of the market. */
function rateIn(engine: PricedMarket, currency: string): Decimal | undefined {
  const price = priceOf(engine);
  if (price === undefined || engine.units.market.base === currency) return price;
  return ONE.dividedBy(price, INVERSE_SCALE, 'down');
}

function priceOf({ units, bars, book }: PricedMarket): Decimal | undefined {
  const { priceScale } = units.market;
  const last = bars.runningMinute?.close ?? bars.endedMinutes.at(-1)?.close;
  if (last !== undefined) return new Decimal(BigInt(last), priceScale);
  const bid = book.bids.best?.price;
  const ask = book.asks.best?.price;
  if (bid === undefined || ask === undefined) return undefined;
  return new Decimal(BigInt(bid) + BigInt(ask), priceScale).times(HALF);
}
