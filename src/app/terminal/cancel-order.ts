import type { OrderRecord } from '../../domain/index.ts';
import type { OrderReference } from '../../exchange/index.ts';
import { messageOf, SECOND_MS } from '../../kernel/index.ts';
import { AppError } from '../errors.ts';
import { change, isUnknown } from './answers.ts';
import { READ_LAG_MS } from './cancel-all.ts';
import { commandLine } from './command-line.ts';
import type { ConnectedVenue } from './connected-venue.ts';
import { orderNamed } from './orders.ts';
import { PACE_MS, pause } from './pause.ts';

/** What became of an order that was to be cancelled. */
export type CancelReport =
  | {
      readonly verified: true;
      /** The order as the exchange shows it: over. */
      readonly order: OrderRecord;
    }
  | {
      readonly verified: false;
      /** As it was last shown; undefined where it could not be read. */
      readonly order: OrderRecord | undefined;
      /** Why it could not be shown to be over. */
      readonly reason: string;
    };

/**
 * Cancels one order and looks it up until it is over: an exchange may confirm a cancel and not do
 * it, or do it while its answer is lost.
 *
 * @throws {AppError} `refused` when it does not rest (any more), `unknown` when the answer was lost
 * and the order is not shown to be over.
 */
export async function cancelOrder(
  venue: ConnectedVenue,
  reference: OrderReference,
): Promise<CancelReport> {
  const lookUp =
    'The order may or may not rest. Look it up; to cancel it once more does no harm:\n' +
    `  ${showLine(venue, reference)}`;
  try {
    await change(venue, { lookUp, answer: venue.exchange.trading.cancel(reference) });
  } catch (thrown) {
    if (!isUnknown(thrown)) throw await withState(venue, { reference, thrown });
    const report = await proof(venue, reference);
    if (report.verified) return report;
    throw thrown;
  }
  return proof(venue, reference);
}

/** A refusal with how the order ended, where the exchange tells that it did. */
async function withState(
  venue: ConnectedVenue,
  { reference, thrown }: { readonly reference: OrderReference; readonly thrown: unknown },
): Promise<unknown> {
  if (!(thrown instanceof AppError) || thrown.reason !== 'refused') return thrown;
  const order = await orderNamed(venue, reference).catch(() => undefined);
  if (order?.closed !== true) return thrown;
  const { amount, filledAmount } = order;
  const end =
    filledAmount === amount ? 'it has filled' : `it is over, ${filledAmount} of ${amount} filled`;
  return new AppError('refused', `${thrown.message}\n${end}`, { cause: thrown.cause });
}

/** Looks an order up until it is over, or is still shown as open after the lag of reads. */
async function proof(venue: ConnectedVenue, reference: OrderReference): Promise<CancelReport> {
  let order: OrderRecord | undefined;
  for (let waitedMs = 0, pauseMs = PACE_MS; ; pauseMs = SECOND_MS) {
    await pause(venue.clock, pauseMs);
    waitedMs += pauseMs;
    const isLast = waitedMs > READ_LAG_MS;
    try {
      order = await orderNamed(venue, reference);
      if (order.closed) return { verified: true, order };
      if (isLast) return { verified: false, order, reason: 'the exchange shows it as open' };
    } catch (thrown) {
      if (isLast) return { verified: false, order, reason: messageOf(thrown) };
    }
  }
}

/** The command that shows the order. */
function showLine(venue: ConnectedVenue, reference: OrderReference): string {
  const id =
    'clientOrderId' in reference
      ? ['--client-id', reference.clientOrderId]
      : ['--id', reference.exchangeOrderId];
  return commandLine(['orders', 'show', '--market', reference.market, ...id, ...venue.flags]);
}
