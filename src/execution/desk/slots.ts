import type { LiveOrder } from '../../domain/index.ts';
import type { Slot } from './slot.ts';

/** The slots of one desk: of its quotes, of the order towards its target, and of single orders. */
export class Slots {
  quotes: readonly Slot[] = NONE;
  /** The slot of the order towards the target. */
  pursuing: Slot | undefined;
  /** The slots of single orders, by tag. */
  readonly tagged = new Map<string, Slot>();

  /** Whether a slot wants this single order, and it is not being cancelled. */
  holds({ tag, clientOrderId, status }: LiveOrder): boolean {
    return status !== 'cancelling' && this.tagged.get(tag)?.clientOrderId === clientOrderId;
  }

  /** Forgets the slot if it is of a single order: that is not retried. */
  dropTagged(slot: Slot): void {
    if (this.tagged.get(slot.tag) === slot) this.tagged.delete(slot.tag);
  }

  /** The order is being cancelled: its end does not count as a failed try of its slot. */
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

  /** The list is not changed later. */
  all(): readonly Slot[] {
    const { quotes, pursuing, tagged } = this;
    const standing = pursuing === undefined ? quotes : [...quotes, pursuing];
    return tagged.size === 0 ? standing : [...standing, ...tagged.values()];
  }

  /** When the first pausing slot may be tried again; infinite when none pauses. */
  pausesUntilMs(nowMs: number): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const slot of this.all()) {
      if (slot.isEmpty && slot.notBeforeMs > nowMs) nextMs = Math.min(nextMs, slot.notBeforeMs);
    }
    return nextMs;
  }

  /** Something changed that risk looks at. Returns whether a slot may be tried sooner for it. */
  reconsider(pauseMs: number): boolean {
    let isSooner = false;
    for (const slot of this.all()) if (slot.reconsider(pauseMs)) isSooner = true;
    return isSooner;
  }

  /** Ends the pauses that began before now. Returns whether there were any. */
  endPauses(nowMs: number): boolean {
    let hasPaused = false;
    for (const slot of this.all()) if (slot.endPause(nowMs)) hasPaused = true;
    return hasPaused;
  }
}

const NONE: readonly Slot[] = [];
