import type { OrderTerms, Refusal } from '../domain/index.ts';

const sealed: unique symbol = Symbol('approved');

/** A value that risk let pass. Only this folder can make one; the executor accepts nothing else. */
export interface Approved<T> {
  readonly [sealed]: true;
  readonly value: T;
}

/** An order about to leave: its terms, who wished it and under which id. */
export interface OrderDraft extends OrderTerms {
  readonly strategy: string;
  readonly tag: string;
  readonly clientOrderId: string;
}

/** Puts the seal on a value. Imported by the gate alone; not exported from the folder's index. */
export function seal<T>(value: T): Approved<T> {
  return new Sealed(value);
}

/** A class, for speed: an object literal with a symbol of its own is made the slow way. */
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
