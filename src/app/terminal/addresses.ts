import type { Observable } from 'rxjs';
import type { ChainAddress } from '../../domain/index.ts';
import { AppError } from '../errors.ts';
import { read } from './answers.ts';
import type { ConnectedVenue } from './connected-venue.ts';

/** Where a currency can be deposited, and where it can be withdrawn to. */
export interface CurrencyAddresses {
  readonly deposits: readonly ChainAddress[];
  /** The verified one; undefined where there is none. */
  readonly withdrawal: string | undefined;
}

/** The account's addresses of a currency. @throws {AppError} when the key may not ask. */
export async function addressesOf(
  venue: ConnectedVenue,
  currency: string,
): Promise<CurrencyAddresses> {
  const { funds } = venue.exchange;
  const chains = (await unlessRefused(venue, funds.depositAddresses(currency))) ?? [];
  const deposits = chains.length > 0 ? chains : await singleAddress(venue, currency);
  return { deposits, withdrawal: await verifiedAddress(venue, currency) };
}

/** The address that withdrawals of a currency go to, undefined where none was verified. */
export function verifiedAddress(
  venue: ConnectedVenue,
  currency: string,
): Promise<string | undefined> {
  return unlessRefused(venue, venue.exchange.funds.withdrawalAddress(currency));
}

/** The deposit address of a currency without chains, as a list. */
async function singleAddress(venue: ConnectedVenue, currency: string): Promise<ChainAddress[]> {
  const address = await unlessRefused(venue, venue.exchange.funds.depositAddress(currency));
  if (address === undefined) return [];
  const chain = { chain: undefined, memo: undefined, canDeposit: true, canWithdraw: true };
  return [{ ...chain, address }];
}

/** The answer; undefined if the exchange refuses, as it does for an address nobody created. */
async function unlessRefused<T>(
  venue: ConnectedVenue,
  answer: Observable<T>,
): Promise<T | undefined> {
  try {
    return await read(venue, answer);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.reason === 'refused') return undefined;
    throw thrown;
  }
}
