import type { Subscriber } from 'rxjs';
import type { Dispatcher } from 'undici';
import { ExchangeFailure } from '../../../../exchange/index.ts';
import { formatDuration, messageOf } from '../../../../kernel/index.ts';
import { shownTarget, type WireAnswer } from '../../wire/index.ts';
import type { ResettableSockets } from './resettable-sockets.ts';

interface RequestParts {
  readonly subscriber: Subscriber<WireAnswer>;
  readonly sockets: Pick<ResettableSockets, 'reset'>;
}

/** One request: undici's callbacks for it, folded into one answer or one failure. */
export class UndiciRequest implements Dispatcher.DispatchHandler {
  readonly #target: string;
  readonly #subscriber: Subscriber<WireAnswer>;
  readonly #sockets: RequestParts['sockets'];
  /** Set right before undici writes to a socket: from then on bytes may have left. */
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  readonly #chunks: Buffer[] = [];
  #done = false;
  callOff: () => void = () => {};

  constructor(target: string, { subscriber, sockets }: RequestParts) {
    this.#target = target;
    this.#subscriber = subscriber;
    this.#sockets = sockets;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Expired while it waited for a socket: it was reported as unsent, and so must not be sent.
    if (this.#done) {
      controller.abort(new Error('it is over already'));
    } else if (this.#controller === undefined) {
      this.#controller = controller;
    } else {
      const reason = 'it was about to be sent a second time';
      this.#fail(reason);
      controller.abort(new Error(reason));
    }
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#done) return;
    this.#end();
    const chunks = this.#chunks;
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    this.#subscriber.next({ status: this.#status, body: body.toString('utf8') });
    this.#subscriber.complete();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(messageOf(error), error);
  }

  /** Gives the request up: nothing more of it is sent. */
  expire(timeoutMs: number): void {
    const within = `within ${formatDuration(timeoutMs)}`;
    const waited = `no answer ${within}`;
    const controller = this.#controller;
    this.#fail(controller === undefined ? `no free socket ${within}` : waited);
    if (controller === undefined) return;
    this.#sockets.reset(() => controller.abort(new Error(waited)));
  }

  #fail(reason: string, cause?: unknown): void {
    if (this.#done) return;
    this.#end();
    const kind = this.#controller === undefined ? 'unsent' : 'unknown';
    const action = kind === 'unsent' ? 'send' : 'tell the outcome of';
    const message = `Cannot ${action} GET ${shownTarget(this.#target)}: ${reason}`;
    this.#subscriber.error(new ExchangeFailure(kind, message, { cause }));
  }

  #end(): void {
    this.#done = true;
    this.callOff();
  }
}
