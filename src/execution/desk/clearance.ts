import type { Depth, LiveOrder, Side, TargetIntent } from '../../domain/index.ts';
import { ADOPTED } from '../../ledger/index.ts';
import { isExitOf, Way, withoutOwn } from './obstacles.ts';
import type { DeskOptions, DeskOwner, DeskParts, RoomKeeper } from './options.ts';
import type { RefusalTerms } from './refusals.ts';
import { givesRoom, Room } from './room.ts';
import type { SlotTerms } from './slot.ts';
import { type TargetSituation, targetTerms } from './target.ts';

/** The order to leave next towards a target. */
export interface NextOrder {
  readonly intent: TargetIntent;
  readonly situation: TargetSituation;
  readonly terms: SlotTerms;
  readonly nowMs: number;
}

/** What keeps an order from leaving, and the terms with which it leaves. */
export interface Cleared {
  /** Orders of other strategies that take up its room. The order is tried nonetheless. */
  readonly takers: readonly LiveOrder[];
  /** Own quotes that it would trade with. The order waits until they are gone. */
  readonly obstacles: readonly LiveOrder[];
  readonly terms: SlotTerms;
  /** Whether everything in its way has gone, so that it need not pause any longer. */
  readonly endsPause: boolean;
}

/**
 * Makes own orders give way to the order towards a target: quotes that it would trade with, see
 * `Way`, and orders that take up the limits or coins that it needs, see `Room`.
 */
export class Clearance implements RoomKeeper {
  readonly #parts: DeskParts;
  readonly #options: DeskOptions;
  #way = new Way();
  #room = new Room();

  constructor(parts: DeskParts, options: DeskOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /**
   * Another target is pursued. The room depends on the side of its orders, and is kept as long as
   * that stays.
   */
  turn(): void {
    this.#way = new Way();
  }

  /** No target is pursued any more. */
  end(): void {
    this.#way = new Way();
    this.#room = new Room();
  }

  /** Whether own orders have obstructed the order since it was last cleared. */
  get isObstructed(): boolean {
    return this.#way.isBlocked || this.#room.isShort;
  }

  /** Whether a quote must wait until the order is done, as it would trade with it. */
  keepsOut(quote: SlotTerms): boolean {
    return this.#way.keepsOut(quote);
  }

  /** Whether opening orders of others must wait anywhere until the order is done. */
  get keepsRoom(): boolean {
    return this.#room.isKept;
  }

  /** Whether opening orders of that desk and side must wait. */
  takesRoom({ strategy, market }: DeskOwner, side: Side): boolean {
    const own = this.#parts;
    if (own.strategy === strategy && own.market.id === market.id) return false;
    return this.#room.isKeptOn({ market: market.id, side });
  }

  /** The order left. `isPart`: risk has cut it down. */
  placed(isPart: boolean, nowMs: number): void {
    this.#way.placed(this.#depth());
    this.#room.placed(isPart, nowMs);
  }

  /** The order was refused. If it only waits for the pace of orders, what was cleared is kept. */
  refused({ untilMs, isCrossed = false, lacks }: RefusalTerms, nowMs: number): void {
    if (untilMs === undefined) this.#way.refused(isCrossed, nowMs);
    this.#room.refused({ lacks, isSoon: untilMs !== undefined || isCrossed }, nowMs);
  }

  /** An order towards the target has filled, at least in part. */
  filled(): void {
    this.#way.filled();
  }

  /** There are new prices to trade at: a way given up may be cleared again. */
  endPause(): void {
    this.#way.endPause();
  }

  /** An order should leave but cannot for now: there is nobody to trade with. */
  wait(nowMs: number): void {
    this.#way.wait();
    this.#room.wait(nowMs);
  }

  /** No order is to leave: orders that made way or room may come back. */
  leave(): void {
    this.#way.leave();
    this.#room.leave();
  }

  /** Which orders must go for the order, and the terms with which it leaves. */
  clear(next: NextOrder): Cleared {
    const takers = this.#takersOf(next);
    const depth = this.#depth();
    const way = this.#way;
    way.judge(next.nowMs, this.#options.config.targetRetryMs);
    const wasBlocked = way.isBlocked;
    const obstacles = wasBlocked ? this.#obstaclesTo(next, depth) : NONE;
    for (const order of takers) this.#options.endGrace(order);
    for (const order of obstacles) this.#options.endGrace(order);
    const endsPause = wasBlocked ? way.isCleared : this.#room.isFreed;
    return { takers, obstacles, terms: way.along(next.terms, depth), endsPause };
  }

  #takersOf({ situation, terms, nowMs }: NextOrder): readonly LiveOrder[] {
    const { gate, roomKeepers } = this.#options;
    const owner = this.#parts;
    if (!isExitOf(terms, situation.held)) this.#room.leave();
    const place = { side: terms.side, market: owner.market.id };
    const givesWay = (order: LiveOrder): boolean =>
      givesRoom(order, { owner, mayRest: (one) => this.#mayRest(one) });
    const takers = this.#room.clear(place, {
      nowMs,
      takersOf: () => gate.roomTakers({ ...terms, ...place, strategy: owner.strategy }, givesWay),
    });
    if (takers.length > 0) roomKeepers.add(this);
    return takers;
  }

  /**
   * For this the order is priced by the book without our own orders, as far as others show behind
   * them.
   */
  #obstaclesTo({ intent, situation }: NextOrder, depth: Depth | undefined): readonly LiveOrder[] {
    const { held, live } = situation;
    const { prices } = this.#options;
    const mayRest = (order: LiveOrder): boolean => this.#mayRest(order);
    const others = depth && prices.showsOwn ? withoutOwn(depth, live) : depth;
    const book = { depth: () => others, last: (id: string) => prices.last(id) };
    const furthest = targetTerms(intent, { ...situation, live: [], prices: book });
    return this.#way.clear({ held, live, mayRest, furthest, depth });
  }

  /**
   * Of the orders that nothing wishes only a person's, adopted ones, may rest on beside an exit.
   */
  #mayRest(order: LiveOrder): boolean {
    return order.strategy === ADOPTED && this.#options.mayRest(order);
  }

  #depth(): Depth | undefined {
    return this.#options.prices.depth(this.#parts.market.id);
  }
}

const NONE: readonly LiveOrder[] = [];
