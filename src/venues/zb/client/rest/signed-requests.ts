import { Observable, type Observer, type Subscriber } from 'rxjs';
import { readConfidential, type SignedParameters, type WireAnswer } from '../../wire/index.ts';
import type { ExchangeTime, Stamp } from '../exchange-time.ts';
import type { HttpTransport } from '../network/transport.ts';
import type { Signer } from '../signer.ts';
import { prepared } from './call.ts';

/** What is asked for, and how its answer is read. */
export interface SignedRequest<T> {
  /** May throw: the request is then not sent. */
  readonly parameters: () => SignedParameters;
  readonly read: (json: unknown) => T;
}

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

  /** `action` completes "Cannot ...". */
  send<T>(action: string, request: SignedRequest<T>): Observable<T> {
    const time = this.#time;
    return new Observable((subscriber) => {
      const stamp = time.stamp();
      const target = prepared(() => this.#signer.target(request.parameters(), stamp.timeMs));
      const answer = new SignedAnswer(subscriber, { action, request, target, stamp, time });
      return this.#http.get(target).subscribe(answer);
    });
  }
}

interface Asked<T> {
  readonly action: string;
  readonly request: SignedRequest<T>;
  readonly target: string;
  readonly stamp: Stamp;
  readonly time: ExchangeTime;
}

/** Reads the answer, and learns from its fate how good the stamp was: one step for several operators. */
class SignedAnswer<T> implements Observer<WireAnswer> {
  readonly #subscriber: Subscriber<T>;
  readonly #asked: Asked<T>;

  constructor(subscriber: Subscriber<T>, asked: Asked<T>) {
    this.#subscriber = subscriber;
    this.#asked = asked;
  }

  next(answer: WireAnswer): void {
    const { action, request, target, stamp, time } = this.#asked;
    let value: T;
    try {
      value = readConfidential(answer, { action, read: request.read, target });
    } catch (failure) {
      this.error(failure);
      return;
    }
    time.taken(stamp);
    this.#subscriber.next(value);
  }

  error(failure: unknown): void {
    const { stamp, time } = this.#asked;
    time.failed(stamp, failure);
    this.#subscriber.error(failure);
  }

  complete(): void {
    this.#subscriber.complete();
  }
}
