import type { OrderRecord } from '../../domain/index.ts';
import type { OrderReference } from '../../exchange/index.ts';
import { messageOf, SECOND_MS } from '../../kernel/index.ts';
import { change } from './answers.ts';
import { READ_LAG_MS } from './cancel-all.ts';
import { commandLine } from './command-line.ts';
import type { ConnectedVenue } from './connected-venue.ts';
import { orderNamed, PACE_MS } from './orders.ts';
import { pause } from './pause.ts';

/** What became of an order that was to be cancelled, once the exchange had said that it is. */
export type CancelReport =
  | {
      readonly verified: true;
      /** The order as the exchange shows it: over. */
      readonly order: OrderRecord;
    }
  | {
      readonly verified: false;
      /** Why it could not be shown to be over. */
      readonly reason: string;
    };

/**
 * Cancels one order and looks it up until it is over: an exchange may say so and not do it.
 *
 * @throws {AppError} `refused` when it does not rest (any more), `unknown` when the answer was lost.
 */
export async function cancelOrder(
  venue: ConnectedVenue,
  reference: OrderReference,
): Promise<CancelReport> {
  const lookUp =
    'The order may or may not rest. Look it up; to cancel it once more does no harm:\n' +
    `  ${showLine(venue, reference)}`;
  await change({ host: venue.host, lookUp }, venue.exchange.trading.cancel(reference));
  return proof(venue, reference);
}

/** Reads lag: an order that shows as open counts as such once the lag is over. */
async function proof(venue: ConnectedVenue, reference: OrderReference): Promise<CancelReport> {
  for (let waitedMs = 0, pauseMs = PACE_MS; ; pauseMs = SECOND_MS) {
    await pause(venue.clock, pauseMs);
    waitedMs += pauseMs;
    const isLast = waitedMs > READ_LAG_MS;
    try {
      const order = await orderNamed(venue, reference);
      if (order.closed) return { verified: true, order };
      if (isLast) return { verified: false, reason: 'the exchange shows it as open' };
    } catch (thrown) {
      if (isLast) return { verified: false, reason: messageOf(thrown) };
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
