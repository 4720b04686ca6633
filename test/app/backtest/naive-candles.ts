import type { CandlesModelSettings } from '../../../src/sim/models/candles-config.ts';
import type { Planned, PlannedFill } from './planned-fills.ts';

/** A candle in units, its volume in units of the amount. */
export interface NaiveCandle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface NaiveFill extends PlannedFill {
  readonly takes: boolean;
}

interface Resting {
  readonly tag: string;
  readonly price: number;
  left: number;
}

type Ordered = Extract<Planned, { tag: string }>;

const MINUTE = 60_000;

/** Fills of orders of one side by what the documents say of the model, with no thought for speed. */
export class NaiveCandles {
  readonly fills: NaiveFill[] = [];
  readonly #settings: CandlesModelSettings;
  /** 1 for buys, -1 for sells: a higher price times this is the better one for the others. */
  readonly #sign: 1 | -1;
  #resting: Resting[] = [];
  #room = Number.POSITIVE_INFINITY;
  #ms = 0;

  constructor(settings: CandlesModelSettings, sign: 1 | -1) {
    this.#settings = settings;
    this.#sign = sign;
  }

  play(candles: readonly NaiveCandle[], plan: readonly Planned[]): void {
    const { at: when, volumeCap } = this.#settings;
    const wishedAt = (row: number) => plan.filter(({ at }) => at === row);
    for (const [row, candle] of candles.entries()) {
      if (volumeCap !== null) this.#room = Math.floor(candle.volume * volumeCap + 1e-9);
      this.#ms = row * MINUTE;
      if (when !== 'thisClose') for (const wish of wishedAt(row - 1)) this.#take(wish, candle.open);
      this.#ms += MINUTE;
      this.#walk(candle);
      if (when === 'thisClose') for (const wish of wishedAt(row)) this.#take(wish, candle.close);
    }
  }

  #walk(candle: NaiveCandle): void {
    const { open, high, low } = candle;
    const { path, gaps } = this.#settings;
    const isHighNearer = high - open <= open - low;
    const isHighFirst = path === 'nearestFirst' ? isHighNearer : path === 'openHighLowClose';
    this.#meet(open, gaps === 'open' ? open : undefined);
    for (const price of isHighFirst ? [high, low] : [low, high]) this.#meet(price, undefined);
  }

  #take(wish: Planned, present: number): void {
    if ('cancel' in wish) {
      this.#resting = this.#resting.filter(({ tag }) => tag !== wish.cancel);
      return;
    }
    const reaches = (wish.price - present) * this.#sign >= 0;
    if (!reaches) {
      if (wish.type !== 'ioc') this.#rest(wish, wish.amount);
      return;
    }
    const slipped = this.#slipped(present);
    const isBeyond = (slipped - wish.price) * this.#sign > 0;
    if (wish.type === 'postOnly' || (isBeyond && wish.type === 'ioc')) return;
    const amount = Math.min(wish.amount, this.#room);
    if (amount > 0) this.#fill(wish.tag, { price: isBeyond ? wish.price : slipped, amount }, true);
    if (wish.type === 'limit') this.#rest(wish, wish.amount - amount);
  }

  #slipped(price: number): number {
    const { steps, basisPoints } = this.#settings.slippage;
    const extra = steps + (price * basisPoints) / 10_000;
    return this.#sign > 0 ? Math.ceil(price + extra - 1e-9) : Math.floor(price - extra + 1e-9);
  }

  #rest({ tag, price }: Ordered, left: number): void {
    if (left > 0) this.#resting.push({ tag, price, left });
  }

  /** The market goes to a price; `paid`: in place of their own. */
  #meet(price: number, paid: number | undefined): void {
    const least = this.#settings.limits === 'touch' ? 0 : 1;
    const met = this.#resting
      .filter((order) => (order.price - price) * this.#sign >= least)
      .sort((a, b) => (b.price - a.price) * this.#sign);
    for (const order of met) {
      const amount = Math.min(order.left, this.#room);
      if (amount <= 0) continue;
      order.left -= amount;
      this.#fill(order.tag, { price: paid ?? order.price, amount }, false);
    }
    this.#resting = this.#resting.filter(({ left }) => left > 0);
  }

  #fill(tag: string, { price, amount }: { price: number; amount: number }, takes: boolean): void {
    this.#room -= amount;
    this.fills.push({ tag, price, amount, takes, ms: this.#ms });
  }
}
