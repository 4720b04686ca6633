import type { NaiveFill, Sign } from './naive-candles.ts';
import type { Planned, PlannedOrder } from './planned-fills.ts';

/** A print in units; milliseconds after the start. */
export interface NaivePrint {
  readonly ms: number;
  readonly price: number;
  readonly amount: number;
  readonly sells: boolean;
}

export interface NaiveTradesSettings {
  /** Before each order that comes to rest and betters nobody, units. */
  readonly queue: number;
  readonly printCap: boolean;
  readonly latencyMs: number;
  readonly buys: boolean;
  /** What the tape implies: its spread, units, an even number of them, and what takes finds at best. */
  readonly touch: { readonly spread: number; readonly amount: number };
}

/** What others offer at a price. */
interface Level {
  readonly level: number;
  readonly price: number;
  readonly amount: number;
}

interface Resting {
  readonly tag: string;
  readonly price: number;
  queue: number;
  left: number;
}

/** Fills of orders of one side by prints, by what the documents say of the model. */
export class NaiveTrades {
  readonly fills: NaiveFill[] = [];
  readonly #settings: NaiveTradesSettings;
  readonly #sign: Sign;
  #resting: Resting[] = [];
  #last: NaivePrint | undefined;
  /** What was taken of each level since the last print. */
  #taken: number[] = [];

  constructor(settings: NaiveTradesSettings) {
    this.#settings = settings;
    this.#sign = settings.buys ? 1 : -1;
  }

  play(prints: readonly NaivePrint[], plan: readonly Planned[]): void {
    const { latencyMs } = this.#settings;
    const underWay: { wish: Planned; ms: number }[] = [];
    const answered = new Map<string, number>();
    for (const [row, print] of prints.entries()) {
      // What arrives in the millisecond of a print comes before it.
      while (underWay.length > 0 && underWay[0]!.ms <= print.ms) {
        const { wish, ms } = underWay.shift()!;
        this.#arrive(wish, ms);
      }
      this.#meet(print);
      for (const wish of plan) {
        if (wish.at !== row) continue;
        // A cancel leaves once its order is answered, which takes no time here.
        const leavesMs =
          'cancel' in wish ? Math.max(print.ms, answered.get(wish.cancel)!) : print.ms;
        const ms = leavesMs + latencyMs;
        if ('tag' in wish) answered.set(wish.tag, ms);
        if (latencyMs === 0) this.#arrive(wish, ms);
        else underWay.push({ wish, ms });
      }
      underWay.sort((a, b) => a.ms - b.ms);
    }
  }

  #arrive(wish: Planned, ms: number): void {
    if ('cancel' in wish) {
      this.#resting = this.#resting.filter(({ tag }) => tag !== wish.cancel);
      return;
    }
    const { tag, type, price } = wish;
    const met = this.#levels(price);
    if (met.length > 0 && type === 'postOnly') return;
    const left = this.#take(wish, { met, ms });
    if (left === 0 || type === 'ioc') return;
    const joins = this.#reaches(this.#best('own'), price);
    this.#resting.push({ tag, price, queue: joins ? this.#settings.queue : 0, left });
  }

  /** Whether an order of that limit reaches that price. */
  #reaches(limit: number, price: number): boolean {
    return (limit - price) * this.#sign >= 0;
  }

  /** The best price of the side that own orders rest on, or of the one that they take from. */
  #best(side: 'own' | 'makers'): number {
    const { buys, touch } = this.#settings;
    const { price, sells } = this.#last!;
    const isSide = (side === 'makers') === (sells !== buys);
    if (isSide) return price;
    return price + (side === 'makers' ? touch.spread : -touch.spread) * this.#sign;
  }

  /** The levels up to a limit that have something left, as the last print implies them. */
  #levels(limit: number): Level[] {
    const { touch } = this.#settings;
    const levels: Level[] = [];
    for (let level = 0; ; level++) {
      const price = this.#best('makers') + ((level * touch.spread) / 2) * this.#sign;
      if (!this.#reaches(limit, price)) return levels;
      const amount = touch.amount * (level + 1) - (this.#taken[level] ?? 0);
      if (amount > 0) levels.push({ level, price, amount });
    }
  }

  /** Takes level by level; what is left then. */
  #take(
    { tag, amount: wanted }: PlannedOrder,
    { met, ms }: { met: readonly Level[]; ms: number },
  ): number {
    let left = wanted;
    for (const { level, price, amount: offered } of met) {
      const amount = Math.min(left, offered);
      if (amount === 0) break;
      this.#taken[level] = (this.#taken[level] ?? 0) + amount;
      left -= amount;
      this.fills.push({ tag, sign: this.#sign, price, amount, ms, takes: true });
    }
    return left;
  }

  #meet(print: NaivePrint): void {
    const { printCap, buys } = this.#settings;
    this.#last = print;
    this.#taken = [];
    let offered = print.amount;
    for (const order of [...this.#resting].sort((a, b) => (b.price - a.price) * this.#sign)) {
      const beyond = (order.price - print.price) * this.#sign;
      if (beyond < 0 || (beyond === 0 && print.sells !== buys)) break;
      const before = beyond > 0 ? 0 : Math.min(order.queue, offered);
      order.queue = beyond > 0 ? 0 : order.queue - before;
      offered -= before;
      const isWhole = beyond > 0 && !printCap;
      const amount = isWhole ? order.left : Math.min(order.left, offered);
      if (!isWhole) offered -= amount;
      order.left -= amount;
      const { tag, price } = order;
      if (amount > 0)
        this.fills.push({ tag, sign: this.#sign, price, amount, ms: print.ms, takes: false });
    }
    this.#resting = this.#resting.filter(({ left }) => left > 0);
  }
}
