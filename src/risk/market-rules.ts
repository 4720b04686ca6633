import type { Market } from '../domain/index.ts';
import { isSetAnywhere, type MarketLimits, marketLimitsOf, type RiskConfig } from './config.ts';
import { type ExactLimit, exactLimit } from './exact.ts';

/** A market with its limits in whole units: amounts on its amount scale, values on `valueScale`. */
export interface MarketRules {
  readonly market: Market;
  readonly limits: MarketLimits;
  /** Decimal places of a price times an amount. */
  readonly valueScale: number;
  readonly minAmount: ExactLimit;
  readonly minValue: ExactLimit;
  readonly orderAmountMax: ExactLimit | undefined;
  readonly orderValueMax: ExactLimit;
  readonly openValueMax: ExactLimit;
  readonly positionValueMax: ExactLimit;
  /** Infinite where there is no such limit. */
  readonly longMaxUnits: number;
  readonly shortMaxUnits: number;
}

/** The rules of each market, worked out once for each state of the market's own data. */
export class RuleBook {
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #config: RiskConfig;
  readonly #rules = new Map<string, MarketRules>();
  /** Whether in any market there are times or prices at which nothing is opened. */
  readonly boundOpenings: boolean;
  /** Whether in any market there are such times. */
  readonly haveBlackouts: boolean;

  constructor(markets: ReadonlyMap<string, Market>, config: RiskConfig) {
    this.#markets = markets;
    this.#config = config;
    const { blackouts, markets: own } = config;
    this.haveBlackouts =
      blackouts.length > 0 || Object.values(own).some((limits) => limits.blackouts !== undefined);
    this.boundOpenings =
      isSetAnywhere(config, 'priceMin') || isSetAnywhere(config, 'priceMax') || this.haveBlackouts;
  }

  /** Undefined when the market is not known. */
  of(marketId: string): MarketRules | undefined {
    const market = this.#markets.get(marketId);
    if (market === undefined) return undefined;
    let rules = this.#rules.get(marketId);
    if (rules === undefined || rules.market !== market) {
      rules = rulesOf(market, marketLimitsOf(this.#config, marketId));
      this.#rules.set(marketId, rules);
    }
    return rules;
  }
}

function rulesOf(market: Market, limits: MarketLimits): MarketRules {
  const valueScale = market.priceScale + market.amountScale;
  const value = (most: number) => exactLimit(most, { scale: valueScale, rounding: 'down' });
  const amount = (most: number) =>
    exactLimit(most, { scale: market.amountScale, rounding: 'down' });
  const { orderAmountMax, longMax, shortMax } = limits;
  return {
    market,
    limits,
    valueScale,
    minAmount: exactLimit(market.minAmount, { scale: market.amountScale, rounding: 'up' }),
    minValue: exactLimit(market.minSize, { scale: valueScale, rounding: 'up' }),
    orderAmountMax: orderAmountMax === undefined ? undefined : amount(orderAmountMax),
    orderValueMax: value(limits.orderValueMax),
    openValueMax: value(limits.openValueMax),
    positionValueMax: value(limits.positionValueMax),
    longMaxUnits: longMax === undefined ? Number.POSITIVE_INFINITY : unitsOf(amount(longMax)),
    shortMaxUnits: shortMax === undefined ? Number.POSITIVE_INFINITY : unitsOf(amount(shortMax)),
  };
}

/** Beyond 2^53 a limit is none that a position on scale could reach. */
function unitsOf(limit: ExactLimit): number {
  return limit.safe ?? Number.MAX_SAFE_INTEGER;
}
