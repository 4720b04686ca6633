import { type Booking, isFill, type Position } from '../domain/index.ts';
import { BoundedMap, Decimal, getOrInsert } from '../kernel/index.ts';
import { flatPosition, foldBooking } from '../ledger/index.ts';
import type { RiskView } from './review.ts';

/** The result of one order. */
interface Result {
  /** Its realized profit, and the amount it closed less the amount it opened. */
  realized: Decimal;
  surplus: Decimal;
  /** Whether it counts as a loss in the row. */
  isLoss: boolean;
}

/** The recent closing results of one market. */
interface Streak {
  /** As in the ledger, but with the fees of opening trades in its cost. */
  position: Position;
  /** The order that traded last, and its result. */
  clientOrderId: string;
  newest: Result;
  /** Results of the orders that traded since the last gain. */
  results: BoundedMap<string, Result>;
  /** Orders in a row that closed at a loss, with and without the order that traded last. */
  row: number;
  formerRow: number;
  lostMs: number;
}

/** Most orders known to have traded before. An older one counts anew. */
const RESULTS_MAX = 1_000;

/**
 * Counts the orders in a row that close a part of a market's position at a loss, all fees included:
 * those in the average cost of what they close, and their own. All fills of an order make one
 * result, even with other fills in between, unless one of these is a gain. An order that opens more
 * than it closes has no result, as it often closes fee remainders in passing. A late fee counts
 * with its fill as long as no other order has traded. A reset by a person starts the counts anew.
 *
 * A run begins with the positions that it takes over and without a loss.
 */
export class LosingStreaks {
  readonly #view: RiskView;
  readonly #streaks = new Map<string, Streak>();

  constructor(view: RiskView) {
    this.#view = view;
    view.state.onReset(() => this.#reset());
    this.#takeOver();
    view.bus.on('run').subscribe(({ status }) => status === 'starting' && this.#takeOver());
    view.orders.bookings.subscribe((booking) => this.#count(booking));
  }

  /** Losing orders in a row, and when the last of them lost, milliseconds since the epoch. */
  of(market: string): Pick<Streak, 'row' | 'lostMs'> | undefined {
    return this.#streaks.get(market);
  }

  #takeOver(): void {
    const { positions } = this.#view;
    for (const market of positions.tradedMarkets()) {
      this.#streakOf(market).position = positions.position(market);
    }
  }

  #count(booking: Booking): void {
    const market = this.#view.markets.get(booking.market);
    if (market === undefined) return;
    const streak = this.#streakOf(booking.market);
    const before = streak.position;
    const after = foldBooking(before, { booking, market, convention: 'inCost' });
    streak.position = after;
    if (isFill(booking)) countFill(streak, { clientOrderId: booking.clientOrderId, before });
    else if (streak.clientOrderId !== booking.clientOrderId) return;
    else streak.newest.realized = streak.newest.realized.plus(netBetween(before, after));
    streak.row = rowAfter(streak);
    streak.newest.isLoss = streak.row > streak.formerRow;
    if (streak.newest.isLoss) streak.lostMs = this.#view.clock.now();
  }

  #streakOf(market: string): Streak {
    return getOrInsert(this.#streaks, market, () => ({
      ...{ position: flatPosition(market), clientOrderId: '', formerRow: 0, row: 0, lostMs: 0 },
      ...{ newest: noResult(), results: new BoundedMap(RESULTS_MAX) },
    }));
  }

  #reset(): void {
    for (const streak of this.#streaks.values()) {
      streak.clientOrderId = '';
      streak.row = 0;
    }
  }
}

function noResult(): Result {
  return { realized: Decimal.ZERO, surplus: Decimal.ZERO, isLoss: false };
}

/** Another order trades than the one before. */
function turnTo(streak: Streak, clientOrderId: string): void {
  if (streak.row === 0) streak.results = new BoundedMap(RESULTS_MAX);
  streak.clientOrderId = clientOrderId;
  streak.newest = streak.results.get(clientOrderId) ?? noResult();
  streak.results.set(clientOrderId, streak.newest);
  streak.formerRow = streak.newest.isLoss ? streak.row - 1 : streak.row;
}

/** Counts a fill that led from the position before to the streak's. */
function countFill(
  streak: Streak,
  { clientOrderId, before }: { readonly clientOrderId: string; readonly before: Position },
): void {
  if (streak.clientOrderId !== clientOrderId) turnTo(streak, clientOrderId);
  const { newest } = streak;
  const after = streak.position;
  const closed = closedBetween(before.amount, after.amount);
  const traded = after.amount.minus(before.amount).abs();
  newest.surplus = newest.surplus.plus(closed).plus(closed).minus(traded);
  if (closed.sign > 0) newest.realized = newest.realized.plus(netBetween(before, after));
}

function rowAfter({ newest, formerRow }: Streak): number {
  if (newest.surplus.sign < 0) return formerRow;
  return newest.realized.sign < 0 ? formerRow + 1 : 0;
}

/** The part of a held amount that a trade has closed. */
function closedBetween(before: Decimal, after: Decimal): Decimal {
  if (before.sign * after.sign < 0) return before.abs();
  const closed = before.abs().minus(after.abs());
  return closed.sign > 0 ? closed : Decimal.ZERO;
}

/** The profit between two positions, less fees. */
function netBetween(before: Position, after: Position): Decimal {
  const profit = after.realizedProfit.minus(before.realizedProfit);
  return profit.minus(after.fees.minus(before.fees));
}
