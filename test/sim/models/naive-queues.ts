import type { Side } from '../../../src/domain/index.ts';
import type { Leavers } from '../../../src/sim/models/queue.ts';

interface Waiting {
  /** Undefined: somebody else's. */
  readonly own: string | undefined;
  amount: number;
  /** When it came; what others have has no time. */
  readonly time?: number;
}

interface Queue {
  readonly side: Side;
  readonly price: number;
  waiting: Waiting[];
}

/** The rules of queue models by plain arrays, slow and plain. Whole units. */
export class NaiveQueues {
  queues: Queue[] = [];
  readonly filled = new Map<string, number>();
  readonly #leavers: Leavers;

  constructor(leavers: Leavers) {
    this.#leavers = leavers;
  }

  /** An own order comes to rest; `ahead`: how many are to wait before it in all. */
  rest(own: string, { side, price, amount, time = 0, ahead }: Resting) {
    if (amount === 0) return;
    let queue = this.queueAt(side, price);
    if (queue === undefined) {
      queue = { side, price, waiting: [] };
      this.queues.push(queue);
    }
    const joining = ahead(othersIn(queue));
    if (joining > 0) queue.waiting.push({ own: undefined, amount: joining });
    queue.waiting.push({ own, amount, time });
  }

  cancel(own: string): void {
    for (const queue of this.queues) {
      queue.waiting = queue.waiting.filter((entry) => entry.own !== own);
    }
    this.tidy();
  }

  /** The recording tells how much others have at a price, and since when. */
  change({ side, price, amount, time = 0 }: Row): void {
    const queue = this.queueAt(side, price);
    if (queue === undefined) return;
    const others = othersIn(queue);
    if (amount > others) insert(queue, lateAt(queue, time), amount - others);
    else this.#leave(queue, others - amount);
    this.tidy();
  }

  /** Own orders within reach of a level of the other side fill from it. Returns what it lost. */
  cross(takerSide: Side, { price, amount }: { price: number; amount: number }): number {
    let left = amount;
    for (const queue of this.#reached(takerSide, price)) {
      for (const entry of queue.waiting) {
        if (entry.own !== undefined) left -= this.#fill(entry, left);
      }
    }
    this.tidy();
    return amount - left;
  }

  /** Own orders that came later than the trade see their queue as if it had not been. */
  print(row: Row, options: { capped: boolean }): void {
    const { time = 0 } = row;
    const late = this.queues
      .map((queue) => ({ queue, at: lateAt(queue, time) }))
      .filter(({ queue, at }) => at < queue.waiting.length)
      .map(({ queue, at }) => {
        const others = othersIn(queue);
        // Whoever stands right before the first late one goes along with it.
        const isLed = at > 0 && queue.waiting[at - 1]!.own === undefined;
        return { queue, others, waiting: queue.waiting.splice(isLed ? at - 1 : at) };
      });
    this.#print(row, options);
    for (const { queue, others, waiting } of late) {
      const missing = others - othersIn(queue) - othersIn({ ...queue, waiting });
      if (waiting[0]!.own !== undefined) waiting.unshift({ own: undefined, amount: 0 });
      waiting[0]!.amount += missing;
      queue.waiting.push(...waiting);
      if (!this.queues.includes(queue)) this.queues.push(queue);
    }
    this.tidy();
  }

  #print({ side: takerSide, price, amount }: Row, { capped }: { capped: boolean }): void {
    let left = amount;
    for (const side of ['buy', 'sell'] as const) {
      const beyond = side === 'buy' ? price + 1 : price - 1;
      const taker = side === 'buy' ? 'sell' : 'buy';
      for (const queue of this.#reached(taker, beyond)) {
        queue.waiting = queue.waiting.filter(({ own }) => own !== undefined);
      }
      const filled = this.cross(taker, { price: beyond, amount: capped ? left : 1e15 });
      if (capped) left -= filled;
    }
    const queue = this.queueAt(takerSide === 'buy' ? 'sell' : 'buy', price);
    for (const entry of queue?.waiting ?? []) left -= this.#fill(entry, left);
    this.tidy();
  }

  /** Takes from the front of a queue. Returns how much. */
  take(queue: Queue, amount: number): number {
    let left = amount;
    for (const entry of queue.waiting) left -= this.#fill(entry, left);
    this.tidy();
    return amount - left;
  }

  queueAt(side: Side, price: number): Queue | undefined {
    return this.queues.find((queue) => queue.side === side && queue.price === price);
  }

  /** Forgets queues without own orders, and entries without an amount. */
  tidy(): void {
    for (const queue of this.queues) {
      queue.waiting = queue.waiting.filter(({ amount }) => amount > 0);
    }
    this.queues = this.queues.filter(({ waiting }) => waiting.some(({ own }) => own !== undefined));
  }

  /** Queues opposite to a taker within its limit, best first. */
  #reached(takerSide: Side, limit: number): Queue[] {
    const sign = takerSide === 'buy' ? 1 : -1;
    return this.queues
      .filter(({ side, price }) => side !== takerSide && price * sign <= limit * sign)
      .sort((a, b) => (a.price - b.price) * sign);
  }

  #fill(entry: Waiting, most: number): number {
    const amount = Math.min(entry.amount, most);
    entry.amount -= amount;
    const { own } = entry;
    if (own !== undefined) this.filled.set(own, (this.filled.get(own) ?? 0) + amount);
    return amount;
  }

  #leave(queue: Queue, surplus: number): void {
    let left = surplus;
    let others = othersIn(queue);
    for (const entry of queue.waiting.toReversed()) {
      if (entry.own !== undefined) continue;
      const part =
        this.#leavers === 'conservative' ? left : Math.ceil((left / others) * entry.amount);
      const leaving = Math.min(entry.amount, left, part);
      others -= entry.amount;
      entry.amount -= leaving;
      left -= leaving;
    }
  }
}

export interface Row {
  readonly side: Side;
  readonly price: number;
  readonly amount: number;
  /** When it was so. Default: 0, as orders came. */
  readonly time?: number;
}

interface Resting extends Row {
  /** How many are to wait before it, out of how many do. */
  readonly ahead: (waiting: number) => number;
}

/** The place of the first own order that came later, else the end. */
function lateAt({ waiting }: Queue, time: number): number {
  const at = waiting.findIndex((entry) => entry.own !== undefined && entry.time! > time);
  return at < 0 ? waiting.length : at;
}

/** Puts others into a queue: with those right before that place, where there are any. */
function insert({ waiting }: Queue, at: number, amount: number): void {
  const before = waiting[at - 1];
  if (before !== undefined && before.own === undefined) before.amount += amount;
  else waiting.splice(at, 0, { own: undefined, amount });
}

function othersIn(queue: Queue): number {
  return queue.waiting.reduce((sum, { own, amount }) => sum + (own === undefined ? amount : 0), 0);
}
