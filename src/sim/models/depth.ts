import { DEPTH_EVENTS, type DepthColumns, opposite, SIDES, type Side } from '../../domain/index.ts';
import type { Placement } from '../matching-engine.ts';
import { type DepthModelSettings, depthConfession } from './depth-config.ts';
import { LevelBook } from './level-book.ts';
import type { FillModel, ModelledMarket, Run } from './model.ts';
import { type Leavers, Queues, type Terms } from './queue.ts';
import { type QuotesModelSettings, quotesConfession } from './quotes-config.ts';

const { snapshot: SNAPSHOT, change: CHANGE, trade: TRADE } = DEPTH_EVENTS;

/**
 * Fills from a recorded book and its trades, or from one of a single level a side: see its confession.
 *
 * Every row goes into a `LevelBook`, less what own orders took of it. The book of the simulated
 * exchange holds only own orders and the queues around them: the liquidity that an arriving order
 * meets is lent to that book for the moment.
 */
export class DepthModel implements FillModel<DepthColumns> {
  readonly name: string;
  readonly confession: readonly string[];
  /** The recorded book, less what own orders took of a level since the recording named it. */
  readonly book = new LevelBook();
  readonly #market: ModelledMarket;
  readonly #leavers: Leavers;
  readonly #queues: Queues;
  readonly #priceFactor: number;
  readonly #amountFactor: number;
  /** Whether the book is known: not before the first whole book, nor from a gap to the next one. */
  #known = false;
  /** Whether the rows of a whole book are coming in, and the time of that book. */
  #isReplacing = false;
  #snapshotTime = 0;
  #lending = false;
  /** Whether own orders filled in the present update. */
  #filled = false;

  constructor(market: ModelledMarket, settings: DepthModelSettings | QuotesModelSettings) {
    const { priceFactor, amountFactor } = market.engine.units;
    this.#market = market;
    this.#queues = new Queues(market.engine);
    this.#priceFactor = priceFactor;
    this.#amountFactor = amountFactor;
    this.name = settings.model;
    // Without trades nothing moves an order forward in its queue.
    this.#leavers = settings.model === 'quotes' ? 'conservative' : settings.queue;
    this.confession =
      settings.model === 'quotes' ? quotesConfession(settings) : depthConfession(settings);
  }

  play(rows: DepthColumns, at: number): number {
    if (this.#lending) this.#takeBack();
    const end = endOfRun(rows, at);
    let row = at;
    while (row < end) row = this.#playRows(rows, { at: row, end });
    // Read at every run: in a rare branch the engine would deoptimise and compile anew each time.
    const isOver = rows.update[end] !== rows.update[at];
    if (this.#isReplacing && isOver) this.#completeSnapshot();
    if (this.#filled && isOver) this.#push();
    return end;
  }

  /** Plays the first row of a run, or all changes at its start. Returns the next row. */
  #playRows(rows: DepthColumns, run: Run): number {
    const { at } = run;
    const event = rows.event[at]!;
    if (event === SNAPSHOT) {
      this.#replace(rows, at);
      return at + 1;
    }
    if (this.#isReplacing) this.#completeSnapshot();
    if (event === CHANGE) return this.#change(rows, run);
    if (event === TRADE) this.#trade(rows, at);
    else this.#known = false;
    return at + 1;
  }

  arriving({ side, price, amount, type }: Placement): void {
    if (this.#lending) this.#takeBack();
    if (this.#isReplacing) this.#completeSnapshot();
    this.#queues.sweep();
    const limit = Math.round(price * this.#priceFactor);
    const wanted = Math.round(amount * this.#amountFactor);
    if (this.#known) this.#lend(side, { price: limit, amount: wanted });
    if (type === 'ioc' || this.#queues.ownLevel(side, limit) !== undefined) return;
    this.#queues.join(side, { price: limit, amount: this.#recorded(side, limit) });
  }

  /** Lends the book the levels within the limit of an order that arrives. */
  #lend(side: Side, { price: limit, amount: wanted }: Terms): void {
    const makers = opposite(side);
    const levels = this.book.side(makers);
    const sign = side === 'buy' ? 1 : -1;
    let left = wanted;
    for (let price = levels.best; price !== 0 && left > 0; price = levels.next(price)) {
      if (price * sign > limit * sign) return;
      left -= this.#queues.lend(makers, { price, amount: this.#recorded(makers, price) });
      this.#lending = true;
    }
  }

  #takeBack(): void {
    this.#lending = false;
    this.#queues.takeBack((side, terms) => this.#take(side, terms));
  }

  /** Takes from a recorded level the amount that own orders took. */
  #take(side: Side, { price, amount }: Terms): void {
    const left = this.#recorded(side, price) - amount;
    this.book.side(side).set(price, left > 0 ? left / this.#amountFactor : 0);
  }

  /** The amount of the recorded book at a price, whole units. */
  #recorded(side: Side, price: number): number {
    return Math.round(this.book.side(side).amountAt(price) * this.#amountFactor);
  }

  #replace(rows: DepthColumns, at: number): void {
    const { update, event } = rows;
    if (update[at - 1] !== update[at] || event[at - 1] !== SNAPSHOT) {
      this.book.clear();
      this.#snapshotTime = rows.time[at]!;
    }
    this.#isReplacing = true;
    const levels = rows.side[at]! > 0 ? this.book.bids : this.book.asks;
    levels.set(Math.round(rows.price[at]! * this.#priceFactor), rows.amount[at]!);
  }

  /** A whole book is complete: queues get as long as it shows, and orders that it crosses fill. */
  #completeSnapshot(): void {
    this.#isReplacing = false;
    this.#known = true;
    for (const side of SIDES) {
      this.#queues.forOwnLevels(side, (level) => {
        const amount = this.#recorded(side, level.price);
        const leavers = this.#leavers;
        this.#queues.resize(level, { side, amount, leavers, time: this.#snapshotTime });
      });
      const levels = this.book.side(side);
      for (let price = levels.best; price !== 0; price = levels.next(price)) {
        if (!this.#queues.isCrossed(side, price)) break;
        this.#cross(side, { price, amount: this.#recorded(side, price) });
      }
    }
    if (this.#filled) this.#push();
  }

  /** Plays changes up to the first row of another kind. Returns that row. */
  #change(rows: DepthColumns, { at, end }: Run): number {
    const { bids, asks } = this.book;
    const factor = this.#priceFactor;
    // Changes may remove resting orders, but never add any: this reach stays wide enough.
    const bidReach = this.#reach('buy');
    const askReach = this.#reach('sell');
    let row = at;
    for (; row < end && rows.event[row] === CHANGE; row++) {
      const price = Math.round(rows.price[row]! * factor);
      const amount = rows.amount[row]!;
      const buys = rows.side[row]! > 0;
      (buys ? bids : asks).set(price, amount);
      if (buys ? price >= bidReach : -price >= askReach) {
        this.#meet(buys ? 'buy' : 'sell', { price, amount, time: rows.time[row]! });
      }
    }
    return row;
  }

  /** The rank from which changes of a side matter, infinite where none do. */
  #reach(side: Side): number {
    return this.#known ? this.#queues.reach(side) : Number.POSITIVE_INFINITY;
  }

  /** Resting orders meet a changed level; `amount` is as recorded. */
  #meet(side: Side, { price, amount, time }: Terms & { readonly time: number }): void {
    const level = this.#queues.ownLevel(side, price);
    const isCrossed = amount > 0 && this.#queues.isCrossed(side, price);
    if (level === undefined && !isCrossed) return;
    const units = Math.round(amount * this.#amountFactor);
    if (level !== undefined) {
      const leavers = this.#leavers;
      this.#queues.resize(level, { side, amount: units, leavers, time });
    }
    if (isCrossed && units > 0) this.#cross(side, { price, amount: units });
  }

  /** Own orders within reach of a recorded level of the other side fill from it. */
  #cross(side: Side, { price, amount }: Terms): void {
    const filled = this.#queues.cross(side, { price, amount });
    if (filled === 0) return;
    this.#take(side, { price, amount: filled });
    this.#filled = true;
  }

  #trade(rows: DepthColumns, at: number): void {
    const price = Math.round(rows.price[at]! * this.#priceFactor);
    if (!this.#known || !this.#queues.isReached(price)) return;
    const amount = Math.round(rows.amount[at]! * this.#amountFactor);
    const takerSide = rows.side[at]! > 0 ? 'buy' : 'sell';
    const print = { takerSide, capped: true, time: rows.time[at]! } as const;
    if (this.#queues.print({ price, amount }, print)) this.#filled = true;
  }

  #push(): void {
    this.#filled = false;
    this.#market.pushChanges();
  }
}

/** The end of the rows that have the update and time of row `at`: they are played together. */
function endOfRun({ update, time }: DepthColumns, at: number): number {
  let end = at + 1;
  while (update[end] === update[at] && time[end] === time[at]) end++;
  return end;
}
