import type { Level, Market, RecordedTrade, Side } from '../../src/domain/index.ts';
import type { Clock } from '../../src/kernel/index.ts';
import type { Liquidity } from '../../src/sim/liquidity.ts';
import { makeMarket } from '../domain/fixture.ts';

export const MARKET = makeMarket({ amountScale: 5, minAmount: 0.00001 });

export function tradeOf(overrides: Partial<RecordedTrade> = {}): RecordedTrade {
  return {
    ...{ kind: 'trade', time: 1_000, id: '1', price: 100, amount: 1, takerSide: 'buy' },
    ...overrides,
  };
}

/** One call of the inlet and when it came. */
export type Call = { readonly at: number } & (
  | { readonly print: { takerSide: Side; price: number; amount: number } }
  | { readonly levels: readonly { side: Side; price: number; amount: number }[] }
  | { readonly bids: readonly Level[]; readonly asks: readonly Level[] }
);

/** An inlet that notes what comes through it. */
export class NotedLiquidity implements Liquidity {
  readonly market: Market;
  readonly calls: Call[] = [];
  readonly #clock: Clock;
  onPrint: () => void = () => {};

  constructor(clock: Clock, market: Market = MARKET) {
    this.#clock = clock;
    this.market = market;
  }

  /** Times of the prints, and their prices. */
  get prints(): [at: number, price: number][] {
    return this.calls.flatMap((call) => ('print' in call ? [[call.at, call.print.price]] : []));
  }

  print(print: { takerSide: Side; price: number; amount: number }): void {
    this.calls.push({ at: this.#clock.now(), print });
    this.onPrint();
  }

  setLevels(levels: readonly { side: Side; price: number; amount: number }[]): void {
    this.calls.push({ at: this.#clock.now(), levels });
  }

  setLevel(level: { side: Side; price: number; amount: number }): void {
    this.setLevels([level]);
  }

  replace({ bids, asks }: { bids: readonly Level[]; asks: readonly Level[] }): void {
    this.calls.push({ at: this.#clock.now(), bids, asks });
  }

  addOrder(): undefined {}

  cancelOrder(): boolean {
    return false;
  }
}

/** Lets everything that waits for a promise go on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
