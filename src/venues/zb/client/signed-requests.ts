import type { Observable } from 'rxjs';
import type { Clock } from '../../../kernel/index.ts';
import type { SignedParameters } from '../wire/index.ts';
import { send } from './call.ts';
import type { Signer } from './signer.ts';
import type { HttpTransport } from './transport.ts';

/** Sends the requests of one key, signed at the moment that they leave. */
export class SignedRequests {
  readonly #http: HttpTransport;
  readonly #signer: Signer;
  readonly #exchangeNow: () => number;

  constructor(options: {
    readonly http: HttpTransport;
    readonly signer: Signer;
    readonly clock: Clock;
    /** The exchange's clock minus ours, in milliseconds. */
    readonly timeOffsetMs: number;
  }) {
    const { http, signer, clock, timeOffsetMs } = options;
    this.#http = http;
    this.#signer = signer;
    this.#exchangeNow = () => clock.now() + timeOffsetMs;
  }

  /** `action` completes "Cannot ..."; `parameters` may throw: the request is then not sent. */
  send<T>(
    action: string,
    request: {
      readonly parameters: () => SignedParameters;
      readonly read: (json: unknown) => T;
      /** Values of the parameters that no failure may repeat. */
      readonly secrets?: readonly string[];
    },
  ): Observable<T> {
    return send(this.#http, {
      ...request,
      action,
      target: () => this.#signer.target(request.parameters(), this.#exchangeNow()),
    });
  }
}
