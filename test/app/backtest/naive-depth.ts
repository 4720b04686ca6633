import type { Source } from '../../../src/app/backtest/index.ts';
import { START_MS } from './fixture.ts';
import {
  AMOUNT_FACTOR,
  type Planned,
  type PlannedFill,
  type PlannedOrder,
  PRICE_FACTOR,
  plannedSource,
} from './planned-fills.ts';

/** A row of recorded depth in units; milliseconds after the start. */
export interface NaiveRow {
  readonly ms: number;
  readonly update: number;
  readonly event: 'snapshot' | 'change' | 'trade';
  /** Of a level its side, of a trade whether its taker buys. */
  readonly buys: boolean;
  readonly price: number;
  readonly amount: number;
}

const EVENTS = { snapshot: 1, change: 2, trade: 3 };

interface Resting {
  readonly tag: string;
  readonly price: number;
  /** What waits before it. */
  ahead: number;
  left: number;
}

/**
 * Fills of orders of one side out of recorded depth, by what the documents say of the model
 * with a conservative queue. Wishes are made when the trade of their number is heard.
 */
export class NaiveDepth {
  readonly fills: PlannedFill[] = [];
  readonly #buys: boolean;
  readonly #sign: 1 | -1;
  /** The recorded amounts of the own side by price. */
  readonly #levels = new Map<number, number>();
  /** Those of the other side, without what was taken of them. */
  readonly #others = new Map<number, number>();
  #resting: Resting[] = [];

  constructor(buys: boolean) {
    this.#buys = buys;
    this.#sign = buys ? 1 : -1;
  }

  play(rows: readonly NaiveRow[], plan: readonly Planned[]): void {
    let trades = 0;
    for (const row of rows) {
      if (row.event === 'trade') this.#trade(row);
      else if (row.buys === this.#buys) this.#ownSide(row);
      else this.#otherSide(row);
      this.#resting = this.#resting.filter(({ left }) => left > 0);
      if (row.event !== 'trade') continue;
      for (const wish of plan) if (wish.at === trades) this.#arrive(wish, row.ms);
      trades++;
    }
  }

  #arrive(wish: Planned, ms: number): void {
    if ('cancel' in wish) {
      this.#resting = this.#resting.filter(({ tag }) => tag !== wish.cancel);
      return;
    }
    const { tag, price, amount } = wish;
    const left = amount - this.#take(wish, ms);
    if (left === 0 || wish.type === 'ioc') return;
    this.#resting.push({ tag, price, ahead: this.#levels.get(price) ?? 0, left });
  }

  /** Takes what is within a limit, best first: how much that was. */
  #take({ tag, price: limit, amount: wanted }: PlannedOrder, ms: number): number {
    const within = [...this.#others].filter(([price]) => (limit - price) * this.#sign >= 0);
    let taken = 0;
    for (const [price, offered] of within.sort(([a], [b]) => (a - b) * this.#sign)) {
      const amount = Math.min(wanted - taken, offered);
      this.#others.set(price, offered - amount);
      taken += amount;
      if (amount > 0) this.fills.push({ tag, price, amount, ms });
    }
    return taken;
  }

  #trade({ ms, buys, price, amount }: NaiveRow): void {
    let offered = amount;
    for (const order of this.#bestFirst()) {
      const beyond = (order.price - price) * this.#sign;
      if (beyond < 0 || (beyond === 0 && buys === this.#buys)) break;
      if (beyond === 0) {
        const served = Math.min(order.ahead, offered);
        order.ahead -= served;
        offered -= served;
      } else order.ahead = 0;
      offered -= this.#fill(order, { ms, amount: offered });
    }
  }

  /** Who leaves without a trade leaves from behind. */
  #ownSide({ price, amount }: NaiveRow): void {
    this.#levels.set(price, amount);
    for (const order of this.#resting) {
      if (order.price === price) order.ahead = Math.min(order.ahead, amount);
    }
  }

  #otherSide({ ms, price, amount }: NaiveRow): void {
    let offered = amount;
    for (const order of this.#bestFirst()) {
      if ((order.price - price) * this.#sign < 0) break;
      offered -= this.#fill(order, { ms, amount: offered });
    }
    this.#others.set(price, offered);
  }

  #bestFirst(): Resting[] {
    return [...this.#resting].sort((a, b) => (b.price - a.price) * this.#sign);
  }

  #fill(order: Resting, { ms, amount: offered }: { ms: number; amount: number }): number {
    const amount = Math.min(order.left, offered);
    order.left -= amount;
    const { tag, price } = order;
    if (amount > 0) this.fills.push({ tag, price, amount, ms });
    return amount;
  }
}

/** The rows as a market in memory. */
export function depthSource(rows: readonly NaiveRow[]): Source {
  const column = (value: (row: NaiveRow) => number) => Float64Array.from(rows, value);
  const columns = {
    ...{ time: column(({ ms }) => START_MS + ms), received: column(() => Number.NaN) },
    ...{ update: column(({ update }) => update), event: column(({ event }) => EVENTS[event]) },
    side: column(({ buys }) => (buys ? 1 : -1)),
    price: column(({ price }) => price / PRICE_FACTOR),
    amount: column(({ amount }) => amount / AMOUNT_FACTOR),
  };
  return plannedSource({ kind: 'depth', stepMs: 1, columns, lengthMs: rows.at(-1)!.ms + 1 });
}
