import type { Planned, PlannedFill } from './planned-fills.ts';

/** A print in units; milliseconds after the start. */
export interface NaivePrint {
  readonly ms: number;
  readonly price: number;
  readonly amount: number;
  readonly sells: boolean;
}

export interface NaiveTradesSettings {
  /** Before each order that comes to rest, units. */
  readonly queue: number;
  readonly printCap: boolean;
  readonly latencyMs: number;
  readonly buys: boolean;
}

interface Resting {
  readonly tag: string;
  readonly price: number;
  queue: number;
  left: number;
}

/** Fills of resting orders of one side by prints, by what the documents say of the model. */
export function naiveTradeFills(
  prints: readonly NaivePrint[],
  { plan, settings }: { plan: readonly Planned[]; settings: NaiveTradesSettings },
): PlannedFill[] {
  const { queue, printCap, latencyMs, buys } = settings;
  const sign = buys ? 1 : -1;
  const fills: PlannedFill[] = [];
  const underWay: { wish: Planned; ms: number }[] = [];
  let resting: Resting[] = [];
  const arrive = (wish: Planned): void => {
    if ('cancel' in wish) resting = resting.filter(({ tag }) => tag !== wish.cancel);
    else resting.push({ tag: wish.tag, price: wish.price, queue, left: wish.amount });
  };
  for (const [row, print] of prints.entries()) {
    // What arrives in the millisecond of a print comes before it.
    while (underWay.length > 0 && underWay[0]!.ms <= print.ms) arrive(underWay.shift()!.wish);
    let offered = print.amount;
    for (const order of [...resting].sort((a, b) => (b.price - a.price) * sign)) {
      const beyond = (order.price - print.price) * sign;
      if (beyond < 0 || (beyond === 0 && print.sells !== buys)) break;
      const before = beyond > 0 ? 0 : Math.min(order.queue, offered);
      order.queue = beyond > 0 ? 0 : order.queue - before;
      offered -= before;
      const isWhole = beyond > 0 && !printCap;
      const amount = isWhole ? order.left : Math.min(order.left, offered);
      if (!isWhole) offered -= amount;
      order.left -= amount;
      if (amount > 0) fills.push({ tag: order.tag, price: order.price, amount, ms: print.ms });
    }
    resting = resting.filter(({ left }) => left > 0);
    for (const wish of plan) {
      if (wish.at !== row) continue;
      if (latencyMs === 0) arrive(wish);
      else underWay.push({ wish, ms: print.ms + latencyMs });
    }
  }
  return fills;
}
