import type { Market } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import { isSetAnywhere, type MarketLimits, marketLimitsOf, type RiskConfig } from './config.ts';
import { unitsDown } from './exact.ts';

/** A market with its limits: amounts rounded to its amount scale, values to `valueScale`. */
export interface MarketRules {
  readonly market: Market;
  readonly limits: MarketLimits;
  /** Decimal places of a price times an amount. */
  readonly valueScale: number;
  readonly minAmount: Decimal;
  readonly minValue: Decimal;
  readonly orderAmountMax: Decimal | undefined;
  readonly orderValueMax: Decimal;
  readonly openValueMax: Decimal;
  readonly positionValueMax: Decimal;
  /** Infinite where there is no such limit, or one beyond 2^53. */
  readonly longMaxUnits: number;
  readonly shortMaxUnits: number;
}

/** The rules of each market, worked out once per version of the market's own data. */
export class RuleBook {
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #config: RiskConfig;
  readonly #rules = new Map<string, MarketRules>();
  /** Whether any market has times or prices at which nothing may be opened. */
  readonly boundOpenings: boolean;
  /** Whether any market has blackouts. */
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
  const { amountScale } = market;
  const valueScale = market.priceScale + amountScale;
  const value = (most: number) => Decimal.of(most).round(valueScale, 'down');
  const { orderAmountMax: most, longMax = NONE, shortMax = NONE } = limits;
  return {
    market,
    limits,
    valueScale,
    minAmount: Decimal.of(market.minAmount).round(amountScale, 'up'),
    minValue: Decimal.of(market.minSize).round(valueScale, 'up'),
    orderAmountMax: most === undefined ? undefined : Decimal.of(most).round(amountScale, 'down'),
    orderValueMax: value(limits.orderValueMax),
    openValueMax: value(limits.openValueMax),
    positionValueMax: value(limits.positionValueMax),
    longMaxUnits: longMax === NONE ? NONE : unitsDown(Decimal.of(longMax), amountScale),
    shortMaxUnits: shortMax === NONE ? NONE : unitsDown(Decimal.of(shortMax), amountScale),
  };
}

const NONE = Number.POSITIVE_INFINITY;
