import { CODES, type ExchangeFailure } from '../exchange/index.ts';

/** Where the keys come from: names of environment variables, or twice the key file. */
export interface KeyPlaces {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Codes about the key itself: whose it is, what it may do, from which address. */
const KEY_CODES: ReadonlySet<number> = new Set([
  ...[CODES.unverified, CODES.noPermission, CODES.foreignAddress, CODES.locked],
]);

/** Which key the exchange refuses, by where it comes from; never its value. */
export function keyAdvice(
  { code }: ExchangeFailure,
  places: KeyPlaces | undefined,
): string | undefined {
  if (places === undefined || code === undefined || !KEY_CODES.has(code)) return undefined;
  const { accessKey, secretKey } = places;
  return code === CODES.unverified
    ? `the access key in ${accessKey} or its secret key in ${secretKey} is wrong`
    : `the key is the one in ${accessKey}`;
}
