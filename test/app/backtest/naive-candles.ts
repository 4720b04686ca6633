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
  /** The first candle that it sees. */
  readonly from: number;
  left: number;
}

/** Milliseconds. */
export interface NaiveLatency {
  readonly feed: number;
  readonly order: number;
  readonly answer: number;
}

interface Arrival {
  readonly wish: Planned;
  readonly ms: number;
}

type Ordered = Extract<Planned, { tag: string }>;

const MINUTE = 60_000;

/** Fills of orders of one side, when they are heard of, by what the documents say of the model, with no thought for speed. */
export class NaiveCandles {
  readonly fills: NaiveFill[] = [];
  readonly #settings: CandlesModelSettings;
  readonly #latency: NaiveLatency;
  /** 1 for buys, -1 for sells: a higher price times this is the better one for the others. */
  readonly #sign: 1 | -1;
  #resting: Resting[] = [];
  #room = Number.POSITIVE_INFINITY;
  #row = 0;
  #ms = 0;

  constructor(
    settings: CandlesModelSettings,
    { sign, latency }: { sign: 1 | -1; latency: NaiveLatency },
  ) {
    this.#settings = settings;
    this.#sign = sign;
    this.#latency = latency;
  }

  play(candles: readonly NaiveCandle[], plan: readonly Planned[]): void {
    const meetsClose = this.#settings.at === 'thisClose';
    const underWay = this.#arrivals(plan);
    const arrive = (untilMs: number, meets: { present: number; from: number }): void => {
      while (underWay.length > 0 && underWay[0]!.ms <= untilMs) {
        this.#ms = underWay[0]!.ms;
        this.#take(underWay.shift()!.wish, meets);
      }
    };
    for (const [row, candle] of candles.entries()) {
      const openMs = row * MINUTE;
      const closeMs = openMs + MINUTE;
      this.#row = row;
      if (meetsClose) arrive(openMs, { present: candles[row - 1]?.close ?? 0, from: row });
      else this.#room = this.#roomOf(candle);
      const present = meetsClose ? (candles[row - 1]?.close ?? 0) : candle.open;
      if (!meetsClose) arrive(openMs, { present, from: row });
      arrive(closeMs - 1, { present, from: row + 1 });
      if (meetsClose) this.#room = this.#roomOf(candle);
      this.#ms = closeMs;
      this.#walk(candle);
    }
    arrive(candles.length * MINUTE, { present: candles.at(-1)!.close, from: candles.length });
  }

  #roomOf({ volume }: NaiveCandle): number {
    const { volumeCap } = this.#settings;
    return volumeCap === null ? Number.POSITIVE_INFINITY : Math.floor(volume * volumeCap + 1e-9);
  }

  /** When each wish reaches the exchange: a cancel leaves when its order is known to be there. */
  #arrivals(plan: readonly Planned[]): Arrival[] {
    const { feed, order, answer } = this.#latency;
    const known = new Map<string, number>();
    const arrivals = plan.map((wish): Arrival => {
      const madeMs = (wish.at + 1) * MINUTE + feed;
      if ('cancel' in wish) {
        return { wish, ms: Math.max(madeMs, known.get(wish.cancel)!) + order };
      }
      const waits = this.#settings.at !== 'thisClose';
      const ms = (waits ? Math.ceil(madeMs / MINUTE) * MINUTE : madeMs) + order;
      known.set(wish.tag, ms + answer);
      return { wish, ms };
    });
    return arrivals.sort((a, b) => a.ms - b.ms);
  }

  #walk(candle: NaiveCandle): void {
    const { open, high, low } = candle;
    const { path, gaps } = this.#settings;
    const isHighNearer = high - open <= open - low;
    const isHighFirst = path === 'nearestFirst' ? isHighNearer : path === 'openHighLowClose';
    this.#meet(open, gaps === 'open' ? open : undefined);
    for (const price of isHighFirst ? [high, low] : [low, high]) this.#meet(price, undefined);
  }

  #take(wish: Planned, { present, from }: { present: number; from: number }): void {
    if ('cancel' in wish) {
      this.#resting = this.#resting.filter(({ tag }) => tag !== wish.cancel);
      return;
    }
    const reaches = (wish.price - present) * this.#sign >= 0;
    if (!reaches) {
      if (wish.type !== 'ioc') this.#rest(wish, { from, left: wish.amount });
      return;
    }
    const slipped = this.#slipped(present);
    const isBeyond = (slipped - wish.price) * this.#sign > 0;
    if (wish.type === 'postOnly' || (isBeyond && wish.type === 'ioc')) return;
    const amount = Math.min(wish.amount, this.#room);
    if (amount > 0) this.#fill(wish.tag, { price: isBeyond ? wish.price : slipped, amount }, true);
    if (wish.type === 'limit') this.#rest(wish, { from, left: wish.amount - amount });
  }

  #slipped(price: number): number {
    const { steps, basisPoints } = this.#settings.slippage;
    const extra = steps + (price * basisPoints) / 10_000;
    return this.#sign > 0 ? Math.ceil(price + extra - 1e-9) : Math.floor(price - extra + 1e-9);
  }

  #rest({ tag, price }: Ordered, rest: Pick<Resting, 'from' | 'left'>): void {
    if (rest.left > 0) this.#resting.push({ tag, price, ...rest });
  }

  /** The market goes to a price; `paid`: in place of their own. */
  #meet(price: number, paid: number | undefined): void {
    const least = this.#settings.limits === 'touch' ? 0 : 1;
    const met = this.#resting
      .filter(
        ({ from, ...order }) => from <= this.#row && (order.price - price) * this.#sign >= least,
      )
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
    this.fills.push({ tag, price, amount, takes, ms: this.#ms + this.#latency.answer });
  }
}
