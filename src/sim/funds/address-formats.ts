import { type Random, seededRandom } from '../../kernel/index.ts';

const HEXADECIMAL = '0123456789abcdef';
/** The alphabet of Bitcoin addresses: no 0, O, I, l. */
const BASE_58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** The alphabet of EOS account names. */
const EOS_NAME = '12345abcdefghijklmnopqrstuvwxyz';

interface Format {
  readonly prefix: string;
  readonly alphabet: string;
  readonly length: number;
}

/** What addresses look like, by main chain. They look real but have no valid checksum. */
const FORMATS: ReadonlyMap<string, Format> = new Map(
  Object.entries({
    BTC: { prefix: '1', alphabet: BASE_58, length: 33 },
    ETH: { prefix: '0x', alphabet: HEXADECIMAL, length: 40 },
    TRX: { prefix: 'T', alphabet: BASE_58, length: 33 },
    XRP: { prefix: 'r', alphabet: BASE_58, length: 33 },
    EOS: { prefix: '', alphabet: EOS_NAME, length: 12 },
  }),
);
const OTHER: Format = { prefix: '', alphabet: BASE_58, length: 34 };

/** An address of a chain: the same seed gives the same address. */
export function addressFrom(seed: string, mainChain: string): string {
  const { prefix, alphabet, length } = FORMATS.get(mainChain) ?? OTHER;
  return prefix + textFrom(seededRandom(seed), { alphabet, length });
}

/** The hash of a transaction: the same seed gives the same hash. */
export function hashFrom(seed: string): string {
  return textFrom(seededRandom(seed), { alphabet: HEXADECIMAL, length: 64 });
}

function textFrom(random: Random, { alphabet, length }: { alphabet: string; length: number }) {
  return Array.from({ length }, () => alphabet[random.integer(alphabet.length)]!).join('');
}
