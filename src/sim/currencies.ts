import type { Market } from '../domain/index.ts';
import { Decimal, powerOfTen, UNITS_MAX } from '../kernel/index.ts';
import { type SettingPath, SimulationError } from './errors.ts';

/** Decimal places that money is counted in: those of a bitcoin. */
const CURRENCY_SCALE = 8;
/** The most decimal places of a currency of unknown worth: a wallet then holds 9 million coins. */
const CURRENCY_SCALE_MAX = 9;
/** The most decimal places of price and amount together: those of the finest price and bitcoin. */
const VALUE_SCALE_MAX = 20;
/**
 * Decimal places of a price and its base currency together, if the price has more than 6: a coin
 * quoted in tiny steps is held in huge numbers, so it is counted in larger units.
 */
const CHEAP_SCALES = 14;

/** How many times over all money may grow before it buys more than one order can. */
const MONEY_GROWTH = 10;
/** The largest part of all money that a unit of a coin may be worth to leave room. */
const MONEY_PART = 1e-8;

/** What a coin is worth. */
export interface Worth {
  readonly highest: number;
  /** The lowest price. Default: the highest. */
  readonly lowest?: number;
  /** All money there is to buy it with, in the currency of its prices. Default: it is not known. */
  readonly money?: number;
}

/**
 * The most decimal places of amounts that leave wallets room for coins of such prices.
 *
 * The places of a price say little about the worth of a coin. Where its worth is known, a coin
 * priced to more than 6 places gets units that are worth, at its highest price, at most one unit of
 * the quote currency. Where all money buys, at the lowest price, more of a coin than there is room
 * for, its units are larger, but none is worth more than `MONEY_PART` of that money: fees are
 * rounded up to a unit.
 */
export function finestAmountScale(priceScale: number, worth?: Worth): number {
  const byScale = CHEAP_SCALES - priceScale;
  const isFine = byScale < CURRENCY_SCALE;
  if (worth === undefined) return Math.max(0, Math.min(CURRENCY_SCALE, byScale));
  const { highest, lowest = highest, money = 0 } = worth;
  const finest = isFine ? CURRENCY_SCALE + 1 + Math.floor(Math.log10(highest)) : CURRENCY_SCALE;
  const coarsest = Math.ceil(Math.log10(highest / (money * MONEY_PART)));
  const scale = Math.min(finest, Math.max(roomyScale(lowest, money), coarsest));
  return Math.max(0, Math.min(CURRENCY_SCALE, scale));
}

/** Whether amounts have room, and the same places, whatever the coin of the market is worth. */
export function isRoomy(
  { priceScale, amountScale }: Pick<Market, 'priceScale' | 'amountScale'>,
  money: number,
): boolean {
  const isFine = CHEAP_SCALES - priceScale < CURRENCY_SCALE || amountScale > CURRENCY_SCALE_MAX;
  return !isFine && roomyScale(10 ** -priceScale, money) >= CURRENCY_SCALE;
}

/** The most decimal places of a coin that leave room for as much of it as `money` buys. */
function roomyScale(price: number, money: number): number {
  return Math.floor(Math.log10((UNITS_MAX / MONEY_GROWTH / money) * price));
}

/** The most decimal places that amounts can be set to: more where all money buys little of a coin. */
function amountScaleMax(worth: Worth | undefined): number {
  if (worth?.money === undefined) return CURRENCY_SCALE_MAX;
  return Math.max(CURRENCY_SCALE_MAX, roomyScale(worth.lowest ?? worth.highest, worth.money));
}

/** How many times over the money held at the start may grow before its wallet is full. */
const GROWTH = 100;

export interface CurrenciesOptions {
  /** Further currencies, which accounts may hold although no market trades them. */
  readonly extra?: readonly string[];
  /** What all accounts together hold at the start: it gets room to grow. Default: nothing. */
  readonly held?: ReadonlyMap<string, Decimal>;
  /** Decimal places to keep, however much is held, by currency. Default: those of amounts alone. */
  readonly used?: ReadonlyMap<string, number>;
  /** What the coins of markets are worth, by market id, where known. Default: none is known. */
  readonly worths?: ReadonlyMap<string, Worth> | undefined;
}

/**
 * The currencies of an exchange, each with a scale. Sums of money are whole numbers below 2^53 of
 * its units, and exact.
 *
 * A currency has 8 decimal places, so that a wallet holds 90 million whole coins, whatever markets
 * there are. There are four exceptions:
 * - A base currency has at least the places of its amounts.
 * - One whose prices all have more than 6 places has fewer if it is worth little (4 for a
 *   `shib_usdt` below 0.0001: room for 900 billion) or, if its worth is not known, one fewer for
 *   each place of its prices beyond 6.
 * - One that falls so low that all money buys more of it than there is room for has fewer.
 * - One of which more than 45 million are held at the start, such as `krw`, has as many as leave
 *   room for a hundred times that, but no fewer than are in use.
 *
 * Where price x amount is finer than the quote currency, a trade moves the value rounded down to a
 * unit: one side pays what the other gets.
 */
export class Currencies {
  readonly names: readonly string[];
  readonly #scales = new Map<string, number>();

  /** @throws {SimulationError} when a market needs a finer scale than there is. */
  constructor(
    markets: readonly Market[],
    { extra = [], held, used, worths }: CurrenciesOptions = {},
  ) {
    for (const name of extra) this.#scales.set(name, 0);
    for (const market of markets) {
      requireScales(market, worths?.get(market.id));
      const { id, base, quote, priceScale, amountScale } = market;
      this.#refine(base, Math.max(amountScale, finestAmountScale(priceScale, worths?.get(id))));
      this.#refine(quote, CURRENCY_SCALE);
    }
    const traded = new Set(markets.flatMap(({ base, quote }) => [base, quote]));
    for (const name of extra) if (!traded.has(name)) this.#refine(name, CURRENCY_SCALE);
    this.names = [...this.#scales.keys()];
    for (const [name, money] of held ?? []) {
      const amounts = markets.filter(({ base }) => base === name);
      const least = Math.max(used?.get(name) ?? 0, ...amounts.map((one) => one.amountScale));
      this.#makeRoom(name, { money, least });
    }
  }

  /** Counts a currency of which much is held in larger units, as far as the places in use allow. */
  #makeRoom(
    name: string,
    { money, least }: { readonly money: Decimal; readonly least: number },
  ): void {
    let scale = this.scaleOf(name);
    const fits = (times: number): boolean =>
      money.times(Decimal.of(times)).compare(new Decimal(Number.MAX_SAFE_INTEGER, scale)) <= 0;
    if (fits(2)) return;
    while (scale > least && !fits(GROWTH)) scale--;
    this.#scales.set(name, scale);
  }

  #refine(name: string, scale: number): void {
    this.#scales.set(name, Math.max(this.#scales.get(name) ?? 0, scale));
  }

  /** The place of a currency among `names`. @throws {SimulationError} when there is none such. */
  indexOf(name: string): number {
    const index = this.names.indexOf(name);
    if (index >= 0) return index;
    throw new SimulationError(`Cannot use the currency ${name}: the exchange has none such`);
  }

  /** Decimal places of a currency. */
  scaleOf(name: string): number {
    const scale = this.#scales.get(name);
    if (scale !== undefined) return scale;
    throw new SimulationError(`Cannot use the currency ${name}: the exchange has none such`);
  }

  money(name: string, units: number | bigint): Decimal {
    return new Decimal(units, this.scaleOf(name));
  }

  /**
   * Money as whole units of a currency. `path`: where it stands in the settings of the exchange.
   *
   * @throws {SimulationError} when it has too many digits, is negative or too large.
   */
  units(name: string, text: string, path?: SettingPath): number {
    const scale = this.scaleOf(name);
    const exact = Decimal.of(text);
    const units = Number(exact.round(scale, 'down').units);
    if (exact.equals(new Decimal(BigInt(units), scale)) && Number.isSafeInteger(units)) {
      if (units >= 0) return units;
    }
    const most = new Decimal(BigInt(Number.MAX_SAFE_INTEGER) / powerOfTen(scale), 0);
    throw new SimulationError(
      `Cannot hold ${text} ${name}: from 0 to ${most} with at most ${scale} decimal places is wanted`,
      { path },
    );
  }
}

/** Refuses a market whose sums would leave the range of whole numbers. @throws {SimulationError} */
export function requireScales(market: Market, worth: Worth | undefined): void {
  const { id, base, priceScale, amountScale } = market;
  if (priceScale + amountScale > VALUE_SCALE_MAX) {
    throw new SimulationError(
      `Cannot open the market ${id}: its priceScale and amountScale add up to ` +
        `${priceScale + amountScale}, at most ${VALUE_SCALE_MAX} is wanted`,
    );
  }
  const most = amountScaleMax(worth);
  if (amountScale <= most) return;
  throw new SimulationError(
    `Cannot open the market ${id}: its amountScale is ${amountScale}, which leaves a wallet too ` +
      `little room for ${base}; at most ${most} is wanted`,
  );
}
