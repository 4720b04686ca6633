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
  /** Lists: there are few in a market, and they are gone through at each candle. */
  readonly #ofMarket = new Map<string, Desk[]>();
  readonly #roomKeepers = new Set<RoomKeeper>();
  /** See `busy`: another list whenever it changes. */
  #busy: readonly Desk[] = NO_DESKS;

  constructor(markets: ReadonlyMap<string, Market>, options: Omit<DeskOptions, 'roomKeepers'>) {
    this.#markets = markets;
    const mayOpen: DeskOptions['mayOpen'] = (desk, side) =>
      options.mayOpen(desk, side) && !this.takesRoom(desk, side);
    this.#options = { ...options, mayOpen, roomKeepers: this.#roomKeepers };
  }

  /** Those to look at in the next round, the one served last behind all others. */
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

  /** Whether an order of the market is to rest on, of those that are not `unwelcome`, by our ids. */
  keepsAny(marketId: string, unwelcome: ReadonlyMap<string, string>): boolean {
    for (const desk of this.in(marketId)) if (desk.keepsAny(unwelcome)) return true;
    return false;
  }

  /** Whether a slot of the market is of a quote that waits until an exit is past. */
  keepsOut(marketId: string, slot: Slot): boolean {
    if (kindOfTag(slot.tag) !== 'quotes') return false;
    for (const desk of this.in(marketId)) if (desk.clearance.keepsOut(slot)) return true;
    return false;
  }

  /** Whether what opens on that side has to wait until the exit of another desk is past. */
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
   * Has a desk looked at in the next round. Where it was planned in this one already, it is not let
   * go of at its end: what became due since would be forgotten.
   */
  wake(desk: Desk): void {
    desk.wake();
    if (!this.#busy.includes(desk)) this.#busy = [...this.#busy, desk];
  }

  /** Has every desk looked at in the next round. */
  wakeAll(): void {
    for (const desk of this.all()) this.wake(desk);
  }

  /** Whoever was served goes to the end of the line. */
  served(desk: Desk): void {
    if (this.#busy.at(-1) === desk) return;
    this.#busy = [...this.#busy.filter((other) => other !== desk), desk];
  }

  /** A round is over: lets go of those that have nothing to do. */
  retire(): void {
    for (const desk of this.#busy) desk.rest();
    this.#busy = passing(this.#busy, (desk) => desk.isBusy);
  }

  /** Something changed that risk looks at: whether a busy desk may try again sooner for it. */
  reconsider(pauseMs?: number): boolean {
    let isSooner = false;
    for (const desk of this.#busy) {
      if (!desk.reconsider(pauseMs)) continue;
      this.wake(desk);
      isSooner = true;
    }
    return isSooner;
  }

  /** When the first busy desk that pauses is to be looked at. */
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
