import { map, type Observable, of, tap } from 'rxjs';
import type { Market } from '../../../domain/index.ts';
import { CODES, type MarketDataPort } from '../../../exchange/index.ts';
import type { Clock } from '../../../kernel/index.ts';
import { symbolOf } from '../wire/fields.ts';
import { refuse } from './answers.ts';
import { newNameOf } from './renamed.ts';

/** How long the host's markets are cached, milliseconds: new rules of a market apply after this. */
const BELIEVED_MS = 1_000;

/** The markets at one moment. */
export class Markets {
  readonly #byId: ReadonlyMap<string, Market>;
  readonly #bySymbol: ReadonlyMap<string, Market>;

  /** Leaves out markets whose currencies have an old name. */
  constructor(markets: readonly Market[]) {
    const named = markets.filter(({ base, quote }) => !isRenamed(base) && !isRenamed(quote));
    this.#byId = new Map(named.map((market) => [market.id, market]));
    this.#bySymbol = new Map(named.map((market) => [symbolOf(market.id), market]));
  }

  all(): Iterable<Market> {
    return this.#byId.values();
  }

  /** The market of that identifier; undefined if there is none. */
  ofId(id: string): Market | undefined {
    return this.#byId.get(id);
  }

  /**
   * The market of that name, in any case; old clients write it with a hyphen or without underscore.
   *
   * @throws {ExchangeFailure} with code 1001.
   */
  named(text: string): Market {
    const market = this.#byId.get(text) ?? this.#likelyNamed(text.toLowerCase().replace('-', '_'));
    return market ?? refuse(CODES.general, marketFault(text.toLowerCase()));
  }

  #likelyNamed(text: string): Market | undefined {
    return this.#byId.get(text) ?? this.#bySymbol.get(text);
  }

  /** The market without its underscore, as channels name it. */
  ofSymbol(symbol: string): Market | undefined {
    return this.#bySymbol.get(symbol);
  }
}

function isRenamed(currency: string): boolean {
  return newNameOf(currency) !== undefined;
}

function marketFault(text: string): string {
  const old = text.split('_').find(isRenamed);
  return old === undefined ? 'Error Market' : `Error Market: ${old} is now ${newNameOf(old)}`;
}

/** Reads the host's markets when they are first needed, and again when the cache is too old. */
export class MarketDirectory {
  readonly #port: MarketDataPort;
  readonly #clock: Clock;
  #markets: Markets | undefined;
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(port: MarketDataPort, clock: Clock) {
    this.#port = port;
    this.#clock = clock;
  }

  /** The markets, if they were read recently. */
  known(): Markets | undefined {
    return this.#clock.now() - this.#readMs < BELIEVED_MS ? this.#markets : undefined;
  }

  /** The markets; synchronously if they are known or the host answers at once. */
  read(): Observable<Markets> {
    const known = this.known();
    if (known !== undefined) return of(known);
    const nowMs = this.#clock.now();
    return this.#port.markets().pipe(
      map((markets) => new Markets(markets)),
      tap((markets) => {
        this.#markets = markets;
        this.#readMs = nowMs;
      }),
    );
  }
}
