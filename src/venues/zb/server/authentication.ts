import { CODES } from '../../../exchange/index.ts';
import { MINUTE_MS } from '../../../kernel/index.ts';
import { literalSignedText, signedText } from '../wire/signing.ts';
import { refuse } from './answers.ts';
import type { Key } from './keys.ts';
import type { Limiter } from './limits.ts';
import { requireParameters, type SignedOperation } from './operation.ts';
import type { Query } from './query.ts';

/** How far `reqTime` may be from the server's date. Source: wire facts, Order of checks. */
const REQUEST_TIME_TOLERANCE_MS = 5 * MINUTE_MS;

/** A caller, as far as the checks need to know it. */
export interface Caller {
  readonly address: string;
  /** The time for rates and locks, by a clock that does not go back. */
  readonly nowMs: number;
  /** The date of the server's machine, which may be corrected: `reqTime` is compared with it. */
  readonly dateMs: number;
}

/**
 * Checks a signed request in the exchange's own order and returns its key. Source: wire facts,
 * Order of checks.
 *
 * @throws {ExchangeFailure} with the code of the first check that fails.
 */
export function authenticate(
  { query, operation }: { readonly query: Query; readonly operation: SignedOperation },
  against: {
    readonly caller: Caller;
    readonly keys: ReadonlyMap<string, Key>;
    readonly limiter: Limiter;
  },
): Key {
  const { caller, keys, limiter } = against;
  const { address, nowMs, dateMs } = caller;
  const reqTime = query.get('reqTime') ?? '';
  const accesskey = query.get('accesskey') ?? '';
  const sign = query.get('sign') ?? '';
  if (!/^\d{1,16}$/.test(reqTime)) refuse(CODES.invalidArguments, 'Invalid reqTime');
  if (accesskey === '') refuse(CODES.invalidArguments, 'Invalid arguments: accesskey is empty');
  if (sign === '') refuse(CODES.invalidArguments, 'Invalid arguments: sign is empty');
  const key = keyOf(accesskey, keys);
  requireUnlocked(caller, limiter);
  if (!limiter.takeRequest(accesskey, nowMs)) {
    refuse(CODES.tooFrequent, 'Request too frequent');
  }
  admit(key, address);
  if (Math.abs(dateMs - Number(reqTime)) > REQUEST_TIME_TOLERANCE_MS) {
    refuse(CODES.requestExpired, 'Request time expired');
  }
  if (query.get('method') !== operation.name) {
    refuse(CODES.invalidArguments, `Invalid method: ${operation.name} wanted`);
  }
  requireParameters(operation, query);
  verify(key, { text: textOf(query, key), signature: sign });
  if (operation.permission !== undefined) permit(key, operation.permission);
  const further = operation.alsoNeeds?.(query);
  if (further !== undefined) permit(key, further);
  return key;
}

/**
 * The text that `sign` has to cover. An empty customerOrderId may be in it or not: the contract has
 * it in the text, programs of the exchange leave it out.
 */
function textOf(query: Query, key: Key): string {
  const parameters = Object.fromEntries(query);
  const literal = query.get('customerOrderId') === '' ? literalSignedText(parameters) : undefined;
  if (literal !== undefined && key.hasSigned(literal, query.get('sign') ?? '')) return literal;
  return signedText(parameters);
}

/** Refuses a locked address (4001). */
export function requireUnlocked({ address, nowMs }: Caller, limiter: Limiter): void {
  if (limiter.isLocked(address, nowMs)) refuse(CODES.locked, 'API locked: address locked');
}

/** The key of that name. @throws {ExchangeFailure} with code 1003. */
export function keyOf(accessKey: string, keys: ReadonlyMap<string, Key>): Key {
  return keys.get(accessKey) ?? refuse(CODES.unverified, 'Verification does not pass');
}

/** Refuses a disabled key (4001) and one that is bound to other addresses (3006). */
export function admit(key: Key, address: string): void {
  if (key.disabled) refuse(CODES.locked, 'API locked: key disabled');
  if (!key.isBoundTo(address)) refuse(CODES.foreignAddress, 'Address is not the bound one');
}

/** Refuses a signature that the key did not make (1003). */
export function verify(key: Key, signed: { text: string; signature: string }): void {
  if (!key.hasSigned(signed.text, signed.signature)) {
    refuse(CODES.unverified, 'Verification does not pass');
  }
}

/** Refuses what the key does not permit (1012). */
export function permit(key: Key, permission: keyof Key['permissions']): void {
  if (!key.permissions[permission]) refuse(CODES.noPermission, 'Insufficient permissions');
}
