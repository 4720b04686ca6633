import { filter, map, merge, Observable } from 'rxjs';
import {
  type AccountFeedPort,
  type Connection,
  type Exchange,
  ExchangeFailure,
} from '../../exchange/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { accountThrough } from './latency-order.ts';

export interface BrokenLineOptions {
  readonly clock: Clock;
  /** Whether the line was cut at any time between two moments, both included. */
  readonly isCut: (fromMs: number, toMs: number) => boolean;
  /** Emits false when the line is cut, true when it stands again. */
  readonly stands: Observable<boolean>;
  /** Whether a request that is sent while the line is cut arrives all the same. */
  readonly arrives: () => boolean;
  /** How long after it was sent a request without an answer fails, milliseconds. */
  readonly giveUpMs: number;
}

/**
 * The same account behind a line that is cut now and then. While it is cut, pushes are lost and
 * requests get no answer, whether they arrive or not: they fail as `unknown` after `giveUpMs`. The
 * exchange goes on meanwhile. A request under way when the line is cut arrives, its answer does
 * not.
 */
export function behindBrokenLine(exchange: Exchange, options: BrokenLineOptions): Exchange {
  const call = <T>(inner: () => Observable<T>): Observable<T> =>
    new Observable<T>((subscriber) => {
      const { clock, isCut, arrives, giveUpMs } = options;
      const sentMs = clock.now();
      const isLost = (): boolean => isCut(sentMs, clock.now());
      const giveUp = (): void => {
        const fail = (): void => subscriber.error(new ExchangeFailure('unknown', UNANSWERED));
        subscriber.add(clock.schedule(fail, sentMs + giveUpMs - clock.now()));
      };
      if (isLost() && !arrives()) {
        giveUp();
        return;
      }
      const answer = inner().subscribe({
        next: (value) => {
          if (isLost()) giveUp();
          else subscriber.next(value);
        },
        error: (thrown) => {
          if (isLost()) giveUp();
          else subscriber.error(thrown);
        },
        complete: () => {
          if (!isLost()) subscriber.complete();
        },
      });
      subscriber.add(answer);
    });
  return accountThrough(exchange, {
    call,
    accountFeed: brokenFeed(exchange.accountFeed, options),
  });
}

const UNANSWERED = 'Cannot tell the outcome: no answer in time';

function brokenFeed(
  feed: AccountFeedPort,
  { clock, isCut, stands }: BrokenLineOptions,
): AccountFeedPort {
  type Push = { readonly exchangeTime: number };
  const isHeard = ({ exchangeTime }: Push): boolean => !isCut(exchangeTime, clock.now());
  const heard = <P extends Push>(pushes: Observable<P>): Observable<P> =>
    pushes.pipe(filter((push) => isHeard(push)));
  const changes = feed.changes?.bind(feed);
  return {
    connection: () => merge(feed.connection(), stands.pipe(map(connectionOf))),
    orders: (market) => heard(feed.orders(market)),
    balances: () => heard(feed.balances()),
    ...(changes && {
      changes: () => changes().pipe(filter(({ order, balances }) => isHeard(order ?? balances!))),
    }),
  };
}

function connectionOf(connected: boolean): Connection {
  return { connected, reason: connected ? 'the outage is over' : 'an outage began' };
}
