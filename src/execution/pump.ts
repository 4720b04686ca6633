import { isFinal, type LiveOrder, type Refusal } from '../domain/index.ts';
import type { Canceller } from './cancelling.ts';
import type { Desk } from './desk.ts';
import type { Desks } from './desks.ts';
import { type Difference, isCancellable } from './difference.ts';
import type { HeartbeatNeed } from './heartbeat.ts';
import type { Pacemaker } from './pacemaker.ts';
import type { PlacePriority, Placer } from './placing.ts';
import type { ExecutorOptions, QuestionSource } from './ports.ts';
import type { Priority } from './rate-budget.ts';
import type { Slot } from './slot.ts';
import { kindOfTag } from './tags.ts';

export interface PumpParts {
  readonly desks: Desks;
  readonly pacemaker: Pacemaker;
  readonly placer: Placer;
  readonly canceller: Canceller;
  /** The most urgent first. */
  readonly questions: readonly QuestionSource[];
  /** Whether new orders may leave at all. */
  readonly mayOpen: () => boolean;
  /** Whether questions may use the share of orders: none are about to leave. */
  readonly areQuestionsUrgent: () => boolean;
}

interface Plan {
  readonly desk: Desk;
  readonly difference: Difference;
  /** Of the desk when it was made: what one request sets off may replace the wish of the next. */
  readonly wishes: number;
}

/**
 * One round: sends as much of what is missing as the rate budget has room for, the most valuable
 * first. It keeps no queue: what is missing is worked out anew each time, and what a new wish
 * replaced is not sent after it.
 */
export class Pump {
  readonly #options: ExecutorOptions;
  readonly #parts: PumpParts;
  /** The kinds of requests that wait for the rate budget. */
  readonly #waiting = new Set<Priority>();
  /** Since when questions have waited for the rate budget. */
  #questionsWaitMs: number | undefined;
  /** Markets in which an order waits for the timed cancel. */
  #arming: ReadonlySet<string> = NONE;
  /** The orders that risk does not let stay: our ids, and the market of each. */
  #unwelcome: ReadonlyMap<string, string> = NO_ORDERS;

  constructor(options: ExecutorOptions, parts: PumpParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Sends what can be sent now. */
  round(): void {
    const { desks, pacemaker } = this.#parts;
    this.#waiting.clear();
    this.#parts.canceller.beginRound();
    pacemaker.beat();
    for (const order of pacemaker.unguarded()) this.#cancel(order);
    this.#sendAway();
    const plans: Plan[] = [];
    for (const desk of desks.busy.values()) plans.push(planOf(desk));
    for (const { desk } of plans) this.watch(desk.market.id);
    for (const plan of plans) {
      for (const order of plan.difference.cancels) if (isCurrent(plan)) this.#cancel(order);
    }
    this.#placeAll(plans);
    this.#retire(plans);
    if (pacemaker.waits) this.#waiting.add('heartbeat');
    this.#ask();
  }

  /**
   * Tells the heartbeat what the market needs. It is called for orders that are to rest, or are about
   * to leave. What is on its way out is not kept alive by it: where cancels fail it takes it away.
   */
  watch(market: string): void {
    this.#options.heartbeat.need(market, this.#needOf(market));
  }

  /** When the next round has something to do that no event announces. */
  get nextMs(): number {
    const { desks, pacemaker, canceller } = this.#parts;
    let nextMs = Math.min(desks.nextMs, pacemaker.nextMs, canceller.nextMs);
    if (!this.#waiting.has('question')) nextMs = Math.min(nextMs, this.#nextQuestionMs);
    for (const priority of this.#waiting) {
      const asked = priority === 'question' ? this.#questionPriority : priority;
      nextMs = Math.min(nextMs, this.#options.budget.roomAtMs(asked));
    }
    return nextMs;
  }

  /** The kinds of requests that wait for the rate budget. */
  get waiting(): ReadonlySet<Priority> {
    return this.#waiting;
  }

  #needOf(market: string): HeartbeatNeed {
    if (this.#arming.has(market)) return 'called';
    if (this.#options.orders.live(market).length === 0) return 'nothing';
    const mayStay = ({ clientOrderId }: LiveOrder) => !this.#unwelcome.has(clientOrderId);
    return this.#parts.desks.keepsAny(market, mayStay) ? 'called' : 'place';
  }

  /** Cancels what risk does not let stay. */
  #sendAway(): void {
    const former = this.#unwelcome;
    const orders = this.#options.gate.unwelcome();
    if (former.size === 0 && orders.length === 0) return;
    this.#unwelcome = new Map(orders.map(({ clientOrderId, market }) => [clientOrderId, market]));
    const markets = new Set([...former.values(), ...this.#unwelcome.values()]);
    for (const market of markets) this.watch(market);
    for (const order of orders) this.#cancel(order);
  }

  #cancel({ clientOrderId }: LiveOrder): void {
    const { orders, budget } = this.#options;
    const { canceller } = this.#parts;
    const order = orders.get(clientOrderId);
    if (order === undefined || isFinal(order)) return;
    if (!isCancellable(order) || !canceller.isReady(order)) return;
    if (budget.hasRoom('cancel')) {
      canceller.cancel(order);
    } else {
      canceller.waits(order);
      this.#waiting.add('cancel');
    }
  }

  #placeAll(plans: readonly Plan[]): void {
    const wanting = this.#parts.mayOpen()
      ? plans.filter((plan) => plan.difference.places.length > 0 && isCurrent(plan))
      : [];
    if (wanting.length === 0 && this.#arming.size === 0) return;
    const admitted = wanting.filter((plan) => this.#isAdmitted(plan) && this.#mayLeave(plan));
    this.#arm(admitted);
    for (const priority of ['reduce', 'open'] as const) {
      for (const plan of admitted) {
        const { desk, difference } = plan;
        const { pacemaker } = this.#parts;
        if (!pacemaker.mayPlace(desk.market.id)) continue;
        if (priority === 'open' && !pacemaker.mayOpen(desk.market.id)) continue;
        const slots = difference.places.filter((slot) => this.#isOf(priority, { desk, slot }));
        if (slots.length > 0) this.#place(plan, { slots, priority });
      }
    }
  }

  /** Whether any of it may: what shrinks a position does, though the market cannot be read. */
  #mayLeave({ desk, difference }: Plan): boolean {
    if (this.#parts.pacemaker.mayOpen(desk.market.id)) return true;
    return difference.places.some((slot) => this.#isOf('reduce', { desk, slot }));
  }

  #isAdmitted({ desk, difference }: Plan): boolean {
    const { heartbeat } = this.#options;
    if (heartbeat.admits(desk.market.id)) return true;
    const refusal: Refusal = {
      code: 'heartbeatBudget',
      limit: `${heartbeat.marketsMax} markets`,
      observed: `one more, ${desk.market.id}`,
      scope: 'deployment',
    };
    for (const slot of difference.places) this.#parts.placer.refuse(desk, { slot, refusal });
    return false;
  }

  /** Has the timed cancel called where an order waits for it. */
  #arm(plans: readonly Plan[]): void {
    const { pacemaker } = this.#parts;
    const former = this.#arming;
    const unguarded = plans.filter(({ desk }) => !pacemaker.mayPlace(desk.market.id));
    if (former.size === 0 && unguarded.length === 0) return;
    this.#arming = new Set(unguarded.map(({ desk }) => desk.market.id));
    for (const market of former) this.watch(market);
    for (const market of this.#arming) this.watch(market);
    pacemaker.beat();
  }

  /** Whether it is of that priority: an order that shrinks its strategy's position reduces. */
  #isOf(priority: PlacePriority, { desk, slot }: { desk: Desk; slot: Slot }): boolean {
    const held = this.#options.positions.position(desk.market.id, desk.strategy).amount.sign;
    const reduces = slot.side === 'buy' ? held < 0 : held > 0;
    return reduces === (priority === 'reduce');
  }

  #place(
    plan: Plan,
    { slots, priority }: { slots: readonly Slot[]; priority: PlacePriority },
  ): void {
    const { budget, config, clock } = this.#options;
    const { placer, desks } = this.#parts;
    const { desk } = plan;
    for (const group of groupsOf(slots, config.batch)) {
      if (!isCurrent(plan)) break;
      const open = group.filter((slot) => slot.isEmpty);
      if (open.length === 0) continue;
      if (!budget.hasRoom(priority)) {
        this.#waiting.add(priority);
        for (const slot of open) slot.waitingSinceMs ??= clock.now();
      } else if (open.length === 1) {
        placer.place(desk, { slot: open[0]!, priority });
      } else {
        placer.placeBatch(desk, { slots: open, priority });
      }
    }
    // Whoever was served goes to the end of the line.
    desks.busy.delete(desk);
    desks.busy.add(desk);
  }

  #retire(plans: readonly Plan[]): void {
    const { busy } = this.#parts.desks;
    for (const plan of plans) {
      const { desk, difference } = plan;
      if (!isCurrent(plan)) continue;
      if (difference.cancels.length > 0 || difference.places.length > 0) continue;
      if (desk.nextMs === NEVER) busy.delete(desk);
    }
  }

  #ask(): void {
    const { clock, budget } = this.#options;
    const turn = { priority: this.#questionPriority, waitingSinceMs: this.#questionsWaitMs };
    for (const source of this.#parts.questions) {
      while (source.nextMs <= clock.now()) {
        if (!budget.hasRoom(turn.priority)) {
          this.#waiting.add('question');
          this.#questionsWaitMs ??= clock.now();
          return;
        }
        if (!source.sendDue(turn)) break;
      }
    }
    this.#questionsWaitMs = undefined;
  }

  get #questionPriority(): 'question' | 'open' {
    return this.#parts.areQuestionsUrgent() ? 'open' : 'question';
  }

  get #nextQuestionMs(): number {
    return Math.min(...this.#parts.questions.map((source) => source.nextMs));
  }
}

const NEVER = Number.POSITIVE_INFINITY;
const NONE: ReadonlySet<string> = new Set();
const NO_ORDERS: ReadonlyMap<string, string> = new Map();

function planOf(desk: Desk): Plan {
  const difference = desk.plan();
  return { desk, difference, wishes: desk.wishes };
}

/** Whether its desk still wishes what it did. If not, the next round plans anew. */
function isCurrent({ desk, wishes }: Plan): boolean {
  return desk.wishes === wishes;
}

/** The orders that leave together: alone, or plain limit quotes of one side in a batch. */
function groupsOf(slots: readonly Slot[], batch: boolean): readonly (readonly Slot[])[] {
  if (!batch || slots.length < 2) return slots.map((slot) => [slot]);
  const isBatchable = (slot: Slot) => slot.type === 'limit' && kindOfTag(slot.tag) === 'quotes';
  const batches = (['buy', 'sell'] as const).map((side) =>
    slots.filter((slot) => slot.side === side && isBatchable(slot)),
  );
  return [...batches, ...slots.filter((slot) => !isBatchable(slot)).map((slot) => [slot])];
}
