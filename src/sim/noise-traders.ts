import type { Side } from '../domain/index.ts';
import { Heap, MINUTE_MS, type Random, SECOND_MS } from '../kernel/index.ts';
import type { SyntheticParameters } from './config.ts';
import type { FairValue } from './fair-value.ts';
import type { Liquidity } from './liquidity.ts';
import { amountFor, priceNear } from './maker-ladder.ts';
import { poisson } from './taker-flow.ts';

/** How long an order of theirs rests on average. */
const LIFETIME_MS = 30 * SECOND_MS;
/** Their average distance from the makers' best price, in spreads. */
const DISTANCE_IN_SPREADS = 2;
/** Their average amount as a part of a maker's level. */
const SIZE_IN_LEVELS = 0.3;

interface NoiseOrder {
  readonly id: string;
  readonly expiresAtMs: number;
}

/** Traders who add limit orders and cancel them at random. */
export class NoiseTraders {
  readonly #liquidity: Liquidity;
  readonly #parameters: SyntheticParameters;
  readonly #random: Random;
  readonly #orders = new Heap<NoiseOrder>((a, b) => a.expiresAtMs < b.expiresAtMs);

  constructor(parts: { liquidity: Liquidity; parameters: SyntheticParameters; random: Random }) {
    this.#liquidity = parts.liquidity;
    this.#parameters = parts.parameters;
    this.#random = parts.random;
  }

  /** Cancels what has expired by now and adds the orders of a step. */
  act({ nowMs, durationMs }: { nowMs: number; durationMs: number }, fair: FairValue): void {
    while ((this.#orders.peek()?.expiresAtMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      this.#liquidity.cancelOrder(this.#orders.pop()!.id);
    }
    const mean = (this.#parameters.noiseOrdersPerMinute * durationMs) / MINUTE_MS;
    for (let left = poisson(this.#random, mean); left > 0; left--) this.#add(nowMs, fair);
  }

  #add(nowMs: number, fair: FairValue): void {
    const { spread, levelValue } = this.#parameters;
    const side: Side = this.#random.next() < 0.5 ? 'buy' : 'sell';
    const distance = spread * (0.5 + this.#random.exponential(DISTANCE_IN_SPREADS));
    const wanted = fair.price * (side === 'buy' ? 1 - distance : 1 + distance);
    const price = priceNear(this.#liquidity, wanted);
    const value = levelValue * this.#random.exponential(SIZE_IN_LEVELS);
    if (price <= 0) return;
    const amount = amountFor(this.#liquidity, { price, value });
    const id = this.#liquidity.addOrder({ side, type: 'postOnly', price, amount });
    if (id === undefined) return;
    this.#orders.push({ id, expiresAtMs: nowMs + this.#random.exponential(LIFETIME_MS) });
  }
}
