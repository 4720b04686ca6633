import type { Subscription } from 'rxjs';
import {
  type Booking,
  type LiveOrder,
  mayBeFilling,
  type TargetIntent,
} from '../../domain/index.ts';
import { Decimal, passing } from '../../kernel/index.ts';
import { flatPosition, foldBooking } from '../../ledger/index.ts';
import { givingWay } from './beside-target.ts';
import { Clearance } from './clearance.ts';
import { cancelsOf, type Difference, NOTHING } from './difference.ts';
import { LastOrder } from './last-order.ts';
import { isInDoubt, isOverdue } from './live-order.ts';
import type { DeskOptions, DeskParts } from './options.ts';
import type { RefusalTerms } from './refusals.ts';
import { Slot, type SlotTerms } from './slot.ts';
import { isTagged, kindOf, kindOfTag } from './tags.ts';
import { isBeyondFlat, leadsOut, type TargetSituation, targetTerms, wayOut } from './target.ts';
import { TargetWish } from './target-wish.ts';

/** The strategy's live orders in the market. */
export interface OwnOrders {
  /** Orders of its quotes and its target. */
  readonly standing: readonly LiveOrder[];
  /** Its single orders. */
  readonly tagged: readonly LiveOrder[];
}

/** The live orders beside which the next order towards a target may leave. */
interface Beside extends Pick<OwnOrders, 'tagged'> {
  /** Orders of its quotes and its target whose fate is in doubt. */
  readonly doubtful: readonly LiveOrder[];
  readonly nowMs: number;
}

/** Pursues the target of one strategy in one market, order by order, with a pause after each. */
export class TargetPursuit {
  readonly #parts: DeskParts;
  readonly #options: DeskOptions;
  /** The clearance for the wished target; unused while there is none. */
  readonly clearance: Clearance;
  #target: TargetWish | undefined;
  #last: LastOrder | undefined;
  #bookings: Subscription | undefined;

  constructor(parts: DeskParts, options: DeskOptions) {
    this.#parts = parts;
    this.#options = options;
    this.clearance = new Clearance(parts, options);
  }

  /** When to look again at a target that can't be pursued now; infinite: none waits. */
  get lookAgainMs(): number {
    return this.#target?.lookAgainMs ?? NEVER;
  }

  /** Takes up a target in place of the former one. */
  begin(intent: TargetIntent): void {
    this.#bookings ??= this.#options.orders.bookings.subscribe((booking) => this.#book(booking));
    const former = this.#target;
    if (!former?.isTo(intent.position)) {
      this.#parts.slots.pursuing = undefined;
      this.clearance.turn();
    }
    this.#target = new TargetWish(intent, { former, wishedMs: this.#nowMs() });
    this.#takeBack(this.#target);
  }

  /** Single orders were taken back: their fills do not move a target wished at the same moment. */
  tookBack(): void {
    const target = this.#target;
    if (target?.wishedMs === this.#nowMs()) this.#takeBack(target);
  }

  /** A live single order is wished again: its fills move the target. */
  tookUp(clientOrderId: string): void {
    this.#target?.takeUp(clientOrderId);
  }

  /**
   * No target is wished any more. If the same one is wished again, it still pauses after its last
   * order.
   */
  end(): void {
    if (this.#target !== undefined) this.clearance.end();
    this.#target = undefined;
    this.#parts.slots.pursuing = undefined;
  }

  /** Forgets everything. */
  withdraw(): void {
    this.end();
    this.#last = undefined;
  }

  /** The order towards the target left. `isPart`: risk has cut it down. */
  placed(clientOrderId: string, { isPart = false } = {}): void {
    if (this.#target === undefined) return;
    this.clearance.placed(isPart, this.#nowMs());
    const { position } = this.#target.intent;
    this.#last = new LastOrder({ clientOrderId, position }, this.#options);
  }

  /**
   * The slot's order was refused. Returns the target to which it leads; undefined if it leads to
   * none.
   */
  refused(slot: Slot, terms: RefusalTerms): { isRefused: boolean } | undefined {
    if (slot !== this.#parts.slots.pursuing) return undefined;
    const target = this.#target;
    if (target === undefined) return undefined;
    this.clearance.refused(terms, this.#nowMs());
    const mayPartLeave = terms.untilMs === undefined && terms.isCrossed !== true;
    const isWhole = !target.stopsAtFlat && isBeyondFlat(this.#situationOf(target, NONE));
    target.isTurnRefused = isWhole && mayPartLeave;
    target.stopsAtFlat = true;
    return target;
  }

  /**
   * Whether an order beyond flat was refused since the last plan: its part to flat may leave at
   * once.
   */
  get isTurnRefused(): boolean {
    return this.#target?.isTurnRefused === true;
  }

  /** Whether the slot's order pursues the target and shrinks the position. */
  isWayOut(slot: Slot): boolean {
    const { strategy, market, slots } = this.#parts;
    if (slot !== slots.pursuing) return false;
    const { sign } = this.#options.positions.position(market.id, strategy).amount;
    return sign === (slot.side === 'sell' ? 1 : -1);
  }

  /** Whether the next order, if any, pauses after the last. */
  get isPaced(): boolean {
    return this.#last?.isPaced === true;
  }

  /** There are new prices to trade at: the next order need not pause after one that has ended. */
  endPause(): void {
    this.#last?.endPause(this.#nowMs());
    this.clearance.endPause();
  }

  /**
   * What is missing for the target as of `nowMs`; undefined: no target is wished.
   *
   * No order leaves for it while other orders of the strategy's quotes or target live, or while
   * orders that give way to it are being cancelled. Orders in doubt may stay so for good: beside
   * these only an order that shrinks the position leaves, see `wayOut`.
   */
  plan({ standing, tagged }: OwnOrders, nowMs: number): Difference | undefined {
    const target = this.#target;
    if (target === undefined) return undefined;
    const told = passing(standing, (order) => !isInDoubt(order));
    if (told.length === 0) return this.#pursue(target, { tagged, doubtful: standing, nowMs });
    const leaving = told.filter(
      (order) => kindOf(order) !== 'target' || isOverdue(order, this.#options),
    );
    return leaving.length === 0 ? NOTHING : cancelsOf(leaving);
  }

  /**
   * The slots of single orders that must not leave beside the target's order, which leaves now or
   * is on its way: they would trade the same amount a second time. See `givingWay`.
   */
  crowdedOut(waiting: readonly Slot[], tagged: readonly LiveOrder[]): readonly Slot[] {
    if (this.#target === undefined) return [];
    const { market, held, wanted } = this.#situationOf(this.#target, tagged);
    const side = wanted.compare(held) < 0 ? 'sell' : 'buy';
    const staying = tagged.filter((order) => !mayBeFilling(order));
    return givingWay(waiting, { market, side, held, wanted, staying });
  }

  #pursue(target: TargetWish, { tagged, doubtful, nowMs }: Beside): Difference {
    const { slots } = this.#parts;
    const { config } = this.#options;
    const { intent } = target;
    const whole = this.#situationOf(target, tagged);
    const situation =
      doubtful.length === 0 ? this.#nextLeg(target, whole) : wayOut(whole, doubtful);
    if (situation === undefined) return this.#nothing();
    const terms = targetTerms(intent, situation);
    target.isReached = terms === 'reached' && situation.wanted === target.wanted;
    if (target.isReached) target.stopsAtFlat = false;
    target.lookAgainMs = terms === 'blocked' ? nowMs + config.targetRetryMs : NEVER;
    if (typeof terms === 'string') {
      slots.pursuing = undefined;
      if (terms !== 'blocked' || !leadsOut(situation)) return this.#nothing();
      this.clearance.wait(nowMs);
      return NOTHING;
    }
    const resting = passing(tagged, (order) => !mayBeFilling(order));
    if (resting.length > 0) {
      const leaving = givingWay(resting, { ...situation, side: terms.side });
      if (leaving.length > 0) return cancelsOf(leaving);
    }
    const cleared = this.clearance.clear({ intent, situation, terms, nowMs });
    const slot = this.#slotOf(target, cleared.terms);
    const { cancels } = cancelsOf([...cleared.takers, ...cleared.obstacles]);
    if (cleared.obstacles.length > 0) {
      target.lookAgainMs = nowMs + config.targetRetryMs;
      return { cancels, places: [] };
    }
    if (cleared.endsPause) slot.notBeforeMs = nowMs;
    return { cancels, places: [slot] };
  }

  /** No order is to leave for the target now. */
  #nothing(): Difference {
    this.clearance.leave();
    return NOTHING;
  }

  /**
   * The situation for the next order. A target on the other side of flat is pursued in two legs, to
   * flat first, once an order for the whole way was refused, or where nothing may be opened.
   */
  #nextLeg({ intent, stopsAtFlat }: TargetWish, whole: TargetSituation): TargetSituation {
    if (!isBeyondFlat(whole)) return whole;
    const side = whole.held.sign > 0 ? 'sell' : 'buy';
    if (!stopsAtFlat && this.#options.mayOpen(this.#parts, side)) return whole;
    const toFlat = { ...whole, wanted: Decimal.ZERO };
    return targetTerms(intent, toFlat) === 'reached' ? whole : toFlat;
  }

  #situationOf(target: TargetWish, tagged: readonly LiveOrder[]): TargetSituation {
    const { strategy, market } = this.#parts;
    const { orders, positions, prices } = this.#options;
    const held = positions.position(market.id, strategy).amount;
    const fee = this.#lastOf(target)?.baseFee ?? Decimal.ZERO;
    const filling = passing(tagged, mayBeFilling);
    const live = orders.live(market.id);
    return { market, wanted: target.wanted, held, filling, fee, prices, live };
  }

  #slotOf(target: TargetWish, terms: SlotTerms): Slot {
    const { slots } = this.#parts;
    const former = slots.pursuing;
    if (former?.isEmpty && former.equals(terms)) return former;
    const slot = new Slot(terms);
    if (former !== undefined && !target.isTurnRefused) slot.inherit(former);
    target.isTurnRefused = false;
    slots.pursuing = slot;
    this.#lastOf(target)?.holdBack(slot);
    return slot;
  }

  /** From now on fills of live single orders that are no longer wished do not move the target. */
  #takeBack(target: TargetWish): void {
    const { strategy, market, slots } = this.#parts;
    for (const order of this.#options.orders.liveOf(strategy, market.id)) {
      if (isTagged(order) && !slots.holds(order)) target.takeBack(order);
    }
  }

  /** Takes up the effect of a fill, or late fee, of the strategy on the target. */
  #book(booking: Booking): void {
    const { strategy, market } = this.#parts;
    if (booking.market !== market.id || booking.strategy !== strategy) return;
    const target = this.#target;
    if (this.#last?.book(booking, market)) this.clearance.filled();
    const { clientOrderId } = booking;
    const order = this.#options.orders.get(clientOrderId);
    if (target === undefined || order === undefined || kindOfTag(order.tag) !== 'order') return;
    const held = this.#options.positions.position(market.id, strategy).amount;
    const moved = foldBooking(flatPosition(market.id), { booking, market }).amount;
    target.move(clientOrderId, { held, moved });
  }

  #nowMs(): number {
    return this.#options.clock.now();
  }

  /** The order that left last, if it was towards this very target. */
  #lastOf({ intent }: TargetWish): LastOrder | undefined {
    return this.#last?.isTowards(intent.position) ? this.#last : undefined;
  }
}

const NEVER = Number.POSITIVE_INFINITY;
const NONE: readonly LiveOrder[] = [];
