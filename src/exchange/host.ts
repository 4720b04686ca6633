import type { FullExchange } from './funds.ts';
import type { MarketDataPort, MarketFeedPort } from './ports.ts';

/** An exchange as its operator sees it: public data for all, and what each account can do. */
export interface ExchangeHost {
  readonly market: MarketDataPort;
  readonly marketFeed: MarketFeedPort;
  /** The account of that name, undefined when there is none. */
  account(name: string): FullExchange | undefined;
}
