import type { Clock } from '../../kernel/index.ts';
import { notWithdrawn } from '../refusals.ts';

/** Source: wire facts, table of codes. */
const PASSWORD_LOCKED = 1004;
const PASSWORD_WRONG = 1005;

/** The funds password of an account: too many wrong ones in a row lock it for a while. */
export class PasswordLock {
  readonly #password: string;
  readonly #clock: Clock;
  readonly #attempts: number;
  readonly #lockMs: number;
  #wrong = 0;
  #lockedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: {
    readonly password: string;
    readonly clock: Clock;
    /** Wrong passwords in a row that lock withdrawals. */
    readonly attempts: number;
    readonly lockMs: number;
  }) {
    this.#password = options.password;
    this.#clock = options.clock;
    this.#attempts = options.attempts;
    this.#lockMs = options.lockMs;
  }

  /**
   * Checks a password.
   *
   * @throws {ExchangeFailure} `rejected` with 1004 while it is locked, 1005 when it is wrong.
   */
  check(password: string): void {
    if (this.#clock.now() < this.#lockedUntil) {
      throw notWithdrawn(PASSWORD_LOCKED, 'the funds password is locked');
    }
    if (password === this.#password) {
      this.#wrong = 0;
      return;
    }
    if (++this.#wrong === this.#attempts) {
      this.#wrong = 0;
      this.#lockedUntil = this.#clock.now() + this.#lockMs;
    }
    throw notWithdrawn(PASSWORD_WRONG, 'the funds password is wrong');
  }
}
