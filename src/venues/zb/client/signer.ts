import type { KeyObject } from 'node:crypto';
import {
  type FrameEvent,
  HmacMd5,
  type PrivateChannel,
  pathOf,
  privateFrame,
  type SignedParameters,
  signedQuery,
  signingKeyOf,
} from '../wire/index.ts';

/** Signs for one key. It does not keep the secret key, and printing it shows neither key. */
export class Signer {
  readonly #accessKey: string;
  readonly #signingKey: KeyObject;
  readonly #hmac: HmacMd5;

  constructor(keys: { readonly accessKey: string; readonly secretKey: string }) {
    this.#accessKey = keys.accessKey;
    this.#signingKey = signingKeyOf(keys.secretKey);
    this.#hmac = new HmacMd5(this.#signingKey);
  }

  /** Path and query of a signed request. `reqTime`: milliseconds since the epoch. */
  target(parameters: SignedParameters, reqTime: number): string {
    const { text, query } = signedQuery(this.#accessKey, parameters);
    return `${pathOf(parameters.method)}?${query}&sign=${this.#hmac.of(text)}&reqTime=${reqTime}`;
  }

  /** The frame that begins or ends a private channel. */
  privateFrame(event: FrameEvent, channel: PrivateChannel): string {
    const signer = { accessKey: this.#accessKey, signingKey: this.#signingKey };
    return privateFrame(event, { ...channel, signer });
  }
}
