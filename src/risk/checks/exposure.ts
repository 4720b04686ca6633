import { amountDecimal, type Market, midOf, type Refusal } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { currencyLimitsOf } from '../config.ts';
import { addUnits, ExactSum, unitsDown, unitsUp } from '../exact.ts';
import { type Exposure, unitsAbove } from '../exposure.ts';
import { openingOfIntent, openingOfOrder } from '../opening.ts';
import { type Check, type IntentReview, type Review, type RiskView, restingIn } from '../review.ts';

/**
 * All markets of a quote currency together: the position of each as it would be if all that rests or
 * is in flight on its worse side filled, with what is asked for, long and short alike. Valued at the
 * middle of the book, else the last price; what is asked for at its own price where that is higher.
 */
export function exposure(view: RiskView): Check {
  const about = {
    code: 'exposure',
    scope: 'account',
    describe: 'Refuses, where all positions could be worth too much, all that does not shrink one.',
  } as const;
  if (!isSet(view)) return about;
  return {
    ...about,
    onIntent: (review) => (openingOfIntent(review) ? tooMuch(review, after(review)) : undefined),
    onOrder: (review) =>
      openingOfOrder(review) ? tooMuch(review, review.position.amount) : undefined,
  };
}

/** What the market holds once a target is reached; of other wishes what it holds now. */
function after({ intent, view, rules: { market }, strategy, position }: IntentReview): Decimal {
  if (intent.kind !== 'target') return position.amount;
  const own = view.positions.position(market.id, strategy).amount;
  return position.amount.minus(own).plus(amountDecimal(market, intent.position));
}

function tooMuch(review: Review, held: Decimal): Refusal | undefined {
  const { view, rules, added, resting } = review;
  const { quote } = rules.market;
  const { exposureMax } = currencyLimitsOf(view.config, quote);
  if (exposureMax === undefined) return undefined;
  let sum: Decimal | undefined = worstIn(view, { market: rules.market, held, resting, added });
  for (const market of view.markets.values()) {
    if (market.quote !== quote || market.id === rules.market.id) continue;
    const { amount } = view.positions.position(market.id);
    const worst = worstIn(view, { market, held: amount, resting: restingIn(view, market) });
    sum = worst && sum?.plus(worst);
  }
  if (sum !== undefined && sum.compare(Decimal.of(exposureMax)) <= 0) return undefined;
  return {
    code: 'exposure',
    limit: `at most ${exposureMax} ${quote} in all markets`,
    observed: `${sum ?? 'an unknown value of'} ${quote}`,
    scope: 'account',
  };
}

interface Holding {
  readonly market: Market;
  readonly held: Decimal;
  readonly resting: Exposure;
  readonly added?: Exposure;
}

/** What the worse side of a market may come to be worth; undefined where that can't be told. */
function worstIn(view: RiskView, { market, held, resting, added }: Holding): Decimal | undefined {
  const { id, priceScale, amountScale } = market;
  const open = (side: 'buy' | 'sell'): number =>
    addUnits(resting[side].amountUnits, added?.[side].amountUnits ?? 0);
  const long = addUnits(unitsUp(held, amountScale), open('buy'));
  const short = addUnits(-unitsDown(held, amountScale), open('sell'));
  const units = Math.max(long, short);
  if (units <= 0) return Decimal.ZERO;
  const asked = added?.[long >= short ? 'buy' : 'sell'].highestPriceUnits ?? 0;
  const price = Math.max(unitsAbove(priceOf(view, id) ?? 0, priceScale), asked);
  if (!(price > 0) || !Number.isFinite(units)) return undefined;
  return new ExactSum().add(price, units).toDecimal(priceScale + amountScale);
}

/** The newest price there is, however old: a market that is silent must not hold up the others. */
function priceOf({ prices }: RiskView, market: string): number | undefined {
  const depth = prices.depth(market);
  return (depth && midOf(depth)) ?? prices.last(market);
}

function isSet({ config }: RiskView): boolean {
  const ofCurrencies = Object.values(config.currencies);
  return [config, ...ofCurrencies].some(({ exposureMax }) => exposureMax !== undefined);
}
