import { isDeclaredAbsent, isFinal, type OrderState } from '../../../domain/index.ts';
import { type OrderColumns, orderColumns, type RecordedOrder } from './order-columns.ts';
import type { ShownNames } from './shown-names.ts';
import type { Spool } from './spool.ts';

/** Orders that are put away at once. */
const BLOCK_ORDERS = 1_024;

/** What is kept of an order while it may change. */
export interface FollowedOrder extends RecordedOrder {
  order: OrderState;
  feeCurrency: RecordedOrder['feeCurrency'];
  liquidity: RecordedOrder['liquidity'];
  /** The last price of its market when it was made; undefined where none was known. */
  readonly referencePrice: number | undefined;
  /** What its market's quote currency was worth then: see `Rates`. */
  readonly rate?: number | undefined;
}

export interface OrderLogOptions {
  readonly spool: Spool<OrderColumns>;
  readonly names: ShownNames;
  /** Hears every order that is put away: it changes no more. */
  readonly onOver: (followed: FollowedOrder) => void;
}

/** Orders made one after the other: objects while one of them may change, put away from then on. */
interface Block {
  orders: FollowedOrder[];
  /** Its number in the spool; undefined while it is not there. */
  place: number | undefined;
}

/**
 * The last state of every order, in the order of their creation. Those that are over are put away
 * as columns.
 */
export class OrderLog {
  readonly #followed = new Map<string, FollowedOrder>();
  readonly #blocks: Block[] = [];
  /** Those that are not put away yet. */
  readonly #open = new Set<Block>();
  readonly #options: OrderLogOptions;
  #newest: Block = { orders: [], place: undefined };

  constructor(options: OrderLogOptions) {
    this.#options = options;
    this.#begin();
  }

  /** How many orders there were. */
  get count(): number {
    return (this.#blocks.length - 1) * BLOCK_ORDERS + this.#newest.orders.length;
  }

  /** An order that may change, or did a moment ago. */
  get(clientOrderId: string): FollowedOrder | undefined {
    return this.#followed.get(clientOrderId);
  }

  add(made: Pick<FollowedOrder, 'order' | 'referencePrice' | 'rate'>): void {
    if (this.#newest.orders.length === BLOCK_ORDERS) {
      for (const block of this.#open) if (block.orders.every(isOver)) this.#putAway(block);
      this.#newest = { orders: [], place: undefined };
      this.#begin();
    }
    const followed = { ...made, feeCurrency: undefined, liquidity: undefined };
    this.#newest.orders.push(followed);
    this.#followed.set(made.order.clientOrderId, followed);
  }

  /** The orders that are not put away. */
  *atHand(): Iterable<FollowedOrder> {
    for (const { orders } of this.#open) yield* orders;
  }

  /** All orders, some at a time. */
  *columns(): Generator<OrderColumns> {
    for (const { place, orders } of this.#blocks) {
      yield place === undefined ? this.#columnsOf(orders) : this.#options.spool.get(place);
    }
  }

  #begin(): void {
    this.#blocks.push(this.#newest);
    this.#open.add(this.#newest);
  }

  #putAway(block: Block): void {
    const { spool, onOver } = this.#options;
    for (const followed of block.orders) {
      onOver(followed);
      this.#followed.delete(followed.order.clientOrderId);
    }
    block.place = spool.length;
    spool.put(this.#columnsOf(block.orders));
    block.orders = [];
    this.#open.delete(block);
  }

  #columnsOf(followed: readonly FollowedOrder[]): OrderColumns {
    return orderColumns(followed, this.#options.names);
  }
}

/** One that was taken to be absent may yet be found, and a fee that was guessed be told. */
function isOver({ order }: FollowedOrder): boolean {
  return isFinal(order) && !isDeclaredAbsent(order) && order.guessedFee === undefined;
}
