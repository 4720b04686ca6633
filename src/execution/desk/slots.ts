import type { LiveOrder } from '../../domain/index.ts';
import type { Slot } from './slot.ts';

/** The slots of one desk: of its quotes, of the order towards its target, of orders by their tags. */
export class Slots {
  #quotes: readonly Slot[] = NONE;
  #pursuing: Slot | undefined;
  readonly #tagged = new Map<string, Slot>();
  /** All of them, until one comes or goes: they are looked through far more often. */
  #list: readonly Slot[] | undefined = NONE;

  get quotes(): readonly Slot[] {
    return this.#quotes;
  }

  set quotes(quotes: readonly Slot[]) {
    this.#quotes = quotes;
    this.#list = undefined;
  }

  /** That of the order towards the target. */
  get pursuing(): Slot | undefined {
    return this.#pursuing;
  }

  set pursuing(slot: Slot | undefined) {
    if (slot === this.#pursuing) return;
    this.#pursuing = slot;
    this.#list = undefined;
  }

  /** Those of orders by their tags. */
  get tagged(): ReadonlyMap<string, Slot> {
    return this.#tagged;
  }

  setTagged(tag: string, slot: Slot): void {
    this.#tagged.set(tag, slot);
    this.#list = undefined;
  }

  /** Whether a slot wishes that order by its tag, and it is not on its way out. */
  holds({ tag, clientOrderId, status }: LiveOrder): boolean {
    return status !== 'cancelling' && this.#tagged.get(tag)?.clientOrderId === clientOrderId;
  }

  deleteTagged(tag: string): void {
    if (this.#tagged.delete(tag)) this.#list = undefined;
  }

  /** Forgets the slot if it is of an order by its tag: that is not tried again. */
  dropTagged(slot: Slot): void {
    if (this.#tagged.get(slot.tag) === slot) this.deleteTagged(slot.tag);
  }

  /** The cancel of that order leaves: its end does not count as a failed try of its slot. */
  sentAway(clientOrderId: string): void {
    this.all()
      .find((slot) => slot.clientOrderId === clientOrderId)
      ?.sendAway();
  }

  clear(): void {
    this.#quotes = NONE;
    this.#pursuing = undefined;
    this.#tagged.clear();
    this.#list = NONE;
  }

  /** A list that later changes leave alone. */
  all(): readonly Slot[] {
    this.#list ??= this.#listAll();
    return this.#list;
  }

  /** When the first that pauses may be tried again; infinite when none pauses. */
  pausesUntilMs(nowMs: number): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const slot of this.all()) {
      if (slot.isEmpty && slot.notBeforeMs > nowMs) nextMs = Math.min(nextMs, slot.notBeforeMs);
    }
    return nextMs;
  }

  /** Something changed that risk looks at: whether a slot may be tried again sooner for it. */
  reconsider(pauseMs: number): boolean {
    let isSooner = false;
    for (const slot of this.all()) if (slot.reconsider(pauseMs)) isSooner = true;
    return isSooner;
  }

  /** Ends the pauses that began before now; whether there were any. */
  endPauses(nowMs: number): boolean {
    let hasPaused = false;
    for (const slot of this.all()) if (slot.endPause(nowMs)) hasPaused = true;
    return hasPaused;
  }

  #listAll(): readonly Slot[] {
    const pursuing = this.#pursuing;
    if (pursuing === undefined && this.#tagged.size === 0) return this.#quotes;
    const others = pursuing === undefined ? NONE : [pursuing];
    return [...this.#quotes, ...others, ...this.#tagged.values()];
  }
}

const NONE: readonly Slot[] = [];
