import { type Booking, DATA_STREAMS, type Fill, isFill } from '../domain/index.ts';
import { counted, Decimal, formatDuration, timeOfDay } from '../kernel/index.ts';
import { exactMark, markOf } from './mark.ts';
import type { MarketRules } from './market-rules.ts';
import type { Objection, RiskView } from './review.ts';

/** A fill whose markout is not due yet. */
interface Waiting extends Pick<Fill, 'side' | 'amount' | 'value'> {
  readonly dueMs: number;
}

/** The markout of a fill. */
interface Measured {
  /** The fill's loss at that time, in the quote currency; negative: a gain. */
  readonly lost: Decimal;
  /** The fill's value, in the quote currency. */
  readonly value: Decimal;
}

/** The newest fills of one market and their markouts. */
interface Flow {
  readonly rules: MarketRules;
  readonly lossMax: Decimal;
  /** In the order of their time. */
  readonly waiting: Waiting[];
  /** Markouts of the newest fills, oldest first, and their sums. */
  readonly measured: Measured[];
  lost: Decimal;
  value: Decimal;
  pause: MarkoutPause | undefined;
}

/** Why nothing opens in a market, and until when, milliseconds since the epoch. */
interface MarkoutPause extends Objection {
  readonly untilMs: number;
}

/**
 * Compares each fill of the markets with a markout limit with the price some time later: quotes
 * that are filled just before the price runs over them lose on every trade, whatever their spread.
 *
 * A fill loses what a buy paid above the later middle of the book, or a sell got below it, fees
 * apart. It is measured at the first market data after the time is up. Once the newest fills, as
 * many as configured, lost more on average, weighted by value, than they may, the market pauses;
 * fills from before the end of the pause no longer count. A reset by a person ends it and starts
 * all counts anew.
 */
export class Markouts {
  readonly #view: RiskView;
  readonly #flows = new Map<string, Flow>();

  constructor(view: RiskView) {
    this.#view = view;
    for (const id of view.markets.keys()) this.#watch(id);
    view.state.onReset(() => {
      for (const flow of this.#flows.values()) startAnew(flow, undefined);
    });
    view.orders.bookings.subscribe((booking) => this.#wait(booking));
  }

  /** Why nothing may open in the market now; undefined where it may. */
  pauseOf(market: string): MarkoutPause | undefined {
    const pause = this.#flows.get(market)?.pause;
    return pause !== undefined && this.#view.clock.now() < pause.untilMs ? pause : undefined;
  }

  #watch(id: string): void {
    const { bus, rules: book } = this.#view;
    const rules = book.of(id);
    const lossMax = rules?.limits.markoutLossMax;
    if (rules === undefined || lossMax === undefined) return;
    const flow: Flow = {
      ...{ rules, lossMax: Decimal.of(lossMax), waiting: [], measured: [], pause: undefined },
      ...{ lost: Decimal.ZERO, value: Decimal.ZERO },
    };
    this.#flows.set(id, flow);
    for (const kind of DATA_STREAMS) bus.on(kind, id).subscribe(() => this.#measure(flow));
  }

  #wait(booking: Booking): void {
    const flow = this.#flows.get(booking.market);
    if (flow === undefined || !isFill(booking) || this.pauseOf(booking.market)) return;
    const { side, amount, value } = booking;
    const dueMs = this.#view.clock.now() + flow.rules.limits.markoutMs;
    flow.waiting.push({ side, amount, value, dueMs });
  }

  #measure(flow: Flow): void {
    const nowMs = this.#view.clock.now();
    if (flow.waiting.length === 0 || flow.waiting[0]!.dueMs > nowMs) return;
    const { id, priceScale } = flow.rules.market;
    const mark = markOf(this.#view, { market: id, before: undefined, told: undefined });
    if (mark === undefined) return;
    const price = exactMark(mark, priceScale);
    const due = flow.waiting.findIndex(({ dueMs }) => dueMs > nowMs);
    for (const fill of flow.waiting.splice(0, due < 0 ? flow.waiting.length : due)) {
      if (this.#judge(flow, { lost: lossAt(price, fill), value: fill.value })) return;
    }
  }

  /** Counts one more markout. Returns whether the market pauses for it. */
  #judge(flow: Flow, newest: Measured): boolean {
    const { rules, lossMax, measured } = flow;
    const { markoutFills, markoutMs, markoutPauseMs, markoutLossMax } = rules.limits;
    measured.push(newest);
    flow.lost = flow.lost.plus(newest.lost);
    flow.value = flow.value.plus(newest.value);
    if (measured.length > markoutFills) {
      const { lost, value } = measured.shift()!;
      flow.lost = flow.lost.minus(lost);
      flow.value = flow.value.minus(value);
    }
    if (measured.length < markoutFills) return false;
    if (flow.lost.compare(flow.value.times(lossMax)) <= 0) return false;
    const untilMs = this.#view.clock.now() + markoutPauseMs;
    const share = flow.lost.dividedBy(flow.value, SHOWN_PLACES, 'up');
    startAnew(flow, {
      limit:
        `at most ${markoutLossMax} ${formatDuration(markoutMs)} after fills, else nothing opens ` +
        `until ${timeOfDay(untilMs)}`,
      observed: `the newest ${counted(markoutFills, 'fill')} lost ${share} of their value`,
      untilMs,
    });
    return true;
  }
}

/** Decimal places of the average shown to people. */
const SHOWN_PLACES = 6;

function startAnew(flow: Flow, pause: MarkoutPause | undefined): void {
  flow.pause = pause;
  flow.waiting.length = 0;
  flow.measured.length = 0;
  flow.lost = Decimal.ZERO;
  flow.value = Decimal.ZERO;
}

function lossAt(price: Decimal, { side, amount, value }: Waiting): Decimal {
  const worth = price.times(Decimal.of(amount));
  return side === 'buy' ? value.minus(worth) : worth.minus(value);
}
