import { type Market, midOf, SIDES, type Side } from '../../domain/index.ts';
import { Decimal, UNITS_MAX } from '../../kernel/index.ts';
import { currencyLimitsOf, isSetAnywhere, type RiskConfig } from '../config.ts';
import { productOf, unitsUp } from '../exact.ts';
import { type Exposure, type SideExposure, unitsAbove } from '../exposure.ts';
import { heldAfter } from '../opening.ts';
import { type Check, type Objection, type Review, type RiskView, restingIn } from '../review.ts';

/**
 * Bounds the exposure of all markets of a quote currency, and of each group of markets, long and
 * short alike. Each market counts with its worse side: its position if all resting, in-flight and
 * requested orders of that side filled. A position is valued at the higher of the middle of the
 * book and the last price; an order at that, or at its own price if higher. What does not increase
 * the exposure passes.
 */
export function exposure(view: RiskView): Check {
  const check = { code: 'exposure', scope: 'account' } as const;
  return isAsked(view.config) ? { ...check, ask: tooMuch } : check;
}

function tooMuch(review: Review): Objection | undefined {
  const { view, rules, added, resting, position } = review;
  const { market } = rules;
  const pools = poolsOf(view, market);
  if (pools.length === 0) return undefined;
  const price = priceUnits(view, market);
  // Whether the exposure grows can be told at any price.
  const anyPrice = price ?? UNITS_MAX;
  const after = worstIn({ market, held: heldAfter(review), open: [resting, added] }, anyPrice);
  const before = worstIn({ market, held: position.amount, open: [resting] }, anyPrice);
  const isKnown = after !== undefined && before !== undefined;
  if (isKnown && after.compare(before) <= 0) return undefined;
  const here = price === undefined ? undefined : after;
  for (const { exposureMax, where, others } of pools) {
    const beside = besideOf(view, others);
    const sum = beside && here?.plus(beside);
    if (sum !== undefined && sum.compare(Decimal.of(exposureMax)) <= 0) continue;
    return {
      limit: `at most ${exposureMax} ${market.quote} in ${where}`,
      observed: `${sum ?? 'an unknown value of'} ${market.quote}`,
    };
  }
  return undefined;
}

/** Markets that share one limit. */
interface Pool {
  readonly exposureMax: number;
  /** The name of the pool, in words. */
  readonly where: string;
  /** The markets besides the one asked about. */
  readonly others: readonly Market[];
}

/** The pools of a market: all markets of its quote currency, and the groups that name it. */
function poolsOf(view: RiskView, { id, quote }: Market): readonly Pool[] {
  const others = [...view.markets.values()].filter((one) => one.quote === quote && one.id !== id);
  const { exposureMax } = currencyLimitsOf(view.config, quote);
  const groups = Object.entries(view.config.groups)
    .filter(([, { markets }]) => markets.includes(id))
    .map(([name, { exposureMax, markets }]) => ({
      exposureMax,
      where: `the group ${name}`,
      others: others.filter((other) => markets.includes(other.id)),
    }));
  return exposureMax === undefined
    ? groups
    : [{ exposureMax, where: 'all markets', others }, ...groups];
}

function isAsked(config: RiskConfig): boolean {
  return isSetAnywhere(config, 'exposureMax') || Object.keys(config.groups).length > 0;
}

/** The largest value that other markets may reach together; undefined where one is not known. */
function besideOf(view: RiskView, others: readonly Market[]): Decimal | undefined {
  let sum: Decimal | undefined = Decimal.ZERO;
  for (const market of others) {
    const held = view.positions.position(market.id).amount;
    const holding = { market, held, open: [restingIn(view, market)] };
    const worst = worstIn(holding, priceUnits(view, market));
    sum = worst && sum?.plus(worst);
  }
  return sum;
}

interface Holding {
  readonly market: Market;
  readonly held: Decimal;
  /** The sums of all orders that may fill. */
  readonly open: readonly Exposure[];
}

/** The largest value that a market may reach on either side; undefined where that is not known. */
function worstIn({ market, held, open }: Holding, price: number | undefined): Decimal | undefined {
  const [long, short] = SIDES.map((side) =>
    worthOf(
      open.map((exposure) => exposure[side]),
      { market, price, held: inDirection(held, side) },
    ),
  );
  if (long === undefined || short === undefined) return undefined;
  return long.compare(short) >= 0 ? long : short;
}

function inDirection(held: Decimal, side: Side): Decimal {
  return side === 'buy' ? held : held.negated();
}

/**
 * The value of a position in one direction with the orders that add to it; zero if it stays on the
 * other side.
 */
function worthOf(
  orders: readonly SideExposure[],
  { market, price, held }: { market: Market; price: number | undefined; held: Decimal },
): Decimal | undefined {
  const { priceScale, amountScale } = market;
  const heldUnits = unitsUp(held, amountScale);
  const units = orders.reduce((sum, { amountUnits }) => sum + amountUnits, heldUnits);
  if (units <= 0) return Decimal.ZERO;
  if (price === undefined || !Number.isSafeInteger(units)) return undefined;
  const highest = Math.max(price, ...orders.map(({ highestPriceUnits }) => highestPriceUnits));
  const scale = priceScale + amountScale;
  // Orders that turn the position are worth no more than at the highest price of all.
  if (heldUnits < 0) return productOf(highest, units, scale);
  return orders.reduce(
    // Each at the given price, or at its own if that comes to more.
    (sum, { amountUnits, value }) => {
      const atPrice = productOf(price, amountUnits, scale);
      return sum.plus(atPrice.compare(value) > 0 ? atPrice : value);
    },
    productOf(price, heldUnits, scale),
  );
}

/**
 * The higher of the middle of the book and the last price, however old: either may be out of date,
 * or a side of the book swept away, and a silent market must not hold up the others. Undefined
 * where there is no price, or none that an order can have.
 */
function priceUnits({ prices }: RiskView, { id, priceScale }: Market): number | undefined {
  const depth = prices.depth(id);
  const price = Math.max((depth && midOf(depth)) ?? 0, prices.last(id) ?? 0);
  const units = unitsAbove(price, priceScale);
  return units > 0 && Number.isFinite(units) ? units : undefined;
}
