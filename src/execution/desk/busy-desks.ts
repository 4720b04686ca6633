import { FewSet } from '../../kernel/index.ts';
import type { Desk } from './desk.ts';

/** The desks to look at in the next round, the longest served last. */
export class BusyDesks {
  readonly #desks = new FewSet<Desk>();
  /** All of them, until one comes or goes: they are looked through far more often. */
  #list: readonly Desk[] | undefined;

  add(desk: Desk): void {
    if (this.#desks.has(desk)) return;
    this.#desks.add(desk);
    this.#list = undefined;
  }

  delete(desk: Desk): void {
    if (this.#desks.delete(desk)) this.#list = undefined;
  }

  /** Whoever was served goes to the end of the line. */
  served(desk: Desk): void {
    if (this.#desks.size === 1 && this.#desks.first === desk) return;
    this.delete(desk);
    this.add(desk);
  }

  /** A list that later changes leave alone. */
  values(): readonly Desk[] {
    this.#list ??= this.#desks.values();
    return this.#list;
  }
}
