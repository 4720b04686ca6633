import type { Clock } from '../kernel/index.ts';
import type { Accounts } from './accounts.ts';
import type { Calls } from './calls.ts';
import type { Bills } from './funds/index.ts';
import type { MarginBank } from './margin/index.ts';
import type { OrderIds } from './order-ids.ts';
import type { Publisher } from './publisher.ts';
import { unknownMarket } from './refusals.ts';
import type { SimulatedMarket } from './simulated-market.ts';

/** What the ports of the exchange share. */
export interface TradingFloor {
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly markets: ReadonlyMap<string, SimulatedMarket>;
  readonly calls: Calls;
  readonly ids: OrderIds;
  /** Gives the next running number of the exchange, for orders, deposits and withdrawals. */
  readonly nextOrdinal: () => number;
  /** The bills of all spot wallets. */
  readonly bills: Bills;
  readonly margin: MarginBank;
  readonly publisher: Publisher;
  /** How long a push is under way, milliseconds. */
  readonly pushMs: number;
  /** How long reads do not find an order after it was taken, milliseconds. */
  readonly readLagMs: number;
  /** Called when a timed cancel fires, with the number of its account and what it cancelled. */
  readonly timedCancelFired: (
    account: number,
    fired: { readonly market: string; readonly orders: number },
  ) => void;
}

/** The listed market of that id. @throws {ExchangeFailure} `rejected` with 1001, 'Error Market'. */
export function marketOn(floor: TradingFloor, id: string): SimulatedMarket {
  const market = floor.markets.get(id);
  if (!market?.isListed) throw unknownMarket();
  return market;
}

export function listedOn({ markets }: TradingFloor): SimulatedMarket[] {
  return [...markets.values()].filter(({ isListed }) => isListed);
}
