import type { Balance, Evidence, TradingEvent } from '../domain/index.ts';
import { type Bus, type Clock, Decimal, passing } from '../kernel/index.ts';

/**
 * When a balance was last told, and on whose word. A push counts from when it arrived; a read is
 * true as of `time` or later. Milliseconds since the epoch.
 */
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

  /** Updates the balances given, leaves all others; publishes those that changed. */
  update(balances: readonly Balance[], evidence: Evidence): void {
    this.#take(balances, { time: this.#clock.now(), evidence });
  }

  /**
   * Takes up a full read that is true as of `asOfMs` or later. A currency that it does not name is
   * empty; a balance pushed after `asOfMs` stays.
   */
  reset(balances: readonly Balance[], { asOfMs }: { readonly asOfMs: number }): void {
    const named = new Set(balances.map((balance) => balance.currency));
    const gone = this.all().filter((balance) => !named.has(balance.currency));
    const isNews = ({ currency }: Balance): boolean => {
      const news = this.#news.get(currency);
      return news?.evidence !== 'push' || news.time <= asOfMs;
    };
    const read = [...balances, ...gone.map(emptied)].filter(isNews);
    this.#take(read, { time: asOfMs, evidence: 'query' });
  }

  #take(balances: readonly Balance[], news: BalanceNews): void {
    const changed = passing(balances, (balance) => this.#differs(balance));
    for (const balance of balances) {
      this.#balances.set(balance.currency, balance);
      this.#news.set(balance.currency, news);
    }
    if (changed.length === 0) return;
    this.#bus.publish({ kind: 'balance', time: this.#clock.now(), balances: changed });
  }

  get(currency: string): Balance | undefined {
    return this.#balances.get(currency);
  }

  /** Every balance ever told, in the order in which currencies were first told. */
  all(): Balance[] {
    return [...this.#balances.values()];
  }

  /** As of when and on whose word a currency's balance was last told. */
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
