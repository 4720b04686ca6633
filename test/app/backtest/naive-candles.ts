import type { CandlesModelSettings } from '../../../src/sim/models/candles-config.ts';
import { balancesAfter, type FeeRates } from './naive-money.ts';
import {
  AMOUNT_FACTOR,
  BALANCES,
  type Planned,
  type PlannedFill,
  type PlannedOrder,
  PRICE_FACTOR,
} from './planned-fills.ts';

/** A candle in units, its volume in units of the amount. */
export interface NaiveCandle {
  /** Minutes after the start: some may be missing. */
  readonly at: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface NaiveFill extends PlannedFill {
  readonly takes: boolean;
  readonly sign: Sign;
}

/** 1 for buys, -1 for sells: a higher price times this is the better one for the others. */
export type Sign = 1 | -1;

interface Resting {
  readonly tag: string;
  readonly sign: Sign;
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

const MINUTE = 60_000;

/** Fills of orders, when they are heard of, by what the documents say of the model, with no thought for speed. */
export class NaiveCandles {
  readonly fills: NaiveFill[] = [];
  readonly #settings: CandlesModelSettings;
  readonly #latency: NaiveLatency;
  readonly #fees: FeeRates;
  #resting: Resting[] = [];
  /** On their way to the next open. */
  #waiting: PlannedOrder[] = [];
  #room = Number.POSITIVE_INFINITY;
  /** When candles open, milliseconds after the start. */
  #opensMs: readonly number[] = [];
  #row = 0;
  #ms = 0;

  constructor(settings: CandlesModelSettings, latency: NaiveLatency, fees: FeeRates) {
    this.#settings = settings;
    this.#latency = latency;
    this.#fees = fees;
  }

  play(recorded: readonly NaiveCandle[], plan: readonly Planned[]): void {
    const candles = this.#settings.gaps === 'walked' ? recorded.map(fromCloseBefore) : recorded;
    const meetsClose = this.#settings.at === 'thisClose';
    const isWalked = this.#settings.at === 'heardPath';
    this.#opensMs = candles.map(({ at }) => at * MINUTE);
    const underWay = this.#arrivals(plan);
    const arrive = (untilMs: number, meets: { present: number; from: number }): void => {
      while (underWay.length > 0 && underWay[0]!.ms <= untilMs) {
        this.#ms = underWay[0]!.ms;
        this.#take(underWay.shift()!.wish, meets);
      }
    };
    for (const [row, candle] of candles.entries()) {
      const openMs = this.#opensMs[row]!;
      const closeMs = openMs + MINUTE;
      this.#row = row;
      const closed = candles[row - 1]?.close ?? 0;
      // What comes in a hole finds the close before it.
      arrive(meetsClose ? openMs : openMs - 1, { present: closed, from: row });
      if (!meetsClose) this.#room = this.#roomOf(candle);
      const present = meetsClose ? closed : candle.open;
      if (isWalked) {
        this.#ms = openMs;
        this.#meet(candle.open, this.#settings.gaps === 'open' ? candle.open : undefined);
      }
      if (!meetsClose) arrive(openMs, { present, from: row });
      if (isWalked) {
        let reached = candle.open;
        arrive(openMs + Math.min(this.#firstMs(), MINUTE - 1), { present: reached, from: row });
        for (const { price, ms } of this.#pathOf(candle)) {
          // What comes as it closes meets the next open.
          arrive(Math.min(openMs + ms, closeMs - 1), { present: reached, from: row });
          this.#ms = openMs + ms;
          this.#meet(price, undefined);
          reached = price;
        }
      }
      arrive(closeMs - 1, { present, from: row + 1 });
      if (meetsClose) this.#room = this.#roomOf(candle);
      this.#ms = closeMs;
      if (!isWalked) this.#walk(candle);
      if (!meetsClose) this.#send(plan.filter(({ at }) => at === row));
      const { atClose } = this.#settings;
      if (atClose === 'thisClose') arrive(closeMs, { present: candle.close, from: row + 1 });
    }
    arrive(this.#opensMs.at(-1)! + MINUTE, {
      present: candles.at(-1)!.close,
      from: candles.length,
    });
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
      const madeMs = this.#opensMs[wish.at]! + MINUTE + feed;
      if ('cancel' in wish) {
        return { wish, ms: Math.max(madeMs, known.get(wish.cancel)!) + order };
      }
      const ms = this.#leavesMs(madeMs) + order;
      known.set(wish.tag, ms + answer);
      return { wish, ms };
    });
    return arrivals.sort((a, b) => a.ms - b.ms);
  }

  /** When an order leaves: at once, or as a candle opens. */
  #leavesMs(madeMs: number): number {
    const { at, atClose } = this.#settings;
    const isOpen = this.#opensMs.some((openMs) => openMs <= madeMs && madeMs < openMs + MINUTE);
    if (at === 'thisClose' || (at === 'heardPath' && (atClose === 'thisClose' || isOpen))) {
      return madeMs;
    }
    return this.#opensMs.find((openMs) => openMs >= madeMs) ?? Number.POSITIVE_INFINITY;
  }

  /** What is made at a close: an order that would meet an own one, resting or on its way, stays away. */
  #send(wishes: readonly Planned[]): void {
    // Where requests take no time, what rests is gone at once.
    const isQuick = this.#latency.feed + this.#latency.order === 0;
    for (const wish of wishes) {
      if ('tag' in wish && !this.#crosses(wish)) this.#waiting.push(wish);
      else if ('cancel' in wish && isQuick) this.#cancel(wish.cancel);
    }
  }

  #crosses(wish: PlannedOrder): boolean {
    const sign = signOf(wish);
    const waiting = this.#waiting.map((other) => ({ ...other, sign: signOf(other) }));
    return [...this.#resting, ...waiting].some(
      (other) => other.sign !== sign && (wish.price - other.price) * sign >= 0,
    );
  }

  #cancel(tag: string): void {
    this.#resting = this.#resting.filter((order) => order.tag !== tag);
  }

  #walk(candle: NaiveCandle): void {
    const { open } = candle;
    this.#meet(open, this.#settings.gaps === 'open' ? open : undefined);
    for (const price of this.#extremesOf(candle)) this.#meet(price, undefined);
  }

  #extremesOf({ open, high, low, close }: NaiveCandle): readonly number[] {
    const { path } = this.#settings;
    const isHighNearer = high - open <= open - low;
    const fixed = {
      ...{ openHighLowClose: true, openLowHighClose: false },
      ...{ nearestFirst: isHighNearer, byDirection: close < open },
    };
    const held = this.#held();
    const isHighFirst =
      path !== 'adverseFirst' ? fixed[path] : held === 0 ? isHighNearer : held < 0;
    return isHighFirst ? [high, low] : [low, high];
  }

  /** Whole units of the amount beyond what the account began with. */
  #held(): number {
    const { btc = 0 } = balancesAfter(this.fills, this.#fees);
    return Math.trunc(Math.round((btc - Number(BALANCES.btc)) * 1e8) / (1e8 / AMOUNT_FACTOR));
  }

  #firstMs(): number {
    const { pathSteps = 10 } = this.#settings;
    return Math.floor(MINUTE / (3 * pathSteps));
  }

  /** The prices behind the open, and how long after it: the close too comes before the candle is over. */
  #pathOf(candle: NaiveCandle): readonly { readonly price: number; readonly ms: number }[] {
    const { pathSteps = 10, pathScale = 2 } = this.#settings;
    const grain = PRICE_FACTOR / 10 ** pathScale;
    const prices: number[] = [];
    let begin = candle.open;
    for (const end of [...this.#extremesOf(candle), candle.close]) {
      for (let step = 1; step < pathSteps; step++) {
        const exact = begin + ((end - begin) * step) / pathSteps;
        const [below, above] = [Math.floor(exact / grain), Math.ceil(exact / grain)];
        if (end > begin) prices.push(Math.max(begin, below * grain));
        else prices.push(Math.min(begin, above * grain));
      }
      prices.push(end);
      begin = end;
    }
    return prices.map((price, at) => ({
      price,
      ms: Math.min(MINUTE - 1, Math.floor((MINUTE * (at + 1)) / prices.length)),
    }));
  }

  #take(wish: Planned, { present, from }: { present: number; from: number }): void {
    if ('cancel' in wish) {
      this.#cancel(wish.cancel);
      return;
    }
    const isSent = this.#settings.at === 'thisClose' ? !this.#crosses(wish) : this.#arrives(wish);
    if (!isSent) return;
    const sign = signOf(wish);
    const reaches = (wish.price - present) * sign >= 0;
    if (!reaches) {
      if (wish.type !== 'ioc') this.#rest(wish, { from, left: wish.amount });
      return;
    }
    const slipped = this.#slipped(present, sign);
    const isBeyond = (slipped - wish.price) * sign > 0;
    if (wish.type === 'postOnly' || (isBeyond && wish.type === 'ioc')) return;
    const amount = Math.min(wish.amount, this.#room);
    const price = isBeyond ? wish.price : slipped;
    if (amount > 0) this.#fill({ tag: wish.tag, sign, price, amount, takes: true });
    if (wish.type === 'limit') this.#rest(wish, { from, left: wish.amount - amount });
  }

  /** Whether it was sent; it waits no more. */
  #arrives(wish: PlannedOrder): boolean {
    const isSent = this.#waiting.includes(wish);
    this.#waiting = this.#waiting.filter((other) => other !== wish);
    return isSent;
  }

  #slipped(price: number, sign: Sign): number {
    const { steps, basisPoints } = this.#settings.slippage;
    const extra = steps + (price * basisPoints) / 10_000;
    return sign > 0 ? Math.ceil(price + extra - 1e-9) : Math.floor(price - extra + 1e-9);
  }

  #rest(wish: PlannedOrder, rest: Pick<Resting, 'from' | 'left'>): void {
    const { tag, price } = wish;
    if (rest.left > 0) this.#resting.push({ tag, sign: signOf(wish), price, ...rest });
  }

  /** The market goes to a price; `paid`: in place of their own. */
  #meet(price: number, paid: number | undefined): void {
    const least = this.#settings.limits === 'touch' ? 0 : 1;
    const met = this.#resting
      .filter(
        ({ from, sign, ...order }) => from <= this.#row && (order.price - price) * sign >= least,
      )
      .sort((a, b) => (b.price - a.price) * a.sign);
    for (const order of met) {
      const amount = Math.min(order.left, this.#room);
      if (amount <= 0) continue;
      order.left -= amount;
      const { tag, sign } = order;
      this.#fill({ tag, sign, price: paid ?? order.price, amount, takes: false });
    }
    this.#resting = this.#resting.filter(({ left }) => left > 0);
  }

  #fill(fill: Omit<NaiveFill, 'ms'>): void {
    this.#room -= fill.amount;
    this.fills.push({ ...fill, ms: this.#ms + this.#latency.answer });
  }
}

function fromCloseBefore(
  candle: NaiveCandle,
  at: number,
  candles: readonly NaiveCandle[],
): NaiveCandle {
  const open = candles[at - 1]?.close ?? candle.open;
  const [high, low] = [Math.max(candle.high, open), Math.min(candle.low, open)];
  return { ...candle, open, high, low };
}

function signOf({ side }: PlannedOrder): Sign {
  return side === 'sell' ? -1 : 1;
}
