import { type Booking, DATA_STREAMS, type Fill, isFill } from '../domain/index.ts';
import { counted, Decimal, formatDuration, timeOfDay } from '../kernel/index.ts';
import { exactMark, markOf } from './mark.ts';
import type { MarketRules } from './market-rules.ts';
import type { Objection, RiskView } from './review.ts';

/** A fill that the market has not answered yet. */
interface Waiting extends Pick<Fill, 'side' | 'amount' | 'value'> {
  readonly dueMs: number;
}

/** What the market did behind a fill. */
interface Measured {
  /** What the fill had lost by then, in the quote currency; negative: won. */
  readonly lost: Decimal;
  /** What it traded, in the quote currency. */
  readonly value: Decimal;
}

/** How the newest fills of one market have fared. */
interface Flow {
  readonly rules: MarketRules;
  readonly lossMax: Decimal;
  /** In the order of their time. */
  readonly waiting: Waiting[];
  /** Those of the newest fills, the oldest first, and their sums. */
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
 * Holds each fill of the markets that ask for it against the price some time later: quotes that are
 * filled just before the price runs over them lose on every trade, whatever their spread.
 *
 * A fill loses what a buy paid above the middle of the book of then, or a sale got below it; fees are
 * none of that. It is measured at the first market data behind that time. Once the newest fills, as
 * many as configured, lost more on average than they may, weighted by value, the market pauses; fills
 * before its end count no more. A reset by a person ends it and starts all counts anew.
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

  /** Why nothing opens in the market now; undefined where it may. */
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

  /** Counts one more; whether the market pauses for it. */
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

/** Places of the average that people are shown. */
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
