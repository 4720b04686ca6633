import type { Market } from '../domain/index.ts';
import { Decimal, powerOfTen, UNITS_MAX } from '../kernel/index.ts';
import { type SettingPath, SimulationError } from './errors.ts';

/** Decimal places that money is counted in: those of a bitcoin. */
const CURRENCY_SCALE = 8;
/** Decimal places that any currency can have: a wallet then holds 9 million whole coins of it. */
const CURRENCY_SCALE_MAX = 9;
/** Decimal places that a price and an amount can have together: the finest price and a bitcoin's. */
const VALUE_SCALE_MAX = 20;
/**
 * Decimal places of a price and of its base currency together, below those of a bitcoin: a coin
 * that is quoted in tiny steps is held in huge numbers, so it is counted in larger units.
 */
const CHEAP_SCALES = 14;

/** All money that there is may grow so many times before it buys more than an order can say. */
const MONEY_GROWTH = 10;
/** The part of all money that a unit of a coin may be worth at most, for the sake of room. */
const MONEY_PART = 1e-8;

/** What a coin is worth. */
export interface Worth {
  readonly highest: number;
  /** The lowest price. Default: the highest. */
  readonly lowest?: number;
  /** All that there is to buy it with, in the currency of its prices. Default: it is not known. */
  readonly money?: number;
}

/**
 * The most decimal places of amounts that leave wallets room for coins of such prices. Steps say
 * little of what a coin is worth: where that is known, a unit of a coin that comes in fine steps is
 * worth no more than one of the money that it is quoted in, at its highest price. Where all money
 * buys more of it than there is room for, at its lowest, its units are larger, as long as one is worth
 * next to nothing of that money: fees are rounded up to a unit.
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

/** Whether amounts have the same places, and have room, whatever coins of such prices are worth. */
export function isRoomy(
  { priceScale, amountScale }: Pick<Market, 'priceScale' | 'amountScale'>,
  money: number,
): boolean {
  const isFine = CHEAP_SCALES - priceScale < CURRENCY_SCALE || amountScale > CURRENCY_SCALE_MAX;
  return !isFine && roomyScale(10 ** -priceScale, money) >= CURRENCY_SCALE;
}

/** The most decimal places of a coin that leave room for all that some money buys of it. */
function roomyScale(price: number, money: number): number {
  return Math.floor(Math.log10((UNITS_MAX / MONEY_GROWTH / money) * price));
}

/** The most decimal places that amounts can be set to: more where all money buys little of a coin. */
function amountScaleMax(worth: Worth | undefined): number {
  if (worth?.money === undefined) return CURRENCY_SCALE_MAX;
  return Math.max(CURRENCY_SCALE_MAX, roomyScale(worth.lowest ?? worth.highest, worth.money));
}

/** What is held at the start may grow so many times before its wallet is full. */
const GROWTH = 100;

export interface CurrenciesOptions {
  /** Currencies that accounts hold although perhaps no market trades them. */
  readonly extra?: readonly string[];
  /** What all accounts together hold at the start, which is to have room to grow. Default: nothing. */
  readonly held?: ReadonlyMap<string, Decimal>;
  /** Decimal places that are in use, however much is held. Default: those of amounts alone. */
  readonly used?: ReadonlyMap<string, number>;
  /** What the coin of a market is worth, by its id, as far as it is known. Default: of none. */
  readonly worths?: ReadonlyMap<string, Worth> | undefined;
}

/**
 * The currencies of an exchange, each with a scale. Sums of money are whole numbers below 2^53 of
 * its units, and exact.
 *
 * A currency has 8 decimal places, so that a wallet holds 90 million whole coins, whatever markets
 * there are. Four things differ: a base currency has at least the places of its amounts; one whose
 * prices all have more than 6 places has fewer where it is worth little (4 for a `shib_usdt` below
 * 0.0001: room for 900 billion), or, where its prices are not known, as many fewer as they have more;
 * one that falls so low that all money buys more of it than there is room for has fewer too; and
 * one of which more than 45 million are held at the start, as of `krw`, has as many as leave room for
 * a hundred times that, and all that are in use. Where price x amount is finer than the quote
 * currency a trade moves the value rounded down to a unit: the one pays what the other gets.
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
