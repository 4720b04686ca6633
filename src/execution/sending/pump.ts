import { isFinal, type LiveOrder, SIDES } from '../../domain/index.ts';
import { passing } from '../../kernel/index.ts';
import type { Desk } from '../desk/desk.ts';
import type { Desks } from '../desk/desks.ts';
import { isCancellable } from '../desk/live-order.ts';
import type { Slot } from '../desk/slot.ts';
import { kindOfTag } from '../desk/tags.ts';
import type { HeartbeatNeed } from '../heartbeat/heartbeat.ts';
import type { Pacemaker } from '../heartbeat/pacemaker.ts';
import type { ExecutorOptions } from '../ports.ts';
import type { Questions } from '../truth/questions.ts';
import { Admission } from './admission.ts';
import type { Canceller } from './cancelling.ts';
import { Dismissals } from './dismissals.ts';
import type { PlacePriority, Placer } from './placing.ts';
import type { Priority } from './rate-budget.ts';

export interface PumpParts {
  readonly desks: Desks;
  readonly pacemaker: Pacemaker;
  readonly placer: Placer;
  readonly canceller: Canceller;
  readonly questions: Questions;
  /** Whether new orders may leave at all. */
  readonly mayOpen: () => boolean;
  /** Whether reads may use the orders' share of the budget: none are about to leave. */
  readonly areQuestionsUrgent: () => boolean;
}

/**
 * Sends, in rounds, as much of what is missing as the rate budget has room for, the most valuable
 * first. It keeps no queue: what is missing is worked out anew each time, so a superseded order is
 * never sent.
 */
export class Pump {
  readonly #options: ExecutorOptions;
  readonly #parts: PumpParts;
  /** The kinds of requests waiting for the rate budget. */
  readonly #waiting = new Set<Priority>();
  /** Markets in which an order waits until the timed cancel is armed. */
  #arming: ReadonlySet<string> = NONE;
  /** The orders that risk does not let stay: by our id, the market of each. */
  #unwelcome: ReadonlyMap<string, string> = NO_ORDERS;
  readonly #admission: Admission;
  readonly #dismissals: Dismissals;

  constructor(options: ExecutorOptions, parts: PumpParts) {
    this.#options = options;
    this.#parts = parts;
    this.#admission = new Admission(options, parts);
    this.#dismissals = new Dismissals(options);
  }

  /** Sends what can be sent now. What becomes due meanwhile is left to the next round. */
  round(nowMs: number): void {
    const { desks, pacemaker } = this.#parts;
    this.#waiting.clear();
    this.#parts.canceller.beginRound(nowMs);
    pacemaker.beat();
    for (const order of pacemaker.unguarded()) this.#cancel(order);
    this.#sendAway();
    const planned = desks.busy;
    for (const desk of planned) desk.plan(nowMs);
    for (const desk of planned) this.watch(desk.market.id);
    for (const desk of planned) this.#cancelUnwished(desk);
    this.#placeAll(planned);
    this.#leadToFlat(planned, nowMs);
    this.#giveWay(planned, nowMs);
    desks.retire();
    if (pacemaker.waits) this.#waiting.add('heartbeat');
    this.#ask(nowMs);
  }

  /**
   * Tells the heartbeat what the market needs. It is called for orders that are to rest or about to
   * leave. Orders being cancelled do not keep it alive: if their cancels fail, the timed cancel
   * takes them.
   */
  watch(market: string): void {
    const { heartbeat } = this.#options;
    if (heartbeat.isKept) heartbeat.need(market, this.#needOf(market));
  }

  /** When the next round has something to do without an event. */
  get nextMs(): number {
    const { desks, pacemaker, canceller } = this.#parts;
    const unwelcomeMs = this.#options.gate.unwelcomeFromMs();
    let nextMs = Math.min(desks.nextMs, pacemaker.nextMs, canceller.nextMs, unwelcomeMs);
    if (!this.#waiting.has('question')) nextMs = Math.min(nextMs, this.#parts.questions.nextMs);
    if (this.#waiting.size === 0) return nextMs;
    for (const priority of this.#waiting) {
      const asked = priority === 'question' ? this.#questionPriority() : priority;
      nextMs = Math.min(nextMs, this.#options.budget.roomAtMs(asked));
    }
    return nextMs;
  }

  /** The kinds of requests waiting for the rate budget. */
  get waiting(): ReadonlySet<Priority> {
    return this.#waiting;
  }

  #needOf(market: string): HeartbeatNeed {
    if (this.#arming.has(market)) return 'called';
    if (this.#options.orders.live(market).length === 0) return 'nothing';
    return this.#parts.desks.keepsAny(market, this.#unwelcome) ? 'called' : 'place';
  }

  /** Cancels the orders that risk does not let stay. */
  #sendAway(): void {
    const former = this.#unwelcome;
    const orders = this.#options.gate.unwelcome();
    if (former.size === 0 && orders.length === 0) return;
    this.#unwelcome = new Map(orders.map(({ clientOrderId, market }) => [clientOrderId, market]));
    this.#dismissals.tell(orders.filter(({ clientOrderId }) => !former.has(clientOrderId)));
    const markets = new Set([...former.values(), ...this.#unwelcome.values()]);
    for (const market of markets) this.watch(market);
    for (const order of orders) this.#cancel(order);
  }

  #cancelUnwished(desk: Desk): void {
    for (const order of desk.missing.cancels) {
      if (!desk.isPlanned) continue;
      const isOwn = order.strategy === desk.strategy && order.market === desk.market.id;
      this.#cancel(order, () => isOwn || this.#dismissals.tellOfExit(order));
    }
  }

  /** Cancels the order as soon as possible; `onFirst`: called when its first cancel leaves. */
  #cancel({ clientOrderId }: LiveOrder, onFirst?: () => void): void {
    const { orders, budget } = this.#options;
    const { canceller } = this.#parts;
    const order = orders.get(clientOrderId);
    if (order === undefined || isFinal(order)) return;
    if (!isCancellable(order) || !canceller.isReady(order)) return;
    if (budget.hasRoom('cancel')) {
      if (!canceller.isUnderWay(order)) onFirst?.();
      for (const desk of this.#parts.desks.in(order.market)) desk.sentAway(clientOrderId);
      canceller.cancel(order);
    } else {
      canceller.waits(order);
      this.#waiting.add('cancel');
    }
  }

  /** Plans anew where own orders obstructed an exit, and cancels those: see `Way` and `Room`. */
  #giveWay(planned: readonly Desk[], nowMs: number): void {
    for (const desk of planned) {
      if (!desk.clearance.isObstructed || !desk.isPlanned) continue;
      desk.plan(nowMs);
      this.#cancelUnwished(desk);
    }
  }

  #placeAll(planned: readonly Desk[]): void {
    const wanting = this.#parts.mayOpen() ? passing(planned, isWanting) : NO_DESKS;
    if (wanting.length === 0 && this.#arming.size === 0) return;
    const admitted = wanting.filter((desk) => this.#admit(desk));
    this.#arm(admitted);
    for (const priority of PLACE_PRIORITIES) {
      for (const desk of admitted) this.#placeOf(desk, priority);
    }
  }

  /**
   * Plans anew where an order beyond flat was refused as a whole, and sends the part that leads to
   * flat.
   */
  #leadToFlat(planned: readonly Desk[], nowMs: number): void {
    for (const desk of planned) {
      if (!desk.isTurnRefused) continue;
      desk.plan(nowMs);
      if (!this.#admit(desk)) continue;
      for (const priority of PLACE_PRIORITIES) this.#placeOf(desk, priority);
    }
  }

  /**
   * Whether any order of the desk may leave. If so, its market takes a place that another may lack.
   */
  #admit(desk: Desk): boolean {
    if (!this.#admission.isAdmitted(desk)) return false;
    if (this.#admission.leavingOf(desk).length === 0) return false;
    const { heartbeat } = this.#options;
    const { id } = desk.market;
    if (heartbeat.needOf(id) === 'nothing') heartbeat.need(id, 'place');
    return true;
  }

  #placeOf(desk: Desk, priority: PlacePriority): void {
    if (!this.#parts.pacemaker.mayPlace(desk.market.id)) return;
    const slots = this.#admission.leavingAs(priority, desk);
    if (slots.length > 0) this.#place(desk, { slots, priority });
  }

  /** Lets the timed cancel be called in markets where an order waits for it. */
  #arm(desks: readonly Desk[]): void {
    const { pacemaker } = this.#parts;
    const former = this.#arming;
    const unguarded = passing(desks, ({ market }) => !pacemaker.mayPlace(market.id));
    if (former.size === 0 && unguarded.length === 0) return;
    this.#arming = new Set(unguarded.map(({ market }) => market.id));
    for (const market of former) this.watch(market);
    for (const market of this.#arming) this.watch(market);
    pacemaker.beat();
  }

  #place(
    desk: Desk,
    { slots, priority }: { slots: readonly Slot[]; priority: PlacePriority },
  ): void {
    const { budget, config, clock } = this.#options;
    const { placer, desks } = this.#parts;
    for (const group of groupsOf(slots, config.batch)) {
      if (!desk.isPlanned) break;
      const open = passing(group, (slot) => slot.isEmpty);
      if (open.length === 0) continue;
      if (!budget.hasRoom(priority)) {
        this.#waiting.add(priority);
        for (const slot of open) slot.waitingSinceMs ??= clock.now();
        continue;
      }
      desks.served(desk);
      if (open.length === 1) placer.place(desk, { slot: open[0]!, priority });
      else placer.placeBatch(desk, { slots: open, priority });
      this.watch(desk.market.id);
    }
  }

  #ask(nowMs: number): void {
    const priority = this.#questionPriority();
    const { budget } = this.#options;
    if (this.#parts.questions.ask({ nowMs, priority, budget })) this.#waiting.add('question');
  }

  #questionPriority(): 'question' | 'open' {
    return this.#parts.areQuestionsUrgent() ? 'open' : 'question';
  }
}

const NONE: ReadonlySet<string> = new Set();
const NO_DESKS: readonly Desk[] = [];
const PLACE_PRIORITIES: readonly PlacePriority[] = ['reduce', 'open'];
const NO_ORDERS: ReadonlyMap<string, string> = new Map();

/** Whether it misses orders and its plan is up to date. */
function isWanting(desk: Desk): boolean {
  return desk.missing.places.length > 0 && desk.isPlanned;
}

/** Groups orders into requests: each alone, or plain limit quotes of one side in a batch. */
function groupsOf(slots: readonly Slot[], batch: boolean): readonly (readonly Slot[])[] {
  if (!batch || slots.length < 2) return slots.map((slot) => [slot]);
  const isBatchable = (slot: Slot) => slot.type === 'limit' && kindOfTag(slot.tag) === 'quotes';
  const batches = SIDES.map((side) =>
    slots.filter((slot) => slot.side === side && isBatchable(slot)),
  );
  return [...batches, ...slots.filter((slot) => !isBatchable(slot)).map((slot) => [slot])];
}
