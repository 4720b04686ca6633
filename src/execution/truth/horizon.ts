import type { OrderRecord } from '../../domain/index.ts';
import type { OrdersPage } from '../../exchange/index.ts';
import { BoundedMap, dateMs, elapsedMs, MINUTE_MS } from '../../kernel/index.ts';
import { ADOPTED } from '../../ledger/index.ts';
import type { ExecutorOptions } from '../ports.ts';

/**
 * The most that the exchange's clock is apart from our date: it refuses requests stamped further
 * off. Source: wire facts, Order of checks.
 */
export const STAMP_TOLERANCE_MS = 5 * MINUTE_MS;
/**
 * The most that the horizon can be ahead of the exchange's clock after an order with a wrong time:
 * the most it may be ahead of our date, plus the most that our date may be ahead of the exchange's.
 */
export const AHEAD_MAX_MS = 2 * STAMP_TOLERANCE_MS;
/**
 * The most that stamps of the exchange's machines differ, milliseconds. Not documented; machines
 * that keep time over the network are well within a second. Nothing is sent twice if it is wrong:
 * older records, up to `AHEAD_MAX_MS`, are in doubt.
 */
export const UNEVEN_MS = 5_000;
/** Elapsed time runs faster than the exchange's clock by less than this fraction. */
const DRIFT = 0.001;
/**
 * How many orders, heard of or sent, are remembered: more than ten minutes at the contract's limit.
 */
export const HEARD_MAX = 65_536;

type HorizonOptions = Pick<ExecutorOptions, 'clock' | 'orders' | 'heardMax'>;

/** The time of an order, as told. */
interface Told {
  readonly time: number;
  /** When the order was heard of, in elapsed time. */
  readonly elapsedMs: number;
  /** When the order was heard of, by the run's clock. */
  readonly heardMs: number;
}

/**
 * The least time that the exchange's clock can show, whatever our date: the newest time of any
 * order heard of, plus the time elapsed since. Also remembers which orders were heard of.
 *
 * Orders placed from now on have no earlier time. So the horizon separates orders that the exchange
 * already has from those to come, without using our date. An order stamped ahead of its time puts
 * it wrong until a later order of ours shows that.
 */
export class Horizon {
  readonly #options: HorizonOptions;
  #told: Told | undefined;
  /** By exchange id, the number of orders heard of before it. */
  readonly #heard: BoundedMap<string, number>;
  #heardCount = 0;

  constructor(options: HorizonOptions) {
    this.#options = options;
    this.#heard = new BoundedMap(options.heardMax ?? HEARD_MAX);
  }

  /** Milliseconds since the epoch; undefined while no order was heard of. */
  get time(): number | undefined {
    return (
      this.#told && timeAfter(this.#told, elapsedMs(this.#options.clock) - this.#told.elapsedMs)
    );
  }

  /** How many orders have been heard of so far. */
  get heardCount(): number {
    return this.#heardCount;
  }

  /** Whether the order was among the first `heardCount` orders heard of: see `heardCount`. */
  isAmong(heardCount: number, { exchangeOrderId }: { readonly exchangeOrderId: string }): boolean {
    return (this.#heard.get(exchangeOrderId) ?? Number.POSITIVE_INFINITY) < heardCount;
  }

  /** Takes up the orders of a read or a push. */
  hear(page: OrdersPage): void {
    for (const record of page) {
      this.#pullBack(record);
      if (this.#note(record.exchangeOrderId)) this.#hearTime(record);
    }
    for (const id of page.illegible ?? []) this.#note(id);
  }

  /** Remembers an order. Returns whether it is heard of for the first time. */
  #note(exchangeOrderId: string): boolean {
    if (this.#heard.has(exchangeOrderId)) return false;
    this.#heard.set(exchangeOrderId, this.#heardCount++);
    return true;
  }

  #hearTime({ exchangeTime }: OrderRecord): void {
    const { clock } = this.#options;
    const time = Math.min(exchangeTime, dateMs(clock) + STAMP_TOLERANCE_MS);
    if (time > (this.time ?? Number.NEGATIVE_INFINITY)) this.#tell(time);
  }

  /**
   * Sets the horizon back if an order of ours that left after it has an earlier time: it was wrong.
   */
  #pullBack({ exchangeOrderId, exchangeTime }: OrderRecord): void {
    const told = this.#told;
    if (told === undefined || exchangeTime >= this.time!) return;
    const order = this.#options.orders.byExchangeOrderId(exchangeOrderId);
    if (order === undefined || order.strategy === ADOPTED) return;
    const sinceMs = order.createdTime - told.heardMs;
    if (sinceMs > 0 && exchangeTime < timeAfter(told, sinceMs)) this.#tell(exchangeTime);
  }

  #tell(time: number): void {
    this.#told = {
      time,
      elapsedMs: elapsedMs(this.#options.clock),
      heardMs: this.#options.clock.now(),
    };
  }
}

function timeAfter({ time }: Told, elapsedMs: number): number {
  return time + Math.floor(elapsedMs * (1 - DRIFT));
}

/** When the newest record was placed, by the exchange's clock; minus infinity: there is none. */
export function newestTimeOf(records: readonly OrderRecord[]): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (const { exchangeTime } of records) newest = Math.max(newest, exchangeTime);
  return newest;
}
