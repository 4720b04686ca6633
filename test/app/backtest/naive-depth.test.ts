import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/kernel/index.ts';
import { depthSource, NaiveDepth, type NaiveRow } from './naive-depth.ts';
import { filledOf, fillTexts, makePlan, pick } from './planned-fills.ts';

const SEEDS = Array.from({ length: Number(process.env.TRADEWIND_FILL_SEEDS ?? 12) }, (_, at) => at);
const LEVELS = 20;

/** A book whose middle wanders: levels that it crosses go, and trades at the best prices. */
class BookMaker {
  readonly rows: NaiveRow[] = [];
  readonly #random: Random;
  #ms = 1_000;
  #update = 0;
  #middle = 10_000;

  constructor(random: Random, updates: number) {
    this.#random = random;
    for (let depth = 1; depth <= LEVELS; depth++) this.#levels('snapshot', depth);
    for (let update = 0; update < updates; update++) this.#next();
  }

  #next(): void {
    this.#ms += pick(this.#random, [0, 10 + this.#random.integer(300)]);
    this.#update++;
    const what = this.#random.next();
    if (what < 0.4) this.#trade();
    else if (what < 0.85) {
      const buys = this.#random.next() < 0.5;
      this.#level({ event: 'change', buys, depth: 1 + this.#random.integer(LEVELS) });
    } else this.#move(this.#random.integer(7) - 3);
  }

  #trade(): void {
    const buys = this.#random.next() < 0.5;
    const price = this.#middle + (buys ? 1 : -1) * (1 + this.#random.integer(3));
    this.#row({ event: 'trade', buys, price, amount: 1 + this.#random.integer(250) });
  }

  /** What the middle crosses goes, and the side that it left follows. */
  #move(by: number): void {
    const rises = by > 0;
    for (let step = 0; step <= Math.abs(by); step++) {
      const price = this.#middle + Math.sign(by) * step;
      for (const buys of [!rises, rises]) {
        this.#row({ event: 'change', buys, price, amount: 0 });
      }
    }
    this.#middle += by;
    for (let depth = 1; depth <= Math.abs(by); depth++) {
      this.#level({ event: 'change', buys: rises, depth });
    }
  }

  #levels(event: 'snapshot' | 'change', depth: number): void {
    for (const buys of [true, false]) this.#level({ event, buys, depth });
  }

  #level({ event, buys, depth }: { event: NaiveRow['event']; buys: boolean; depth: number }): void {
    const price = this.#middle + (buys ? -depth : depth);
    const most = event === 'snapshot' ? 300 : pick(this.#random, [1, 300, 300]);
    this.#row({ event, buys, price, amount: this.#random.integer(most) });
  }

  #row(row: Omit<NaiveRow, 'ms' | 'update'>): void {
    this.rows.push({ ms: this.#ms, update: this.#update, ...row });
  }
}

function depthCase(seed: number) {
  const random = seededRandom(`depth ${seed}`);
  const { rows } = new BookMaker(random, 900);
  const trades = rows.filter(({ event }) => event === 'trade');
  const sign = pick(random, [1, -1] as const);
  const used = new Set<number>();
  const plan = makePlan(random, {
    ...{ from: 5, to: trades.length - 5, orders: 0.15, cancels: 0.05 },
    order: (at) => {
      // What rests is by itself at its price; some take.
      const type = pick(random, ['postOnly', 'postOnly', 'limit', 'ioc'] as const);
      const away = type === 'postOnly' ? 7 + random.integer(8) : random.integer(8) - 8;
      let price = trades[at]!.price - sign * away;
      while (used.has(price)) price -= sign;
      if (type !== 'ioc') used.add(price);
      return { type, price, amount: 1 + random.integer(300) };
    },
  });
  return { rows, buys: sign > 0, plan };
}

describe('a backtest of depth', () => {
  let compared = 0;

  it.each(SEEDS)('fills as a naive engine does, seed %i', async (seed) => {
    const { rows, buys, plan } = depthCase(seed);
    const naive = new NaiveDepth(buys);
    naive.play(rows, plan);
    const backtest = { fill: { model: 'depth', queue: 'conservative' } };
    const run = { source: depthSource(rows), side: buys ? 'buy' : 'sell', plan, backtest } as const;
    const { fills } = await filledOf(run);
    expect(fills).toEqual(fillTexts(naive.fills));
    compared += fills.length;
  });

  it('has fills to compare', () => {
    expect(compared).toBeGreaterThan(100);
  });
});
