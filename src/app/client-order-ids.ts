import type { Clock, Random } from '../kernel/index.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const RANDOM_CHARACTERS = 4;

/**
 * Ids for orders, unique within all runs: `tw`, the start of the run in base 36, four drawn
 * characters and a counter in base 36. 4 to 36 letters or digits (contract, customerOrderId).
 */
export function clientOrderIds(clock: Clock, random: Random): () => string {
  const drawn = Array.from(
    { length: RANDOM_CHARACTERS },
    () => ALPHABET[random.integer(ALPHABET.length)],
  ).join('');
  const prefix = `tw${Math.floor(clock.now()).toString(36)}${drawn}`;
  let count = 0;
  return () => `${prefix}${(count++).toString(36)}`;
}
