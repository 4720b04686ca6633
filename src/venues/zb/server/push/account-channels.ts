import { map, type Observable, of, switchMap } from 'rxjs';
import { CODES, type ExchangeHost, type FullExchange } from '../../../../exchange/index.ts';
import type { Clock } from '../../../../kernel/index.ts';
import {
  ALL_BALANCES_CHANNEL,
  ALL_ORDERS_CHANNEL,
  BALANCES_CHANNEL,
  CROSS_BALANCES_CHANNEL,
  ORDERS_CHANNEL,
} from '../../wire/fields.ts';
import { refuse } from '../answers.ts';
import type { Dialect } from '../dialect.ts';
import type { Key } from '../keys.ts';
import type { MarketDirectory } from '../markets.ts';
import { allCoins, changedCoins, changedCrossCoins } from './account-balances.ts';
import { allOrders, changedOrders } from './account-orders.ts';
import { type Fields, textOf } from './fields.ts';
import { SharedFrames } from './shared.ts';
import { followed, type Update } from './updates.ts';

/** The end of the `market` field in a subscription to orders. Source: wire facts, WebSocket. */
const MARKET_SUFFIX = 'default';

/** The parts that account channels are made from. */
export interface AccountChannelParts {
  readonly host: ExchangeHost;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly directory: MarketDirectory;
}

/** The parts that one channel of one account is made from. */
interface Source extends AccountChannelParts {
  readonly channel: string;
  readonly exchange: FullExchange;
  /** Empty if the channel is not for a market. */
  readonly market: string;
  /** The name of the stream that all listeners share. */
  readonly name: string;
  readonly shared: SharedFrames;
}

/** A channel that needs a permission of the key. */
export interface AccountChannel {
  readonly permission: keyof Key['permissions'];
  /** Whether a subscription names a market, so that there may be several. */
  readonly perMarket: boolean;
  frames(source: Source): Observable<string>;
}

/** A channel that pushes changes. */
function changing(make: (source: Source) => Observable<string>): AccountChannel['frames'] {
  return (source) => source.shared.of(source.name, () => make(source));
}

/** A channel that pushes everything, at first and after changes. */
function telling(make: (source: Source) => Observable<Update>): AccountChannel['frames'] {
  return (source) => source.shared.joined(source.name, () => make(source));
}

const ORDERS = { permission: 'orders', perMarket: true } as const;
const ASSETS = { permission: 'assets', perMarket: false } as const;
const MARGIN = { permission: 'margin', perMarket: false } as const;

/** Source: contract, Events; wire facts, WebSocket. */
const CHANNELS: ReadonlyMap<string, AccountChannel> = new Map<string, AccountChannel>([
  [ORDERS_CHANNEL, { ...ORDERS, frames: changing(changedOrders) }],
  [ALL_ORDERS_CHANNEL, { ...ORDERS, frames: telling(allOrders) }],
  [BALANCES_CHANNEL, { ...ASSETS, frames: changing(changedCoins) }],
  [ALL_BALANCES_CHANNEL, { ...ASSETS, frames: telling(allCoins) }],
  [CROSS_BALANCES_CHANNEL, { ...MARGIN, frames: changing(changedCrossCoins) }],
]);

interface Request {
  readonly key: Key;
  readonly fields: Fields;
  /** The frame that acknowledges the subscription; undefined if that is not sent. */
  readonly accepted: string | undefined;
}

/** Opens the channels of accounts, shared by all sessions of an account. */
export class AccountChannels {
  readonly #parts: AccountChannelParts;
  readonly #shared = new SharedFrames();

  constructor(parts: AccountChannelParts) {
    this.#parts = parts;
  }

  /** The channel of that name; undefined if there is none. */
  named(channel: string): AccountChannel | undefined {
    return CHANNELS.get(channel);
  }

  /**
   * The frames: `accepted` if it is given, then everything there is if the channel pushes that,
   * then changes. Fails with an ExchangeFailure.
   */
  open(channel: string, { key, fields, accepted }: Request): Observable<string> {
    const { host } = this.#parts;
    const exchange = host.account(key.account) ?? refuse(CODES.unverified, 'No such account');
    const definition = CHANNELS.get(channel)!;
    const markets = definition.perMarket ? this.#marketOf(fields) : of('');
    return markets.pipe(
      switchMap((market) => {
        const name = `${key.account} ${channel} ${market}`;
        const source = { ...this.#parts, channel, exchange, market, name, shared: this.#shared };
        const frames = definition.frames(source);
        // `frames` is subscribed first: if it fails at once, the subscription was never accepted.
        return accepted === undefined ? frames : followed(of(accepted), frames);
      }),
    );
  }

  #marketOf(fields: Fields): Observable<string> {
    const text = textOf(fields.market);
    if (!text.endsWith(MARKET_SUFFIX)) refuse(CODES.general, 'Error Market');
    const symbol = text.slice(0, -MARKET_SUFFIX.length);
    return this.#parts.directory
      .read()
      .pipe(
        map((markets) => (markets.ofSymbol(symbol) ?? refuse(CODES.general, 'Error Market')).id),
      );
  }
}
