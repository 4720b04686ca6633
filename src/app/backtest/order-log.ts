import { isDeclaredAbsent, isFinal, type OrderState } from '../../domain/index.ts';
import { type OrderColumns, orderColumns } from '../../report/index.ts';

/** Orders that are packed at once. */
const BLOCK_ORDERS = 1_024;

/** What is kept of an order while it may change. */
export interface FollowedOrder {
  order: OrderState;
  /** The last price of its market when it was made; undefined where none was known. */
  readonly referencePrice: number | undefined;
}

/** Orders made one after the other: objects while one of them may change, columns from then on. */
interface Block {
  orders: FollowedOrder[];
  columns: OrderColumns | undefined;
}

/**
 * The last state of every order, in the order of their creation. Those that are over are kept as
 * columns, which take a third of the memory.
 */
export class OrderLog {
  readonly #followed = new Map<string, FollowedOrder>();
  readonly #blocks: Block[] = [];
  /** Those that are not packed yet. */
  readonly #open = new Set<Block>();
  readonly #onOver: (order: OrderState) => void;
  #newest: Block = { orders: [], columns: undefined };

  /** `onOver` hears every order that is packed: it changes no more. */
  constructor(onOver: (order: OrderState) => void) {
    this.#onOver = onOver;
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

  add(followed: FollowedOrder): void {
    if (this.#newest.orders.length === BLOCK_ORDERS) {
      for (const block of this.#open) if (block.orders.every(isOver)) this.#pack(block);
      this.#newest = { orders: [], columns: undefined };
      this.#begin();
    }
    this.#newest.orders.push(followed);
    this.#followed.set(followed.order.clientOrderId, followed);
  }

  /** The orders that are not packed. */
  *unpacked(): Iterable<OrderState> {
    for (const { orders } of this.#open) for (const { order } of orders) yield order;
  }

  /** All orders. */
  columns(): OrderColumns {
    const parts = this.#blocks.map(({ columns, orders }) => columns ?? columnsOf(orders));
    return joined(parts);
  }

  #begin(): void {
    this.#blocks.push(this.#newest);
    this.#open.add(this.#newest);
  }

  #pack(block: Block): void {
    for (const { order } of block.orders) {
      this.#onOver(order);
      this.#followed.delete(order.clientOrderId);
    }
    block.columns = columnsOf(block.orders);
    block.orders = [];
    this.#open.delete(block);
  }
}

/** One that was taken to be absent may yet be found. */
function isOver({ order }: FollowedOrder): boolean {
  return isFinal(order) && !isDeclaredAbsent(order);
}

function columnsOf(followed: readonly FollowedOrder[]): OrderColumns {
  return orderColumns({ orders: followed.map(({ order }) => order) });
}

function joined(parts: readonly OrderColumns[]): OrderColumns {
  const names = Object.keys(parts[0]!) as (keyof OrderColumns)[];
  const columns = names.map((name) => [name, joinedColumn(parts.map((part) => part[name]))]);
  return Object.fromEntries(columns) as OrderColumns;
}

function joinedColumn(parts: readonly OrderColumns[keyof OrderColumns][]) {
  if (!(parts[0] instanceof Float64Array)) return parts.flat();
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts as readonly Float64Array[]) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
