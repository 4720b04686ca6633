import type { Observer } from 'rxjs';
import type { AccountInfo } from '../exchange/index.ts';
import type { Courier } from './courier.ts';
import type { ExecutorOptions, QuestionSource, QuestionTurn } from './ports.ts';

/** Reads the account for whoever asks, once for each. */
export class AccountReading implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #courier: Courier;
  readonly #asking: Observer<AccountInfo>[] = [];

  constructor(options: ExecutorOptions, courier: Courier) {
    this.#options = options;
    this.#courier = courier;
  }

  /** Tells the observer the account, or how the request failed, once there was room for it. */
  ask(observer: Observer<AccountInfo>): void {
    this.#asking.push(observer);
  }

  get nextMs(): number {
    return this.#asking.length > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }

  sendDue(turn: QuestionTurn): boolean {
    const observer = this.#asking.shift();
    if (observer === undefined) return false;
    this.#courier.send({
      ...{ operation: 'queryAccount', market: '' },
      ...turn,
      call: () => this.#options.exchange.account.account(),
      answered: (account) => {
        observer.next(account);
        observer.complete();
      },
      failed: (failure) => observer.error(failure),
    });
    return true;
  }
}
