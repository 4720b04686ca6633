import { CODES, type ExchangeFailure } from '../exchange/index.ts';

/** Where the keys come from: names of environment variables, or the file of both. */
export interface KeyPlaces {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Answers that speak of the key itself: to whom it belongs, what it may, from where. */
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
