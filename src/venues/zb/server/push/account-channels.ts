import { defer, filter, map, type Observable, startWith, switchMap } from 'rxjs';
import {
  CODES,
  type Exchange,
  type ExchangeHost,
  type OrderPush,
} from '../../../../exchange/index.ts';
import { BALANCES_CHANNEL, ORDERS_CHANNEL, ordersMarketOf } from '../../wire/fields.ts';
import { refuse } from '../answers.ts';
import type { Dialect } from '../dialect.ts';
import type { Key } from '../keys.ts';
import type { MarketDirectory } from '../markets.ts';
import { renderCoins } from '../render/coins.ts';
import { renderOrderPush } from '../render/orders.ts';
import { type Fields, textOf } from './fields.ts';
import { SharedFrames } from './shared.ts';

/** Ends the `market` field of a subscription to one's orders. Source: wire facts, WebSocket. */
const MARKET_SUFFIX = 'default';
/** Rate of the quote currency to the yuan, as one recording had it; no client may rely on it. */
const USDT_CNY = '6.32';

/** What the channels of accounts are made from. */
export interface AccountChannelParts {
  readonly host: ExchangeHost;
  readonly dialect: Dialect;
  readonly directory: MarketDirectory;
}

interface Subscription extends AccountChannelParts {
  /** The first frame, once it is clear that there is something to listen to. */
  readonly accepted: string;
  readonly exchange: Exchange;
  readonly shared: SharedFrames;
  readonly account: string;
  readonly fields: Fields;
}

/** A channel that a key must permit. */
interface AccountChannel {
  readonly permission: keyof Key['permissions'];
  open(subscription: Subscription): Observable<string>;
}

const orders: AccountChannel = {
  permission: 'orders',
  open({ exchange, shared, account, dialect, directory, fields, accepted }) {
    const market = textOf(fields.market);
    if (!market.endsWith(MARKET_SUFFIX)) refuse(CODES.general, 'Error Market');
    const symbol = market.slice(0, -MARKET_SUFFIX.length);
    return directory.read().pipe(
      map((markets) => markets.ofSymbol(symbol) ?? refuse(CODES.general, 'Error Market')),
      switchMap(({ id }) => {
        const live = () => orderFrames(exchange, { market: id, dialect });
        return shared.of(`${account} orders ${id}`, live).pipe(startWith(accepted));
      }),
    );
  },
};

function orderFrames(
  exchange: Exchange,
  { market, dialect }: { readonly market: string; readonly dialect: Dialect },
): Observable<string> {
  const names = `"dataType":"userIncrRecord","channel":"${ORDERS_CHANNEL}"`;
  const head = `{${names},"market":"${ordersMarketOf(market)}","record":`;
  const render = map(({ order }: OrderPush) => `${head}${renderOrderPush(order, dialect)}}`);
  return exchange.accountFeed.orders(market).pipe(render);
}

const assets: AccountChannel = {
  permission: 'assets',
  open: ({ exchange, shared, account, accepted }) =>
    defer(() => shared.of(`${account} assets`, () => assetFrames(exchange))).pipe(
      startWith(accepted),
    ),
};

function assetFrames(exchange: Exchange): Observable<string> {
  const names = `"dataType":"userIncrAsset","channel":"${BALANCES_CHANNEL}"`;
  return exchange.accountFeed.balances().pipe(
    filter(({ balances }) => balances.length > 0),
    map(({ balances, exchangeTime }) => {
      const rest = `"version":${exchangeTime},"usdtcny":"${USDT_CNY}"`;
      return `{"coins":${renderCoins(balances)},${names},${rest}}`;
    }),
  );
}

const CHANNELS: ReadonlyMap<string, AccountChannel> = new Map([
  [ORDERS_CHANNEL, orders],
  [BALANCES_CHANNEL, assets],
]);

/** Opens the channels of accounts, shared by all sessions of an account. */
export class AccountChannels {
  readonly #parts: AccountChannelParts;
  readonly #shared = new SharedFrames();

  constructor(parts: AccountChannelParts) {
    this.#parts = parts;
  }

  /** What a key must permit for the channel, undefined where there is no channel of that name. */
  permissionOf(channel: string): keyof Key['permissions'] | undefined {
    return CHANNELS.get(channel)?.permission;
  }

  /** `accepted`, then frames about what changed. Fails with an ExchangeFailure. */
  open(
    channel: string,
    {
      key,
      fields,
      accepted,
    }: { readonly key: Key; readonly fields: Fields; readonly accepted: string },
  ): Observable<string> {
    const { account } = key;
    const exchange =
      this.#parts.host.account(account) ?? refuse(CODES.unverified, 'No such account');
    const shared = this.#shared;
    const definition = CHANNELS.get(channel)!;
    return definition.open({ ...this.#parts, exchange, shared, account, fields, accepted });
  }
}
