import { filter, forkJoin, map, type Observable, scan, skip, throttleTime } from 'rxjs';
import type { Balance } from '../../../../domain/index.ts';
import type { FullExchange } from '../../../../exchange/index.ts';
import type { Clock } from '../../../../kernel/index.ts';
import { refuse } from '../answers.ts';
import { type Chains, chainsOf, renderCoins } from '../render/coins.ts';
import { tail } from './feed.ts';
import { FRAME_CODES, SNAPSHOT_INTERVAL_MS } from './frames.ts';
import { followed, type Update, wholeUpdate } from './updates.ts';

/** Rate of the quote currency to the yuan, as one recording had it; no client may rely on it. */
const USDT_CNY = '6.32';

/** All balances by currency after a change, and those that it changed. */
interface Balances {
  readonly all: ReadonlyMap<string, Balance>;
  readonly changed: readonly Balance[];
  readonly chains: Chains;
  readonly timeMs: number;
}

/** What the exchange tells: the chains once, at first. */
interface Told {
  readonly balances: readonly Balance[];
  readonly chains?: Chains;
  readonly exchangeTime: number;
}

interface Source {
  readonly exchange: FullExchange;
  readonly clock: Clock;
  readonly channel: string;
}

/** The coins that change, as `push_user_incr_asset` tells them. Source: wire facts, WebSocket. */
export function changedCoins({ exchange, clock, channel }: Source): Observable<string> {
  return spotBalances(exchange, clock).pipe(
    skip(1),
    map(({ changed, ...rest }) => coinsFrame(changed, { ...rest, channel, kind: 'userIncrAsset' })),
  );
}

/** All coins, now and after changes, as `push_user_asset` tells them. */
export function allCoins({ exchange, clock, channel }: Source): Observable<Update> {
  return spotBalances(exchange, clock).pipe(
    throttleTime(SNAPSHOT_INTERVAL_MS, clock, { leading: true, trailing: true }),
    map(({ all, ...rest }) =>
      wholeUpdate(coinsFrame([...all.values()], { ...rest, channel, kind: 'userAsset' })),
    ),
  );
}

/**
 * The coins of the cross-margin account that change.
 *
 * Nobody recorded what `push_user_cross_asset` looked like: this one place models it on
 * `push_user_incr_asset`. Code 1007 where the exchange does not tell of such an account.
 */
export function changedCrossCoins({ exchange, clock, channel }: Source): Observable<string> {
  const later =
    exchange.accountFeed.crossBalances?.() ?? refuse(FRAME_CODES.emptyChannel, 'Channel is empty');
  const now = exchange.margin.crossAccount().pipe(map(({ assets }) => assets));
  return balances({ now, later, exchange, clock }).pipe(
    skip(1),
    map(({ changed, ...rest }) =>
      coinsFrame(changed, { ...rest, channel, kind: 'userCrossAsset' }),
    ),
  );
}

function spotBalances(exchange: FullExchange, clock: Clock): Observable<Balances> {
  const now = exchange.account.account().pipe(map((account) => account.balances));
  return balances({ now, later: exchange.accountFeed.balances(), exchange, clock });
}

/** All balances at first, then each change; what is told again as it was is no change. */
function balances(source: {
  readonly now: Observable<readonly Balance[]>;
  readonly later: ReturnType<FullExchange['accountFeed']['balances']>;
  readonly exchange: FullExchange;
  readonly clock: Clock;
}): Observable<Balances> {
  const { now, later, exchange, clock } = source;
  const first = forkJoin({ balances: now, chains: chainsOf(exchange) }).pipe(
    map((told) => ({ ...told, exchangeTime: clock.now() })),
  );
  return followed<Told>(first, later).pipe(
    scan(
      ({ all, ...before }, { balances: told, exchangeTime: timeMs, chains = before.chains }) => {
        const changed = told.filter((balance) => !isSame(all.get(balance.currency), balance));
        if (changed.length === 0) return { all, changed, chains, timeMs };
        const entries = changed.map((balance) => [balance.currency, balance] as const);
        return { all: new Map([...all, ...entries]), changed, chains, timeMs };
      },
      { all: new Map(), changed: [], chains: new Map(), timeMs: 0 } as Balances,
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
  frame: Pick<Balances, 'chains' | 'timeMs'> & { channel: string; kind: string },
): string {
  const { chains, timeMs, channel, kind } = frame;
  const rest = `"version":${timeMs},"usdtcny":"${USDT_CNY}"`;
  return `{"coins":${renderCoins(coins, chains)},${tail(kind, channel)},${rest}}`;
}
