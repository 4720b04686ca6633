import type { LiveOrder } from '../../domain/index.ts';
import { ADOPTED } from '../../ledger/index.ts';
import type { ExecutorOptions } from '../ports.ts';

const NEVER = Number.POSITIVE_INFINITY;

export interface GraceParts {
  /** Whether the order's strategy has made a wish that decides about it. */
  readonly hasDecided: (order: LiveOrder) => boolean;
}

/**
 * Tells which orders may rest though nothing wishes them: those of an earlier run for a while,
 * until their strategy has decided about them, and foreign ones if that is set.
 */
export class Grace {
  readonly #options: Pick<ExecutorOptions, 'clock' | 'config'>;
  readonly #parts: GraceParts;
  readonly #restored = new Set<string>();
  /** Restored orders whose grace ended early. */
  readonly #ended = new Set<string>();
  readonly #untilMs: number;
  /**
   * Orders created up to this time, and once it is set all of an earlier run, must not rest
   * unwished, whatever the settings say.
   */
  #clearedMs = Number.NEGATIVE_INFINITY;
  #isOver = true;

  constructor(options: Pick<ExecutorOptions, 'clock' | 'config'>, parts: GraceParts) {
    this.#options = options;
    this.#parts = parts;
    this.#untilMs = options.clock.now() + options.config.restoredGraceMs;
  }

  /** Grants grace to an order taken over from an earlier run. */
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

  /** Ends the order's grace: an exit needs it gone. */
  end({ clientOrderId }: LiveOrder): void {
    if (this.#restored.has(clientOrderId)) this.#ended.add(clientOrderId);
  }

  /** From now on no order created until now may rest unwished. */
  clear(): void {
    this.#clearedMs = Math.max(this.#clearedMs, this.#options.clock.now());
  }

  /** From now on no order may rest unwished, whenever it is taken over. */
  close(): void {
    this.#clearedMs = NEVER;
  }

  /** Orders of an earlier run have times of that run's clock, which say nothing on this one. */
  #isCleared({ clientOrderId, createdTime }: LiveOrder): boolean {
    if (this.#restored.has(clientOrderId)) return this.#clearedMs > Number.NEGATIVE_INFINITY;
    return createdTime <= this.#clearedMs;
  }

  /** Whether no order has grace, or its end was dealt with. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** When the grace ends, milliseconds since the epoch; infinite if no order has any. */
  get nextMs(): number {
    return this.#isOver ? NEVER : this.#untilMs;
  }

  /** Whether the grace has ended since the last call. */
  ends(nowMs: number): boolean {
    if (nowMs < this.nextMs) return false;
    this.#isOver = true;
    return true;
  }
}
