import type { LiveOrder, Refusal } from '../../domain/index.ts';
import { counted, type Decimal } from '../../kernel/index.ts';
import type { Desk } from '../desk/desk.ts';
import type { Desks } from '../desk/desks.ts';
import { isExitOf } from '../desk/obstacles.ts';
import { exceeds, openAmount } from '../desk/open-amount.ts';
import { isOpening } from '../desk/room.ts';
import type { Slot } from '../desk/slot.ts';
import { kindOfTag } from '../desk/tags.ts';
import type { Pacemaker } from '../heartbeat/pacemaker.ts';
import type { ExecutorOptions } from '../ports.ts';
import { roomTaken } from './dismissals.ts';
import type { PlacePriority, Placer } from './placing.ts';

export interface AdmissionParts {
  readonly desks: Desks;
  readonly pacemaker: Pacemaker;
  readonly placer: Placer;
}

/**
 * Decides which of the desks' missing orders may leave, given the markets' state and others' exits.
 */
export class Admission {
  readonly #options: Pick<ExecutorOptions, 'heartbeat' | 'orders' | 'positions'>;
  readonly #parts: AdmissionParts;

  constructor(
    options: Pick<ExecutorOptions, 'heartbeat' | 'orders' | 'positions'>,
    parts: AdmissionParts,
  ) {
    this.#options = options;
    this.#parts = parts;
  }

  /**
   * Whether the desk's market may trade beside those that already do; publishes refusals where it
   * may not. Exits have places of their own.
   */
  isAdmitted(desk: Desk): boolean {
    const { heartbeat } = this.#options;
    if (heartbeat.admits(desk.market.id)) return true;
    const mayExit = heartbeat.admits(desk.market.id, { isExit: true });
    const refusal: Refusal = {
      code: 'heartbeatBudget',
      limit: counted(heartbeat.marketsMax, 'market'),
      observed: `one more, ${desk.market.id}`,
      scope: 'deployment',
    };
    const { places } = desk.missing;
    const refused = places.filter((slot) => !mayExit || !this.#isExit(desk, slot));
    for (const slot of refused) this.#parts.placer.refuse(desk, { slot, refusal });
    return refused.length < places.length;
  }

  /**
   * The desk's missing orders. In a market that cannot be read, only those that shrink a position;
   * in one without a place among the markets kept alive, only exits.
   */
  leavingOf(desk: Desk): readonly Slot[] {
    const { market } = desk;
    const isKept = this.#options.heartbeat.admits(market.id);
    const { places } = desk.missing;
    const missing = isKept ? places : places.filter((slot) => this.#isExit(desk, slot));
    if (this.#parts.pacemaker.mayOpen(market.id)) return missing;
    const held = this.#heldBy(desk).toNumber();
    const side = held > 0 ? 'sell' : 'buy';
    let left = Math.abs(held);
    for (const order of this.#liveOf(desk)) if (order.side === side) left -= openAmount(order);
    return missing.filter((slot) => {
      const shrinks = slot.side === side && !exceeds(slot.amount, left);
      if (shrinks) left -= slot.amount;
      return shrinks;
    });
  }

  #isExit(desk: Desk, slot: Slot): boolean {
    return slot.type === 'ioc' && isExitOf(slot, this.#heldBy(desk));
  }

  /** Those of `leavingOf` with this priority that need not wait for an exit. */
  leavingAs(priority: PlacePriority, desk: Desk): readonly Slot[] {
    const { sign } = this.#heldBy(desk);
    const slots: Slot[] = [];
    for (const slot of this.leavingOf(desk)) {
      const reduces = slot.side === 'buy' ? sign < 0 : sign > 0;
      if (reduces !== (priority === 'reduce')) continue;
      if (!this.#waitsForExit(desk, { slot, before: slots })) slots.push(slot);
    }
    return slots;
  }

  /**
   * Whether an order must wait until an exit is done; `before`: orders that leave ahead of it. A
   * single order does not wait: it is refused.
   */
  #waitsForExit(
    desk: Desk,
    { slot, before }: { readonly slot: Slot; readonly before: readonly Slot[] },
  ): boolean {
    const { desks, placer } = this.#parts;
    if (desks.keepsOut(desk.market.id, slot)) return true;
    if (!desks.takesRoom(desk, slot.side)) return false;
    const held = this.#heldBy(desk).toNumber();
    if (!isOpening(slot, { held, live: this.#liveOf(desk), before })) return false;
    if (kindOfTag(slot.tag) === 'order') placer.refuse(desk, { slot, refusal: roomTaken(slot) });
    return true;
  }

  #heldBy({ market, strategy }: Desk): Decimal {
    return this.#options.positions.position(market.id, strategy).amount;
  }

  #liveOf({ market, strategy }: Desk): readonly LiveOrder[] {
    return this.#options.orders.liveOf(strategy, market.id);
  }
}
