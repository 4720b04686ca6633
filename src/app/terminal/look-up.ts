import { firstValueFrom, from, map, race } from 'rxjs';
import type { OrderRecord } from '../../domain/index.ts';
import { CODES, type ExchangeFailure } from '../../exchange/index.ts';
import { SECOND_MS } from '../../kernel/index.ts';
import { AppError } from '../errors.ts';
import type { ConnectedVenue } from './connected-venue.ts';
import { orderNamed } from './orders.ts';
import { PACE_MS, pause } from './pause.ts';

/** How often an order that was just placed is looked up: reads lag. */
const LOOK_UPS_MAX = 4;

interface PlacedReference {
  readonly market: string;
  readonly exchangeOrderId: string;
}

/** An order that was just placed; undefined if the exchange does not tell it, or at a signal. */
export function lookedUp(
  venue: ConnectedVenue,
  reference: PlacedReference,
): Promise<OrderRecord | undefined> {
  const interrupted = venue.interruption.pipe(map(() => undefined));
  return firstValueFrom(race(from(found(venue, reference)), interrupted));
}

async function found(
  venue: ConnectedVenue,
  reference: PlacedReference,
): Promise<OrderRecord | undefined> {
  for (let tries = 1; ; tries++) {
    await pause(venue.clock, tries === 1 ? PACE_MS : SECOND_MS);
    try {
      return await orderNamed(venue, reference);
    } catch (thrown) {
      if (tries === LOOK_UPS_MAX || !isNotYetThere(thrown)) return undefined;
    }
  }
}

/** The newest order with that client id; undefined where the exchange has none. */
export async function orderIfAny(
  venue: ConnectedVenue,
  reference: { readonly market: string; readonly clientOrderId: string },
): Promise<OrderRecord | undefined> {
  try {
    return await orderNamed(venue, reference);
  } catch (thrown) {
    if (isNotYetThere(thrown)) return undefined;
    throw thrown;
  }
}

function isNotYetThere(thrown: unknown): boolean {
  if (!(thrown instanceof AppError)) return false;
  return (thrown.cause as ExchangeFailure | undefined)?.code === CODES.orderNotFound;
}
