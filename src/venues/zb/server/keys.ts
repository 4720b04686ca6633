import { timingSafeEqual } from 'node:crypto';
import type { Permissions } from '../../../exchange/index.ts';
import { HmacMd5 } from '../wire/hmac.ts';
import { signingKeyOf } from '../wire/signing.ts';
import { ServerError } from './answers.ts';

/** A key that opens an account. */
export interface KeySettings {
  readonly accessKey: string;
  readonly secretKey: string;
  /** The name of the account at the host. */
  readonly account: string;
  readonly permissions: Permissions;
  /** The only addresses that may use the key. Default: any. */
  readonly boundAddresses?: readonly string[] | undefined;
  /** A disabled key is answered with code 4001. Default: false. */
  readonly disabled?: boolean | undefined;
}

/** A key as the server keeps it: it can check signatures and never shows its secret. */
export class Key {
  readonly accessKey: string;
  readonly account: string;
  readonly permissions: Permissions;
  /** A disabled key is refused; the operator may change it at any time. */
  disabled: boolean;
  readonly #hmac: HmacMd5;
  readonly #boundAddresses: ReadonlySet<string> | undefined;

  constructor(settings: KeySettings) {
    this.accessKey = settings.accessKey;
    this.account = settings.account;
    this.permissions = settings.permissions;
    this.disabled = settings.disabled ?? false;
    this.#hmac = new HmacMd5(signingKeyOf(settings.secretKey));
    this.#boundAddresses = settings.boundAddresses && new Set(settings.boundAddresses);
  }

  /** Whether `signature` is this key's signature of `text`, in upper or lower case. */
  hasSigned(text: string, signature: string): boolean {
    const [given, own] = [signature.toLowerCase(), this.#hmac.of(text)].map((one) =>
      Buffer.from(one),
    );
    return given!.length === own!.length && timingSafeEqual(given!, own!);
  }

  /** Whether the key may be used from that address. */
  isBoundTo(address: string): boolean {
    return this.#boundAddresses?.has(address) ?? true;
  }
}

/**
 * The keys by their access key.
 *
 * @throws {ServerError} when two have the same access key.
 */
export function keyRing(settings: readonly KeySettings[]): ReadonlyMap<string, Key> {
  const keys = new Map<string, Key>();
  for (const one of settings) {
    if (keys.has(one.accessKey)) {
      throw new ServerError(
        `Cannot serve the exchange: the access key ${one.accessKey} comes twice, one of it wanted`,
      );
    }
    keys.set(one.accessKey, new Key(one));
  }
  return keys;
}
