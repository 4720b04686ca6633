import type { LiveOrder } from '../../domain/index.ts';
import type { Slot } from './slot.ts';

/** The slots of one desk: of its quotes, of the order towards its target, of orders by their tags. */
export class Slots {
  quotes: readonly Slot[] = NONE;
  /** That of the order towards the target. */
  pursuing: Slot | undefined;
  /** Those of orders by their tags. */
  readonly tagged = new Map<string, Slot>();

  /** Whether a slot wishes that order by its tag, and it is not on its way out. */
  holds({ tag, clientOrderId, status }: LiveOrder): boolean {
    return status !== 'cancelling' && this.tagged.get(tag)?.clientOrderId === clientOrderId;
  }

  /** Forgets the slot if it is of an order by its tag: that is not tried again. */
  dropTagged(slot: Slot): void {
    if (this.tagged.get(slot.tag) === slot) this.tagged.delete(slot.tag);
  }

  /** The cancel of that order leaves: its end does not count as a failed try of its slot. */
  sentAway(clientOrderId: string): void {
    this.all()
      .find((slot) => slot.clientOrderId === clientOrderId)
      ?.sendAway();
  }

  clear(): void {
    this.quotes = NONE;
    this.pursuing = undefined;
    this.tagged.clear();
  }

  /** A list that later changes leave alone. */
  all(): readonly Slot[] {
    const { quotes, pursuing, tagged } = this;
    const standing = pursuing === undefined ? quotes : [...quotes, pursuing];
    return tagged.size === 0 ? standing : [...standing, ...tagged.values()];
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
}

const NONE: readonly Slot[] = [];
