import { firstValueFrom } from 'rxjs';
import { toFailure } from '../../exchange/index.ts';
import { messageOf } from '../../kernel/index.ts';
import { isRefusal, nothingDone, read } from './answers.ts';
import type { ConnectedVenue } from './connected-venue.ts';
import { everyOrderByPart } from './order-pages.ts';
import { PACE_MS, pause } from './pause.ts';

/** The result of cancelling all orders of a market. */
export interface CancelAllReport {
  readonly market: string;
  /** Orders that were found open. */
  readonly found: number;
  readonly cancelled: number;
  /** Orders that filled before their cancel arrived. */
  readonly filled: number;
  /** Those that may still rest. */
  readonly remaining: readonly string[];
  /** Whether the exchange shows no open order any more. */
  readonly verified: boolean;
  /** Why it could not be verified. */
  readonly reason?: string;
}

/** How often the list is read and cancelled anew before it is given up. */
const ROUNDS_MAX = 5;
/** How long an answered change may take to show in a read. The same as the executor's default. */
export const READ_LAG_MS = 2_000;

/** By the order's exchange id: whether the exchange confirmed its cancel. */
type Confirmed = Map<string, boolean>;

/** The market, and what is known of its open orders. */
interface Sweep {
  readonly market: string;
  readonly confirmed: Confirmed;
  /** Those that the newest reading of the list has found so far. */
  readonly open: Set<string>;
}

/**
 * Cancels every open order of a market and reads the list again until it is empty.
 *
 * Orders that cannot be read, such as those of a kind that only the exchange's own app places, are
 * cancelled by their ids. To cancel twice does no harm, so what is still there, or was not answered,
 * is cancelled anew.
 *
 * @throws {AppError} when the list cannot be read as far as an open order, or the key may not
 * cancel: nothing was cancelled then.
 */
export async function cancelAll(venue: ConnectedVenue, market: string): Promise<CancelAllReport> {
  const confirmed: Confirmed = new Map();
  let open = new Set<string>();
  let readWhole = open;
  let filled = 0;
  let reason: string | undefined;
  try {
    for (let round = 0; round <= ROUNDS_MAX; round++) {
      if (round > 0) await pause(venue.clock, READ_LAG_MS);
      open = new Set();
      await sweep(venue, { market, confirmed, open }, { cancels: round < ROUNDS_MAX });
      readWhole = open;
      if (open.size === 0) break;
    }
    filled = await countFilled(venue, { market, confirmed });
    if (open.size > 0) reason = 'orders are still open: does something place new ones?';
  } catch (thrown) {
    if (confirmed.size === 0) throw thrown;
    reason = messageOf(thrown);
    // The list could not be read to its end: the exchange's answers are all that is known.
    open = new Set([...readWhole, ...open].filter((id) => confirmed.get(id) !== true));
  }
  const remaining = [...open];
  const found = new Set([...confirmed.keys(), ...remaining]).size;
  const counts = { found, cancelled: found - filled - remaining.length, filled };
  return reason === undefined
    ? { market, ...counts, remaining, verified: true }
    : { market, ...counts, remaining, verified: false, reason };
}

/** Reads the list once, and cancels what each part of it shows before the next is read. */
async function sweep(
  venue: ConnectedVenue,
  { market, confirmed, open }: Sweep,
  { cancels }: { readonly cancels: boolean },
): Promise<void> {
  const selection = { market, filter: 'unfinished' } as const;
  for await (const { orders, illegible } of everyOrderByPart(venue, selection)) {
    const ids = [...orders.map(({ exchangeOrderId }) => exchangeOrderId), ...illegible];
    const fresh = ids.filter((id) => !open.has(id));
    for (const id of fresh) open.add(id);
    if (cancels) await cancelEach(venue, { market, open: fresh, confirmed });
  }
}

async function cancelEach(
  venue: ConnectedVenue,
  { market, open, confirmed }: { market: string; open: readonly string[]; confirmed: Confirmed },
): Promise<void> {
  for (const exchangeOrderId of open) {
    const answer = venue.exchange.trading.cancel({ market, exchangeOrderId });
    try {
      await firstValueFrom(answer);
      confirmed.set(exchangeOrderId, true);
    } catch (thrown) {
      const failure = toFailure(thrown);
      if (failure.kind === 'rejected' && !isRefusal(failure)) throw nothingDone(venue, failure);
      if (!confirmed.has(exchangeOrderId)) confirmed.set(exchangeOrderId, false);
    }
    await pause(venue.clock, PACE_MS);
  }
}

/** Counts the orders that had filled whole, of those whose cancel was never confirmed. */
async function countFilled(
  venue: ConnectedVenue,
  { market, confirmed }: { readonly market: string; readonly confirmed: Confirmed },
): Promise<number> {
  let filled = 0;
  for (const [exchangeOrderId, isConfirmed] of confirmed) {
    if (isConfirmed) continue;
    const order = await read(venue, venue.exchange.trading.order({ market, exchangeOrderId }));
    if (order.closed && order.filledAmount === order.amount) filled++;
    await pause(venue.clock, PACE_MS);
  }
  return filled;
}
