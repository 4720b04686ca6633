import { map, type Observable, type Observer } from 'rxjs';
import { type AccountInfo, ExchangeFailure } from '../../exchange/index.ts';
import type { ExecutorOptions, QuestionSource, QuestionTurn } from '../ports.ts';
import type { Courier } from '../sending/courier.ts';

/** The account as of that time or later, milliseconds since the epoch. */
export interface AccountRead {
  readonly account: AccountInfo;
  readonly asOfMs: number;
}

/** Reads the account, once for each caller. */
export class AccountReading implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #courier: Courier;
  readonly #asking: Observer<AccountRead>[] = [];

  constructor(options: ExecutorOptions, courier: Courier) {
    this.#options = options;
    this.#courier = courier;
  }

  /**
   * Tells the observer the account, or the request's failure, once there was room for the request.
   */
  ask(observer: Observer<AccountRead>): void {
    this.#asking.push(observer);
  }

  /** Fails all callers that still wait: there will be no request for long. */
  fail(failure: ExchangeFailure): void {
    for (const observer of this.#asking.splice(0)) observer.error(failure);
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
      call: () => accountOf(this.#options),
      answered: (account, { asOfMs }) => {
        observer.next({ account, asOfMs });
        observer.complete();
      },
      failed: (failure) => observer.error(failure),
    });
    return true;
  }
}

/** Reads the account; fails if the balance of a traded currency could not be read. */
export function accountOf({
  exchange,
  markets,
}: Pick<ExecutorOptions, 'exchange' | 'markets'>): Observable<AccountInfo> {
  return exchange.account.account().pipe(
    map((account) => {
      const traded = new Set([...markets.values()].flatMap(({ base, quote }) => [base, quote]));
      const unknown = account.illegible?.filter((currency) => traded.has(currency)) ?? [];
      if (unknown.length === 0) return account;
      const what = `the balance of ${unknown.join(', ')} is not legible, that of what is traded`;
      throw new ExchangeFailure('unknown', `Cannot read the account: ${what} is wanted`);
    }),
  );
}
