import type { CandleColumns, Side } from '../../domain/index.ts';
import type { Ladder } from '../ladder.ts';
import type { Placement } from '../matching-engine.ts';
import { ANONYMOUS, NO_ORDER } from '../order-store.ts';
import { joined, pathLength, pathOf, sawHighFirst } from './candle-path.ts';
import { candlesConfession } from './candles-confession.ts';
import type { CandlesModelSettings } from './candles-config.ts';
import type { FillModel, ModelledMarket } from './model.ts';
import { down, up } from './whole-units.ts';

const BASIS_POINTS = 10_000;

/** The prices that a candle goes through after its open. */
export interface CandlePath {
  readonly length: number;
  /** The prices; with `path: adverseFirst` they depend on the position at the time of the call. */
  readonly prices: () => readonly number[];
}

/**
 * Fills from candles alone: see its confession.
 *
 * The book holds own orders only. When an order arrives that reaches the present price, liquidity
 * is offered to it for that moment; resting orders meet a print at the highest or lowest price of
 * each leg of a candle's path. An order that arrived within the candle met only a part of the path,
 * and nobody knows which: it stays out of that candle, even if a fill in the candle triggered it.
 * Where the path is walked step by step (`heardPath`) such an order meets the rest of the path.
 */
export class CandlesModel implements FillModel<CandleColumns> {
  readonly name = 'candles';
  readonly confession: readonly string[];
  readonly #market: ModelledMarket;
  readonly #settings: CandlesModelSettings;
  /** Whether candles are walked step by step, rather than in one go when they close. */
  readonly #isWalked: boolean;
  /** The present price, units; NaN before the first. */
  #price = Number.NaN;
  /** How much own orders may still trade in the present candle, units. */
  #room = Number.POSITIVE_INFINITY;
  /** Whether `open` has opened the present candle already. */
  #isOpen = false;
  /** Whether resting orders meet the open of the candle right now. */
  #isAtOpen = false;
  /** The liquidity that was offered to the newest order, and its amount. */
  #maker = NO_ORDER;
  #offered = 0;
  /** When the candle being played opened, milliseconds since the epoch, and its close, units. */
  #openMs = Number.POSITIVE_INFINITY;
  #close = Number.NaN;
  /** With `gaps: walked` the newest close, where the next candle begins; NaN before the first. */
  #lastClose = Number.NaN;

  constructor(market: ModelledMarket, settings: CandlesModelSettings) {
    this.#market = market;
    this.#settings = settings;
    this.#isWalked = settings.at === 'heardPath';
    this.confession = candlesConfession(settings);
  }

  /** The next candles as orders meet them. */
  metOf(rows: CandleColumns): CandleColumns {
    if (this.#settings.gaps !== 'walked') return rows;
    const met = joined(rows, this.#lastClose);
    this.#lastClose = rows.close.at(-1) ?? this.#lastClose;
    return met;
  }

  /** Candle `at` opens: orders that arrive now trade at its open. Optional if none may arrive. */
  open(rows: CandleColumns, at: number): void {
    this.#withdraw();
    this.#begin(rows, at);
    this.#isOpen = true;
    if (!this.#isWalked) return;
    this.#isAtOpen = true;
    this.reach(rows.open[at]!);
    this.#isAtOpen = false;
  }

  /** The path of candle `at` after its open, to be walked by `reach`; `play` is its last step. */
  path(rows: CandleColumns, at: number): CandlePath {
    const settings = this.#settings;
    const { priceFactor } = this.#market.engine.units;
    return {
      length: pathLength(settings),
      prices: () => pathOf(rows, { at, settings, priceFactor, position: this.#position() }),
    };
  }

  /** The open candle moves to a price: orders resting on the way there meet it. */
  reach(price: number): void {
    this.#withdraw();
    this.#rise(price);
    this.#fall(price);
    this.#price = this.#units(price);
  }

  /** Whether own orders have traded all that the cap lets them of this candle. */
  get isSpent(): boolean {
    return this.#room < 1;
  }

  /** Candle `at` happens. The clock stands at its close; orders that arrive later trade there. */
  play(rows: CandleColumns, at: number): number {
    if (this.#maker !== NO_ORDER) this.#withdraw();
    if (this.#isOpen) this.#isOpen = false;
    else this.#begin(rows, at);
    const { bids, asks } = this.#market.engine.book;
    if (bids.size + asks.size > 0) {
      if (this.#isWalked) this.reach(rows.close[at]!);
      else this.#meet(rows, at);
    }
    this.#price = this.#units(rows.close[at]!);
    return at + 1;
  }

  /**
   * Offers an order the liquidity that it meets at the present price. An order that reaches that
   * price takes; if slippage would exceed its limit, it takes at its limit, as it would otherwise
   * rest and be a maker at once.
   */
  arriving({ side, price, amount, type }: Placement): void {
    this.#withdraw();
    if (Number.isNaN(this.#price)) return;
    const { book, units } = this.#market.engine;
    const limit = this.#units(price);
    const present = this.#present(side);
    if (side === 'buy' ? limit < present : limit > present) return;
    const slipped = this.#slipped(side, present);
    const isBeyond = side === 'buy' ? slipped > limit : slipped < limit;
    // An order that may not rest misses a price that slipped beyond its limit.
    if (isBeyond && type === 'ioc') return;
    const met = isBeyond ? limit : slipped;
    const wanted = Math.round(amount * units.amountFactor);
    // A post-only order must be refused as one that would take, whatever the cap has left.
    const least = type === 'postOnly' ? 1 : 0;
    const offered = Math.max(least, Math.min(wanted, this.#room));
    if (!(offered > 0)) return;
    const makerSide = side === 'buy' ? 'sell' : 'buy';
    const terms = { owner: ANONYMOUS, side: makerSide, price: met, amount: offered } as const;
    this.#maker = book.orders.add(terms);
    this.#offered = offered;
    book.rest(this.#maker);
  }

  /** The present position if the path depends on it, otherwise 0. */
  #position(): number {
    return this.#settings.path === 'adverseFirst' ? this.#market.engine.position : 0;
  }

  /** Lifts the cap on the rest of this candle: for the order that ends a run. */
  liftCap(): void {
    this.#room = Number.POSITIVE_INFINITY;
  }

  #begin({ open, volume }: CandleColumns, at: number): void {
    const { volumeCap } = this.#settings;
    const { amountFactor } = this.#market.engine.units;
    this.#price = this.#units(open[at]!);
    if (volumeCap !== null) {
      this.#room = down(volume[at]! * volumeCap * amountFactor);
    }
  }

  /** Lets resting orders meet a candle. */
  #meet(rows: CandleColumns, at: number): void {
    this.#openMs = rows.time[at]!;
    this.#close = this.#units(rows.close[at]!);
    this.#walk(rows, at);
    this.#openMs = Number.POSITIVE_INFINITY;
    this.#close = Number.NaN;
  }

  /** Lets resting orders meet the prices of a candle, one after the other. */
  #walk(rows: CandleColumns, at: number): void {
    const high = rows.high[at]!;
    const low = rows.low[at]!;
    // A gap: orders resting beyond the open meet the open first.
    this.#isAtOpen = true;
    this.#rise(rows.open[at]!);
    this.#fall(rows.open[at]!);
    this.#isAtOpen = false;
    const { path } = this.#settings;
    if (sawHighFirst(rows, { at, path, position: this.#position() })) {
      this.#rise(high);
      this.#fall(low);
    } else {
      this.#fall(low);
      this.#rise(high);
    }
  }

  /** The price rises to `price`: asks up to it fill. */
  #rise(price: number): void {
    const exact = price * this.#market.engine.units.priceFactor;
    const touched = down(exact);
    const limit = this.#settings.limits === 'touch' ? touched : up(exact) - 1;
    this.#price = touched;
    this.#print('buy', limit);
  }

  /** The price falls to `price`: bids down to it fill. */
  #fall(price: number): void {
    const exact = price * this.#market.engine.units.priceFactor;
    const touched = up(exact);
    const limit = this.#settings.limits === 'touch' ? touched : down(exact) + 1;
    this.#price = touched;
    this.#print('sell', limit);
  }

  /**
   * Others take the orders up to a limit that have rested since the candle opened, as far as the
   * cap lets own orders trade.
   */
  #print(takerSide: Side, limit: number): void {
    const { engine, pushChanges } = this.#market;
    const { book } = engine;
    const makers = takerSide === 'buy' ? book.asks : book.bids;
    if (makers.best === undefined || !makers.isReachedBy(limit, makers.best)) return;
    this.#withdraw();
    const late = this.#late(makers, limit);
    for (const order of late) book.remove(order);
    const amount = Math.min(restingIn(makers, limit), this.#room);
    if (amount > 0) {
      this.#room -= amount;
      const paid = this.#isAtOpen && this.#settings.gaps === 'open' ? this.#price : undefined;
      engine.print({ takerSide, price: limit, amount }, { paid });
    }
    // Late orders go back in their order: those that share a price with them came before.
    for (const order of late) book.rest(order);
    if (amount > 0) pushChanges();
  }

  /** The orders that rest up to a limit and arrived after the candle had opened. */
  #late(makers: Ladder, limit: number): number[] {
    const { orders } = this.#market.engine.book;
    const late: number[] = [];
    for (let depth = 0; depth < makers.size; depth++) {
      const level = makers.fromBest(depth)!;
      if (!makers.isReachedBy(limit, level)) break;
      for (let order = level.first; order !== NO_ORDER; order = orders.next(order)) {
        if (orders.time(order) > this.#openMs) late.push(order);
      }
    }
    return late;
  }

  /** Takes back what the newest order left of the liquidity offered to it. */
  #withdraw(): void {
    if (this.#maker === NO_ORDER) return;
    const { book } = this.#market.engine;
    this.#room -= this.#offered - book.orders.remaining(this.#maker);
    book.remove(this.#maker);
    book.orders.free(this.#maker);
    this.#maker = NO_ORDER;
  }

  /**
   * The present price. An order triggered by a fill within a candle would trade somewhere between
   * the price of that fill and the close: it gets the worse of both.
   */
  #present(side: Side): number {
    if (Number.isNaN(this.#close)) return this.#price;
    return side === 'buy' ? Math.max(this.#price, this.#close) : Math.min(this.#price, this.#close);
  }

  /** A price with the slippage that an order which takes pays on top. */
  #slipped(side: Side, price: number): number {
    const { steps, basisPoints } = this.#settings.slippage;
    const extra = steps + (price * basisPoints) / BASIS_POINTS;
    return side === 'buy' ? up(price + extra) : Math.max(1, down(price - extra));
  }

  #units(price: number): number {
    return Math.round(price * this.#market.engine.units.priceFactor);
  }
}

/** The amount that rests up to a limit, units. */
function restingIn(makers: Ladder, limit: number): number {
  let resting = 0;
  for (let depth = 0; depth < makers.size; depth++) {
    const level = makers.fromBest(depth)!;
    if (!makers.isReachedBy(limit, level)) break;
    resting += level.amount;
  }
  return resting;
}
