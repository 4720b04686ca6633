import { map, Observable, switchMap } from 'rxjs';
import { CODES, type ExchangeHost, toFailure } from '../../../exchange/index.ts';
import { type Clock, dateMs, type Logger, messageOf } from '../../../kernel/index.ts';
import { type Answer, isDefect, refusalBody, refusalOf, refuse } from './answers.ts';
import { authenticate, type Caller, requireUnlocked } from './authentication.ts';
import type { Tally } from './counts.ts';
import { PUBLIC_OPERATIONS } from './data.ts';
import type { Dialect } from './dialect.ts';
import type { Key } from './keys.ts';
import type { Limiter } from './limits.ts';
import type { MarketDirectory, Markets } from './markets.ts';
import { type Operation, type PublicContext, type Reply, requireParameters } from './operation.ts';
import { SIGNED_OPERATIONS } from './operations/index.ts';
import { pathOf, readQuery } from './query.ts';

/** A GET request, wherever it came from. */
export interface ZbRequest {
  /** Path and query as they came over the wire: `/api/order?...`. */
  readonly target: string;
  /** The caller's network address, for limits and bound keys. */
  readonly address: string;
  /** The `User-Agent` header. Requests without one are refused: the contract wants it sent. */
  readonly userAgent: string | undefined;
}

/** What answering requests needs. */
export interface RequestParts {
  readonly host: ExchangeHost;
  readonly keys: ReadonlyMap<string, Key>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly dialect: Dialect;
  readonly directory: MarketDirectory;
  readonly limiter: Limiter;
  readonly tally: Tally;
}

/** Every operation, by the last part of its path. */
export const OPERATION_NAMES: readonly string[] = [
  ...PUBLIC_OPERATIONS.keys(),
  ...SIGNED_OPERATIONS.keys(),
];

/** Source: wire facts, table of codes. */
const NO_SUCH_USER = 3004;
const SIGNED_PREFIX = '/api/';
const PUBLIC_PREFIX = '/data/v1/';

/** Answers requests; knows nothing of sockets. */
export class RequestDesk {
  readonly #parts: RequestParts;

  constructor(parts: RequestParts) {
    this.#parts = parts;
  }

  /**
   * The answer to a request, which counts as arriving when this is subscribed. Emits one JSON
   * answer, synchronously if the host does, and never fails.
   *
   * A handwritten Observable: operators around it would cost more than the request itself.
   */
  handle(request: ZbRequest): Observable<Answer> {
    return new Observable((subscriber) => {
      const answer = (body: string) => {
        subscriber.next({ status: 200, body });
        subscriber.complete();
      };
      const fail = (thrown: unknown) => {
        if (!subscriber.closed) answer(this.#refusal(thrown, request));
      };
      const empty = () => {
        if (!subscriber.closed) fail(toFailure('the host completed without an answer'));
      };
      try {
        const { answers, render } = this.#answer(request);
        const next = (value: unknown) => {
          try {
            answer(render(value));
          } catch (thrown) {
            fail(thrown);
          }
        };
        subscriber.add(answers.subscribe({ next, error: fail, complete: empty }));
      } catch (thrown) {
        fail(thrown);
      }
    });
  }

  #answer(request: ZbRequest): Reply {
    this.#parts.tally.request();
    const path = pathOf(request.target);
    if (path.startsWith(SIGNED_PREFIX)) {
      return this.#signed(request, path.slice(SIGNED_PREFIX.length));
    }
    requireUserAgent(request);
    const operation = path.startsWith(PUBLIC_PREFIX)
      ? PUBLIC_OPERATIONS.get(path.slice(PUBLIC_PREFIX.length))
      : undefined;
    if (operation === undefined) {
      const wanted = `one that begins with ${PUBLIC_PREFIX} or ${SIGNED_PREFIX} is wanted`;
      return refuse(CODES.general, `Unknown path: ${path}, ${wanted}`);
    }
    return this.#public(request, operation);
  }

  #public(request: ZbRequest, operation: Operation<PublicContext>): Reply {
    const { tally, limiter, clock } = this.#parts;
    if (operation === PUBLIC_OPERATIONS.get('kline')) {
      const nowMs = clock.now();
      tally.candles(request.address, nowMs);
      if (!limiter.takeCandles(request.address, nowMs)) {
        refuse(CODES.tooFrequent, 'Request too frequent');
      }
    }
    const query = readQuery(request.target);
    requireParameters(operation, query);
    return this.#withMarkets((context) => operation.run(query, context));
  }

  #signed(request: ZbRequest, name: string): Reply {
    const { tally, limiter, clock, host, keys, logger } = this.#parts;
    const { address } = request;
    const nowMs = clock.now();
    tally.signed(address, nowMs);
    if (limiter.arrive(address, nowMs)) logger.warn({ address }, 'too many requests: locked');
    requireUserAgent(request);
    const query = readQuery(request.target);
    const accesskey = query.get('accesskey');
    if (accesskey !== undefined && keys.has(accesskey)) tally.key(accesskey, nowMs);
    const operation = SIGNED_OPERATIONS.get(name);
    if (operation === undefined) return refuse(CODES.general, `Unknown operation: ${name}`);
    const caller = { address, nowMs, dateMs: dateMs(clock) };
    const isUnsigned = accesskey === undefined && query.get('sign') === undefined;
    const key =
      isUnsigned && operation.isOpen
        ? this.#firstKey(caller)
        : authenticate({ query, operation }, { caller, keys, limiter });
    const exchange =
      host.account(key.account, key.permissions) ?? refuse(NO_SUCH_USER, 'No such user');
    return this.#withMarkets((context) => operation.run(query, { ...context, key, exchange }));
  }

  /** The key for unsigned requests: what is the same for everybody is read from any account. */
  #firstKey(caller: Caller): Key {
    const { limiter, keys } = this.#parts;
    requireUnlocked(caller, limiter);
    const [first] = keys.values();
    return first ?? refuse(NO_SUCH_USER, 'No such user');
  }

  #withMarkets(run: (context: PublicContext) => Reply): Reply {
    const { directory, dialect, host } = this.#parts;
    const runWith = (markets: Markets) => run({ dialect, markets, market: host.market });
    const known = directory.known();
    if (known !== undefined) return runWith(known);
    const bodies = directory.read().pipe(
      map(runWith),
      switchMap(({ answers, render }) => answers.pipe(map(render))),
    );
    return { answers: bodies, render: String };
  }

  #refusal(thrown: unknown, { target }: ZbRequest): string {
    const refusal = refusalOf(thrown);
    this.#parts.tally.refusal(refusal.code);
    if (isDefect(thrown)) {
      const fields = { path: pathOf(target), error: messageOf(thrown) };
      this.#parts.logger.error(fields, 'a request could not be answered');
    }
    return refusalBody(refusal, this.#parts.dialect);
  }
}

/**
 * Source: contract, "Clients must send a browser-style User-Agent"; any that is not empty will do.
 */
function requireUserAgent({ userAgent }: ZbRequest): void {
  if (userAgent === undefined || userAgent.trim() === '') {
    refuse(CODES.general, 'User-Agent wanted');
  }
}
