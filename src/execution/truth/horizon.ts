import type { OrderRecord } from '../../domain/index.ts';
import type { OrdersPage } from '../../exchange/index.ts';
import { BoundedMap, dateMs, elapsedMs, MINUTE_MS } from '../../kernel/index.ts';
import { ADOPTED } from '../../ledger/index.ts';
import type { ExecutorOptions } from '../ports.ts';

/**
 * How far the exchange's clock is from our date at most: it refuses requests that are stamped
 * further off. Source: wire facts, Order of checks.
 */
export const STAMP_TOLERANCE_MS = 5 * MINUTE_MS;
/**
 * How far the horizon is ahead of the exchange's clock at most, where an order bore a wrong time: as
 * far as it is taken to be ahead of our date, and as that may be ahead of the exchange's.
 */
export const AHEAD_MAX_MS = 2 * STAMP_TOLERANCE_MS;
/**
 * How far apart the exchange's machines stamp, milliseconds. No document tells; machines that keep
 * their time by the net are well below a second apart. It sends nothing twice: what is older, up to
 * `AHEAD_MAX_MS`, is in doubt.
 */
export const UNEVEN_MS = 5_000;
/** Elapsed time runs faster than the exchange's by less than this share. */
const DRIFT = 0.001;
/** How many orders, heard of or sent, are known again: more than ten minutes at the contract's limit. */
export const HEARD_MAX = 65_536;

type HorizonOptions = Pick<ExecutorOptions, 'clock' | 'orders' | 'heardMax'>;

/** A time that an order bore. */
interface Told {
  readonly time: number;
  /** When it was heard of, in elapsed time. */
  readonly elapsedMs: number;
  /** When it was heard of, by the run's clock. */
  readonly heardMs: number;
}

/**
 * The least that the exchange's clock shows, whatever date this machine has: the newest time that an
 * order heard of bore, and the time that has elapsed since it was heard of. And the orders heard of.
 *
 * What is placed from now on bears no earlier time. So it divides the orders that the exchange has
 * from those to come without a look at our date. An order that was stamped wrongly, ahead of its
 * time, puts it wrong until one of ours that came after shows that.
 */
export class Horizon {
  readonly #options: HorizonOptions;
  #told: Told | undefined;
  /** By the exchange's ids, as the how-manieth each was heard of first. */
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

  /** How many orders were heard of so far. */
  get heardCount(): number {
    return this.#heardCount;
  }

  /** Whether the order was among the first so many that were heard of: see `heardCount`. */
  isAmong(heardCount: number, { exchangeOrderId }: { readonly exchangeOrderId: string }): boolean {
    return (this.#heard.get(exchangeOrderId) ?? Number.POSITIVE_INFINITY) < heardCount;
  }

  /** Takes up what a read or a push told. */
  hear(page: OrdersPage): void {
    for (const record of page) {
      this.#pullBack(record);
      if (this.#note(record.exchangeOrderId)) this.#hearTime(record);
    }
    for (const id of page.illegible ?? []) this.#note(id);
  }

  /** Whether it is heard of for the first time. */
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

  /** An order of ours that was placed behind the horizon and bears an earlier time proves it wrong. */
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

/** When the newest of the records was placed, by the exchange's clock; minus infinity: there is none. */
export function newestTimeOf(records: readonly OrderRecord[]): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (const { exchangeTime } of records) newest = Math.max(newest, exchangeTime);
  return newest;
}
