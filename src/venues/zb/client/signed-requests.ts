import { defer, map, type Observable, tap } from 'rxjs';
import type { SignedParameters } from '../wire/index.ts';
import { prepared, readOutcome } from './call.ts';
import type { ExchangeTime } from './exchange-time.ts';
import type { Signer } from './signer.ts';
import type { HttpTransport } from './transport.ts';

/** Sends the requests of one key, signed at the moment that they leave. */
export class SignedRequests {
  readonly #http: HttpTransport;
  readonly #signer: Signer;
  readonly #time: ExchangeTime;

  constructor(options: {
    readonly http: HttpTransport;
    readonly signer: Signer;
    readonly time: ExchangeTime;
  }) {
    this.#http = options.http;
    this.#signer = options.signer;
    this.#time = options.time;
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
    const time = this.#time;
    const { parameters, read, secrets } = request;
    const call = secrets === undefined ? { action, read } : { action, read, secrets };
    return defer(() => {
      const stamp = time.stamp();
      const target = prepared(() => this.#signer.target(parameters(), stamp.timeMs));
      return this.#http.get(target).pipe(
        map((answer) => readOutcome(answer, call)),
        tap({ next: () => time.taken(stamp), error: (failure) => time.failed(stamp, failure) }),
      );
    });
  }
}
