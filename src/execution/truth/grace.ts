import type { LiveOrder } from '../../domain/index.ts';
import { ADOPTED } from '../../ledger/index.ts';
import type { ExecutorOptions } from '../ports.ts';

const NEVER = Number.POSITIVE_INFINITY;

export interface GraceParts {
  /** Whether the strategy of an order has wished what decides about it. */
  readonly hasDecided: (order: LiveOrder) => boolean;
}

/**
 * Which orders may rest though nothing wishes them: those of an earlier run for a while, until their
 * strategy has decided about them, and those of others where that is set.
 */
export class Grace {
  readonly #options: Pick<ExecutorOptions, 'clock' | 'config'>;
  readonly #parts: GraceParts;
  readonly #restored = new Set<string>();
  /** Those among them whose grace is over ahead of its time. */
  readonly #ended = new Set<string>();
  readonly #untilMs: number;
  /** Orders made before this, or by an earlier run, must not rest unwished, whatever the settings say. */
  #clearedMs = Number.NEGATIVE_INFINITY;
  #isOver = true;

  constructor(options: Pick<ExecutorOptions, 'clock' | 'config'>, parts: GraceParts) {
    this.#options = options;
    this.#parts = parts;
    this.#untilMs = options.clock.now() + options.config.restoredGraceMs;
  }

  /** An order is taken over from an earlier run. */
  restore(clientOrderId: string): void {
    this.#restored.add(clientOrderId);
    this.#isOver = false;
  }

  mayRest(order: LiveOrder): boolean {
    const { clock, config } = this.#options;
    if (this.#isCleared(order)) return false;
    if (order.strategy === ADOPTED) return config.foreignOrders === 'adopt';
    const { clientOrderId } = order;
    if (!this.#restored.has(clientOrderId) || clock.now() >= this.#untilMs) return false;
    return !this.#ended.has(clientOrderId) && !this.#parts.hasDecided(order);
  }

  /** An exit needs the order gone. */
  end({ clientOrderId }: LiveOrder): void {
    if (this.#restored.has(clientOrderId)) this.#ended.add(clientOrderId);
  }

  /** Nothing that was made until now may rest unwished. */
  clear(): void {
    this.#clearedMs = Math.max(this.#clearedMs, this.#options.clock.now());
  }

  /** Nothing may rest unwished any more, whenever it is taken over. */
  close(): void {
    this.#clearedMs = NEVER;
  }

  /** What an earlier run has made bears the time of that run's clock, which tells nothing by this one. */
  #isCleared({ clientOrderId, createdTime }: LiveOrder): boolean {
    if (this.#restored.has(clientOrderId)) return this.#clearedMs > Number.NEGATIVE_INFINITY;
    return createdTime <= this.#clearedMs;
  }

  /** Whether nobody has any, or its end was heeded. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** When it is over, milliseconds since the epoch; infinite where nobody has any. */
  get nextMs(): number {
    return this.#isOver ? NEVER : this.#untilMs;
  }

  /** Whether it is over now and was not before. */
  ends(nowMs: number): boolean {
    if (nowMs < this.nextMs) return false;
    this.#isOver = true;
    return true;
  }
}
