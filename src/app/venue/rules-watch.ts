import { filter, map, type Observable, ReplaySubject, Subscription } from 'rxjs';
import {
  isAmount,
  isPrice,
  type Market,
  type OrderState,
  orderValue,
  type RejectedOrder,
  type TradingEvent,
} from '../../domain/index.ts';
import type { RunOver } from '../../engine/index.ts';
import { CODES, type MarketDataPort, type MarketList } from '../../exchange/index.ts';
import {
  type Bus,
  type Clock,
  Decimal,
  elapsedMs,
  type Logger,
  MINUTE_MS,
} from '../../kernel/index.ts';

/** Codes that point to the rules. Any other code may mean them too, and is followed up later. */
const RULE_CODES: ReadonlySet<number> = new Set([CODES.invalidPrice, CODES.invalidAmount]);
/** The least time between two looks at the rules, after such a code and after any other. */
const SOON_MS = 5_000;
const LATER_MS = MINUTE_MS;
/** Two looks that find no market have one cause if they are at most this far apart. */
const GONE_APART_MAX_MS = 3 * LATER_MS;
/** Most rejected orders, of each market and code, that are compared with the rules at one look. */
const HELD_MAX = 20;

export interface RulesWatchOptions {
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly data: Pick<MarketDataPort, 'markets'>;
  /** The markets with the rules that the run goes by. */
  readonly markets: ReadonlyMap<string, Market>;
}

/**
 * Looks up the rules of the markets when the exchange rejects orders or data stop coming: it may
 * have changed them.
 *
 * A run goes by the rules of its start. If new rules forbid an order that was rejected, the run
 * cannot go on: its orders would be rejected for good, exits too. Nor can it if none of its markets
 * is listed any more. Changes that it can go on with are told once.
 */
export class RulesWatch {
  readonly #options: RulesWatchOptions;
  readonly #over = new ReplaySubject<RunOver>(1);
  readonly #subscriptions = new Subscription();
  /** By market and code, so that orders rejected again and again do not crowd out the others. */
  readonly #rejected = new Map<string, RejectedOrder[]>();
  readonly #told = new Set<string>();
  /** The next look that is scheduled; a look that waits for its answer no longer counts. */
  #look: Subscription | undefined;
  #lookMs = Number.POSITIVE_INFINITY;
  #lookedMs = Number.NEGATIVE_INFINITY;
  /** The streams that have gone stale, each with its market. */
  readonly #stale = new Set<string>();
  /** When a look first found none of the markets, and when the newest such look did. */
  #gone: { readonly sinceMs: number; readonly newestMs: number } | undefined;
  /** Whether the newest look found rules that forbid a rejected order. */
  #isForbidden = false;

  /** Emits once, when the run cannot go on with the present rules. */
  readonly over: Observable<RunOver> = this.#over.asObservable();

  constructor(options: RulesWatchOptions) {
    this.#options = options;
    const rejected = options.bus.on('order').pipe(
      map(({ order }) => order),
      filter(isRejectedByWord),
    );
    this.#subscriptions.add(rejected.subscribe((order) => this.#heed(order)));
    const freshness = options.bus.on('freshness');
    this.#subscriptions.add(
      freshness.subscribe(({ market, stream, fresh }) => {
        const name = `${market} ${stream}`;
        if (fresh) {
          this.#stale.delete(name);
          this.#gone = undefined;
        } else this.#stale.add(name);
        this.#goOn();
      }),
    );
  }

  close(): void {
    this.#subscriptions.unsubscribe();
    this.#look?.unsubscribe();
  }

  #heed(order: RejectedOrder): void {
    this.#hold(order);
    this.#lookAfter(RULE_CODES.has(order.code ?? 0) ? SOON_MS : LATER_MS);
  }

  #hold(order: RejectedOrder): void {
    const key = `${order.market} ${order.code}`;
    const held = this.#rejected.get(key) ?? [];
    if (held.length < HELD_MAX) this.#rejected.set(key, [...held, order]);
  }

  /**
   * Looks again every minute while data stay away, as a market may leave the list long after its
   * data stop, and while rejected orders were not yet compared with any answer.
   */
  #goOn(): void {
    if (this.#subscriptions.closed) return;
    const isAsked = this.#stale.size > 0 || this.#rejected.size > 0;
    if (isAsked || this.#gone !== undefined) this.#lookAfter(LATER_MS);
  }

  /** Schedules a look for when `pauseMs` have passed since the last one; at once if they have. */
  #lookAfter(pauseMs: number): void {
    const nowMs = elapsedMs(this.#options.clock);
    const atMs = Math.max(nowMs, this.#lookedMs + pauseMs);
    if (atMs >= this.#lookMs) return;
    this.#lookMs = atMs;
    this.#look?.unsubscribe();
    this.#look = this.#options.clock.schedule(() => this.#lookUp(), atMs - nowMs);
  }

  #lookUp(): void {
    this.#lookedMs = elapsedMs(this.#options.clock);
    this.#lookMs = Number.POSITIVE_INFINITY;
    const rejected = [...this.#rejected.values()].flat();
    this.#rejected.clear();
    const reading = this.#options.data.markets().subscribe({
      next: (markets) => {
        this.#compare(markets, rejected);
        this.#goOn();
      },
      error: () => {
        for (const order of rejected) this.#hold(order);
        this.#goOn();
      },
    });
    this.#subscriptions.add(reading);
  }

  #compare(markets: MarketList, rejected: readonly RejectedOrder[]): void {
    const now = new Map(markets.map((one) => [one.id, one]));
    // A market whose rules cannot be read is listed all the same.
    this.#missGone(new Set([...now.keys(), ...(markets.illegible ?? [])]));
    const wasForbidden = this.#isForbidden;
    this.#isForbidden = false;
    for (const market of this.#options.markets.values()) {
      const changed = now.get(market.id);
      const what = changed && differenceOf(market, changed);
      if (changed === undefined || what === undefined) continue;
      const text = `the exchange has changed the rules of ${market.id}: ${what}`;
      if (!rejected.some((order) => order.market === market.id && !allows(changed, order))) {
        this.#tell(market.id, `${text}; this run keeps to the old ones`);
      } else if (wasForbidden) {
        this.#end(`${text}; a start goes by the new ones`);
        return;
      } else this.#isForbidden = true;
    }
    if (this.#isForbidden && !this.#subscriptions.closed) this.#lookOnceMore(rejected);
  }

  /** A single answer may be wrong for a moment, so a second one is awaited before the run ends. */
  #lookOnceMore(rejected: readonly RejectedOrder[]): void {
    for (const order of rejected) this.#hold(order);
    this.#lookAfter(SOON_MS);
  }

  /** Tells of markets that are not listed, and ends the run if none is for a minute. */
  #missGone(now: ReadonlySet<string>): void {
    // An empty list says nothing about any market.
    if (now.size === 0) return;
    const ids = [...this.#options.markets.keys()];
    const gone = ids.filter((id) => !now.has(id));
    for (const id of ids) {
      const text = `${goneText([id])}: nothing can be traded there`;
      if (now.has(id)) this.#told.delete(text);
      else this.#tell(id, text);
    }
    if (gone.length < ids.length) {
      this.#gone = undefined;
      return;
    }
    const nowMs = elapsedMs(this.#options.clock);
    const former = this.#gone;
    // A single answer may leave markets out by mistake, and so may another one much later.
    const isOn = former !== undefined && nowMs <= former.newestMs + GONE_APART_MAX_MS;
    const sinceMs = isOn ? former.sinceMs : nowMs;
    this.#gone = { sinceMs, newestMs: nowMs };
    if (nowMs >= sinceMs + LATER_MS) this.#end(goneText(gone));
  }

  #end(message: string): void {
    this.#over.next({ reason: 'rules', message });
    this.close();
  }

  #tell(market: string, text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#options.logger.warn({ market }, text);
  }
}

function goneText(ids: readonly string[]): string {
  return `the exchange does not list ${ids.join(', ')} any more`;
}

/** Whether the exchange itself rejected an order, with a code. */
function isRejectedByWord(order: OrderState): order is RejectedOrder {
  return order.status === 'rejected' && order.evidence === 'answer' && order.code !== undefined;
}

function allows(market: Market, { price, amount }: OrderState): boolean {
  if (!isPrice(market, price) || !isAmount(market, amount)) return false;
  const isEnough = amount >= market.minAmount;
  return isEnough && orderValue(market, { price, amount }).compare(Decimal.of(market.minSize)) >= 0;
}

/** The rules that changed, such as `priceScale 2, now 1`; undefined where none did. */
function differenceOf(before: Market, now: Market): string | undefined {
  const names = ['priceScale', 'amountScale', 'minAmount', 'minSize'] as const;
  const changed = names.filter((name) => before[name] !== now[name]);
  if (changed.length === 0) return undefined;
  return changed.map((name) => `${name} ${before[name]}, now ${now[name]}`).join('; ');
}
