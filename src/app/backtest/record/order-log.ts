import { isDeclaredAbsent, isFinal, type OrderState } from '../../../domain/index.ts';
import { type OrderColumns, orderColumns, type RecordedOrder } from './order-columns.ts';
import type { ShownNames } from './shown-names.ts';
import type { Spool } from './spool.ts';

/** Orders in a block of the spool. */
const BLOCK_ORDERS = 1_024;

/** What is kept of an order while it may change. */
export interface FollowedOrder extends RecordedOrder {
  order: OrderState;
  feeCurrency: RecordedOrder['feeCurrency'];
  liquidity: RecordedOrder['liquidity'];
  /** The last price of its market when it was made; undefined where none was known. */
  readonly referencePrice: number | undefined;
  /** The rate of its market's quote currency then: see `Rates.of`. */
  readonly rate?: number | undefined;
}

export interface OrderLogOptions {
  readonly spool: Spool<OrderColumns>;
  readonly names: ShownNames;
  /** Called for every order that is moved to the spool: it changes no more. */
  readonly onOver: (followed: FollowedOrder) => void;
}

/** Consecutive orders: objects while any of them may change, columns in the spool after that. */
interface Block {
  orders: FollowedOrder[];
  /** Its number in the spool; undefined while the orders are objects. */
  place: number | undefined;
}

/**
 * The last state of every order, in order of creation. Blocks of orders that change no more are
 * moved to a spool, as columns.
 */
export class OrderLog {
  readonly #followed = new Map<string, FollowedOrder>();
  readonly #blocks: Block[] = [];
  /** Blocks that are not in the spool yet. */
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

  /** An order, unless its block is in the spool. */
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

  /** The orders that are not in the spool. */
  *atHand(): Iterable<FollowedOrder> {
    for (const { orders } of this.#open) yield* orders;
  }

  /** All orders, block by block. */
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

/**
 * Whether an order changes no more. One declared absent may yet be found, and a guessed fee may yet
 * be told.
 */
function isOver({ order }: FollowedOrder): boolean {
  return isFinal(order) && !isDeclaredAbsent(order) && order.guessedFee === undefined;
}
