import type { Balance, Evidence, TradingEvent } from '../domain/index.ts';
import { type Bus, type Clock, Decimal } from '../kernel/index.ts';

/** The newest word on a balance: when it came, milliseconds since the epoch, and from whom. */
export interface BalanceNews {
  readonly time: number;
  readonly evidence: Evidence;
}

/** The account's balances as the exchange last told them. */
export class BalanceLedger {
  readonly #clock: Clock;
  readonly #bus: Bus<TradingEvent>;
  readonly #balances = new Map<string, Balance>();
  readonly #news = new Map<string, BalanceNews>();

  constructor(options: { readonly clock: Clock; readonly bus: Bus<TradingEvent> }) {
    this.#clock = options.clock;
    this.#bus = options.bus;
  }

  /** Takes up the balances named, leaves all others; publishes those that changed. */
  update(balances: readonly Balance[], evidence: Evidence): void {
    const time = this.#clock.now();
    const news = { time, evidence };
    const changed = balances.filter((balance) => this.#differs(balance));
    for (const balance of balances) {
      this.#balances.set(balance.currency, balance);
      this.#news.set(balance.currency, news);
    }
    if (changed.length > 0) this.#bus.publish({ kind: 'balance', time, balances: changed });
  }

  /** Takes up a full read: a currency that it does not name has nothing. */
  reset(balances: readonly Balance[], evidence: Evidence = 'query'): void {
    const named = new Set(balances.map((balance) => balance.currency));
    const gone = this.all().filter((balance) => !named.has(balance.currency));
    this.update([...balances, ...gone.map(emptied)], evidence);
  }

  get(currency: string): Balance | undefined {
    return this.#balances.get(currency);
  }

  /** Every balance ever told, in the order of first mention. */
  all(): Balance[] {
    return [...this.#balances.values()];
  }

  /** When and on whose word a currency's balance was last told. */
  newsOf(currency: string): BalanceNews | undefined {
    return this.#news.get(currency);
  }

  #differs(balance: Balance): boolean {
    const known = this.#balances.get(balance.currency);
    if (known === undefined) return true;
    return !known.available.equals(balance.available) || !known.frozen.equals(balance.frozen);
  }
}

function emptied({ currency }: Balance): Balance {
  return { currency, available: Decimal.ZERO, frozen: Decimal.ZERO };
}
