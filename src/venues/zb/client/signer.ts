import type { KeyObject } from 'node:crypto';
import {
  balancesFrame,
  type FrameEvent,
  HmacMd5,
  type MethodParameters,
  ordersFrame,
  pathOf,
  signedText,
  signingKeyOf,
  targetOf,
} from '../wire/index.ts';

/** Signs for one key. It keeps no secret key, and shows neither key to whoever prints it. */
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
  target(parameters: MethodParameters, reqTime: number): string {
    const signed = { accesskey: this.#accessKey, ...parameters };
    const sign = this.#hmac.of(signedText(signed));
    return targetOf(pathOf(parameters.method), { ...signed, sign, reqTime });
  }

  /** The frame about the own orders of a market. */
  ordersFrame(event: FrameEvent, market: string): string {
    return ordersFrame(event, this.#frameSigner, market);
  }

  /** The frame about the own balances. */
  balancesFrame(event: FrameEvent): string {
    return balancesFrame(event, this.#frameSigner);
  }

  get #frameSigner() {
    return { accessKey: this.#accessKey, signingKey: this.#signingKey };
  }
}
