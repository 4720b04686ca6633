import {
  catchError,
  filter,
  forkJoin,
  map,
  type Observable,
  of,
  scan,
  skip,
  throttleTime,
} from 'rxjs';
import type { Balance } from '../../../../domain/index.ts';
import type { AccountInfo, CurrencyInfo, FullExchange } from '../../../../exchange/index.ts';
import type { Clock } from '../../../../kernel/index.ts';
import { refuse } from '../answers.ts';
import { renderCoins } from '../render/coins.ts';
import { tail } from './feed.ts';
import { FRAME_CODES, SNAPSHOT_INTERVAL_MS } from './frames.ts';
import { followed, type Update, wholeUpdate } from './updates.ts';

/** Rate of USDT to the yuan, from a recording; no client should rely on it. */
const USDT_CNY = '6.32';

/** All balances by currency after a change, and the changed ones. */
interface Balances {
  readonly all: ReadonlyMap<string, Balance>;
  readonly changed: readonly Balance[];
  /** The currencies as the account first described them. */
  readonly currencies: readonly CurrencyInfo[] | undefined;
  readonly timeMs: number;
}

/** What an account says about its coins. */
type Told = Pick<AccountInfo, 'balances' | 'currencies'>;

interface Source {
  readonly exchange: FullExchange;
  readonly clock: Clock;
  readonly channel: string;
}

/** Frames of `push_user_incr_asset`: the coins that change. Source: wire facts, WebSocket. */
export function changedCoins({ exchange, clock, channel }: Source): Observable<string> {
  return spotBalances(exchange, clock).pipe(
    skip(1),
    map(({ changed, ...rest }) => coinsFrame(changed, { ...rest, channel, kind: 'userIncrAsset' })),
  );
}

/** Frames of `push_user_asset`: all coins, now and after changes. */
export function allCoins({ exchange, clock, channel }: Source): Observable<Update> {
  return spotBalances(exchange, clock).pipe(
    throttleTime(SNAPSHOT_INTERVAL_MS, clock, { leading: true, trailing: true }),
    map(({ all, ...rest }) =>
      wholeUpdate(coinsFrame([...all.values()], { ...rest, channel, kind: 'userAsset' })),
    ),
  );
}

/**
 * Frames of `push_user_cross_asset`: the coins of the cross-margin account that change.
 *
 * No recording of it is known: it is modelled, only here, on `push_user_incr_asset`. Code 1007 if
 * the exchange does not push such an account.
 */
export function changedCrossCoins({ exchange, clock, channel }: Source): Observable<string> {
  const later =
    exchange.accountFeed.crossBalances?.() ?? refuse(FRAME_CODES.emptyChannel, 'Channel is empty');
  // The description of currencies is an extra: the account may not be readable.
  const info = exchange.account.account().pipe(catchError(() => of(undefined)));
  const now = forkJoin([exchange.margin.crossAccount(), info]).pipe(
    map(([{ assets }, told]) => ({ ...told, balances: assets })),
  );
  return balances({ now, later, clock }).pipe(
    skip(1),
    map(({ changed, ...rest }) =>
      coinsFrame(changed, { ...rest, channel, kind: 'userCrossAsset' }),
    ),
  );
}

function spotBalances(exchange: FullExchange, clock: Clock): Observable<Balances> {
  const now = exchange.account.account();
  return balances({ now, later: exchange.accountFeed.balances(), clock });
}

/** All balances at first, then each change; a repeated balance is no change. */
function balances(source: {
  readonly now: Observable<Told>;
  readonly later: ReturnType<FullExchange['accountFeed']['balances']>;
  readonly clock: Clock;
}): Observable<Balances> {
  const { now, later, clock } = source;
  const first = now.pipe(map((told) => ({ ...told, exchangeTime: clock.now() })));
  return followed<Told & { exchangeTime: number }>(first, later).pipe(
    scan(
      ({ all, ...before }, { balances: told, currencies, exchangeTime: timeMs }) => {
        const changed = told.filter((balance) => !isSame(all.get(balance.currency), balance));
        const rest = { changed, currencies: currencies ?? before.currencies, timeMs };
        if (changed.length === 0) return { all, ...rest };
        const entries = changed.map((balance) => [balance.currency, balance] as const);
        return { all: new Map([...all, ...entries]), ...rest };
      },
      { all: new Map(), changed: [], currencies: undefined, timeMs: 0 } as Balances,
    ),
    filter(({ changed }, index) => index === 0 || changed.length > 0),
  );
}

function isSame(known: Balance | undefined, { available, frozen }: Balance): boolean {
  if (known === undefined) return false;
  return known.available.equals(available) && known.frozen.equals(frozen);
}

function coinsFrame(
  coins: readonly Balance[],
  frame: Pick<Balances, 'currencies' | 'timeMs'> & { channel: string; kind: string },
): string {
  const { currencies, timeMs, channel, kind } = frame;
  const rest = `"version":${timeMs},"usdtcny":"${USDT_CNY}"`;
  return `{"coins":${renderCoins(coins, currencies)},${tail(kind, channel)},${rest}}`;
}
