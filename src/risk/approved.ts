import type { OrderTerms, Refusal } from '../domain/index.ts';

const sealed: unique symbol = Symbol('approved');

/** A value approved by risk. Only this folder can make one; the executor accepts nothing else. */
export interface Approved<T> {
  readonly [sealed]: true;
  readonly value: T;
}

/** An order about to leave: its terms, its strategy and its id. */
export interface OrderDraft extends OrderTerms {
  readonly strategy: string;
  readonly tag: string;
  readonly clientOrderId: string;
}

/** Seals a value. Imported by the gate alone; not exported from the folder's index. */
export function seal<T>(value: T): Approved<T> {
  return new Sealed(value);
}

/** A class for speed: object literals with a symbol key are built slowly. */
class Sealed<T> implements Approved<T> {
  readonly [sealed] = true;
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

export function isRefusal(answer: Approved<unknown> | Refusal): answer is Refusal {
  return !(sealed in answer);
}
