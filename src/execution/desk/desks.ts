import type { Market, Side } from '../../domain/index.ts';
import { getOrInsert, passing } from '../../kernel/index.ts';
import { ExecutionError } from '../errors.ts';
import { Desk } from './desk.ts';
import type { DeskOptions, DeskOwner, RoomKeeper } from './options.ts';
import type { Slot } from './slot.ts';
import { kindOfTag } from './tags.ts';

const NO_DESKS: readonly Desk[] = [];

/** All desks, and which of them may have something to send. */
export class Desks {
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #options: DeskOptions;
  /** Lists, as a market has few desks and they are walked at each candle. */
  readonly #ofMarket = new Map<string, Desk[]>();
  readonly #roomKeepers = new Set<RoomKeeper>();
  /** See `busy`. Replaced by a new list at every change. */
  #busy: readonly Desk[] = NO_DESKS;

  constructor(markets: ReadonlyMap<string, Market>, options: Omit<DeskOptions, 'roomKeepers'>) {
    this.#markets = markets;
    const mayOpen: DeskOptions['mayOpen'] = (desk, side) =>
      options.mayOpen(desk, side) && !this.takesRoom(desk, side);
    this.#options = { ...options, mayOpen, roomKeepers: this.#roomKeepers };
  }

  /** The desks to look at in the next round; the one served last comes last. */
  get busy(): readonly Desk[] {
    return this.#busy;
  }

  /** The desk of a strategy in a market. @throws {ExecutionError} when the market is not known. */
  of(strategy: string, marketId: string): Desk {
    const known = this.in(marketId).find((desk) => desk.strategy === strategy);
    return known ?? this.#open(strategy, marketId);
  }

  /** Every desk of one strategy, or of all. */
  *all(strategy?: string): Iterable<Desk> {
    for (const desks of this.#ofMarket.values()) {
      for (const desk of desks) {
        if (strategy === undefined || desk.strategy === strategy) yield desk;
      }
    }
  }

  in(marketId: string): readonly Desk[] {
    return this.#ofMarket.get(marketId) ?? NO_DESKS;
  }

  /**
   * Whether any order of the market is to rest on. `unwelcome`: orders that do not count, by our
   * ids.
   */
  keepsAny(marketId: string, unwelcome: ReadonlyMap<string, string>): boolean {
    for (const desk of this.in(marketId)) if (desk.keepsAny(unwelcome)) return true;
    return false;
  }

  /** Whether the slot is of a quote that must wait until an exit is done. */
  keepsOut(marketId: string, slot: Slot): boolean {
    if (kindOfTag(slot.tag) !== 'quotes') return false;
    for (const desk of this.in(marketId)) if (desk.clearance.keepsOut(slot)) return true;
    return false;
  }

  /** Whether opening orders on that side must wait until the exit of another desk is done. */
  takesRoom(owner: DeskOwner, side: Side): boolean {
    for (const keeper of this.#roomKeepers) {
      if (!keeper.keepsRoom) this.#roomKeepers.delete(keeper);
      else if (keeper.takesRoom(owner, side)) return true;
    }
    return false;
  }

  /** The markets that have a desk. */
  markets(): Iterable<string> {
    return this.#ofMarket.keys();
  }

  /**
   * Has a desk looked at in the next round. A desk already planned in this round then stays busy
   * after it: otherwise what became due since its plan would be forgotten.
   */
  wake(desk: Desk): void {
    desk.wake();
    if (!this.#busy.includes(desk)) this.#busy = [...this.#busy, desk];
  }

  /** Has every desk looked at in the next round. */
  wakeAll(): void {
    for (const desk of this.all()) this.wake(desk);
  }

  /** The desk was served: it goes to the end of the line. */
  served(desk: Desk): void {
    if (this.#busy.at(-1) === desk) return;
    this.#busy = [...this.#busy.filter((other) => other !== desk), desk];
  }

  /** A round is over: desks with nothing to do are no longer busy. */
  retire(): void {
    for (const desk of this.#busy) desk.rest();
    this.#busy = passing(this.#busy, (desk) => desk.isBusy);
  }

  /** Something changed that risk looks at. Returns whether a busy desk may retry sooner for it. */
  reconsider(pauseMs?: number): boolean {
    let isSooner = false;
    for (const desk of this.#busy) {
      if (!desk.reconsider(pauseMs)) continue;
      this.wake(desk);
      isSooner = true;
    }
    return isSooner;
  }

  /** The earliest time at which a busy desk must be looked at. */
  get nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const desk of this.#busy) nextMs = Math.min(nextMs, desk.nextMs);
    return nextMs;
  }

  #open(strategy: string, marketId: string): Desk {
    const market = this.#markets.get(marketId);
    if (market === undefined) {
      throw new ExecutionError(`Cannot trade in ${marketId}: it is not a market of this run`);
    }
    const desk = new Desk({ strategy, market }, this.#options);
    getOrInsert(this.#ofMarket, marketId, () => []).push(desk);
    return desk;
  }
}
