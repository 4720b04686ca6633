import type { Observable } from 'rxjs';
import type { CrossAccount, IsolatedMarket } from '../../domain/index.ts';
import type { MarginPort, Permissions } from '../../exchange/index.ts';
import { notPermitted } from '../refusals.ts';
import type { TradingFloor } from '../trading-floor.ts';

/** The margin accounts of one account of the exchange. */
export class SimulatedMargin implements MarginPort {
  readonly #floor: Pick<TradingFloor, 'calls' | 'margin'>;
  readonly #account: number;
  readonly #permissions: Permissions;

  constructor(
    floor: Pick<TradingFloor, 'calls' | 'margin'>,
    { account, permissions }: { account: number; permissions: Permissions },
  ) {
    this.#floor = floor;
    this.#account = account;
    this.#permissions = permissions;
  }

  crossAccount(): Observable<CrossAccount> {
    return this.#call(() => this.#floor.margin.crossAccount(this.#account));
  }

  isolatedAccount(): Observable<readonly IsolatedMarket[]> {
    return this.#call(() => this.#floor.margin.isolatedAccount(this.#account));
  }

  setAutoBorrow(enabled: boolean): Observable<void> {
    return this.#call(() => {
      this.#floor.margin.switchesOf(this.#account).borrow = enabled;
    });
  }

  setAutoRepay(enabled: boolean): Observable<void> {
    return this.#call(() => {
      this.#floor.margin.switchesOf(this.#account).repay = enabled;
    });
  }

  #call<T>(work: () => T): Observable<T> {
    return this.#floor.calls.call(() => {
      if (!this.#permissions.margin) throw notPermitted('use the margin account');
      return work();
    });
  }
}
