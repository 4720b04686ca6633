import type { FullExchange } from './funds.ts';
import type { MarketDataPort, MarketFeedPort, Permissions } from './ports.ts';

/** An exchange as its operator sees it: public data for all, and what each account can do. */
export interface ExchangeHost {
  readonly market: MarketDataPort;
  readonly marketFeed: MarketFeedPort;
  /**
   * The account of that name, undefined when there is none.
   *
   * `rights` are those of the key that asks. Without the right to margin its orders neither borrow
   * nor repay, whatever the account's switches say. Default: the key may do whatever the account
   * may.
   */
  account(name: string, rights?: Pick<Permissions, 'margin'>): FullExchange | undefined;
}
