import { filter, map, type Observable, ReplaySubject, Subscription } from 'rxjs';
import {
  isAmount,
  isPrice,
  type Market,
  type OrderState,
  orderValue,
  type RejectedOrder,
  type TradingEvent,
} from '../domain/index.ts';
import type { RunOver } from '../engine/index.ts';
import { CODES, type MarketDataPort } from '../exchange/index.ts';
import { type Bus, type Clock, Decimal, type Logger, MINUTE_MS } from '../kernel/index.ts';

/** Answers that may speak of the rules; any other may in words that nobody knows, and is asked later. */
const RULE_CODES: ReadonlySet<number> = new Set([CODES.invalidPrice, CODES.invalidAmount]);
/** Between two looks at the rules, after such an answer and after any other. */
const SOON_MS = 5_000;
const LATER_MS = MINUTE_MS;
/** How many rejected orders are held against the rules, of those since the last look. */
const HELD_MAX = 50;

export interface RulesWatchOptions {
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly data: Pick<MarketDataPort, 'markets'>;
  /** The rules that the run goes by. */
  readonly markets: ReadonlyMap<string, Market>;
}

/**
 * Looks up the rules of the markets when the exchange rejects orders: it may have changed them.
 *
 * A run reckons by the rules of its start. Where new ones forbid an order that was rejected, it cannot
 * go on: its orders would be rejected for good, exits too. What it can go on with is told once.
 */
export class RulesWatch {
  readonly #options: RulesWatchOptions;
  readonly #over = new ReplaySubject<RunOver>(1);
  readonly #subscriptions = new Subscription();
  readonly #rejected: RejectedOrder[] = [];
  readonly #told = new Set<string>();
  /** The next look; one that waits for its answer is none. */
  #look: Subscription | undefined;
  #lookMs = Number.POSITIVE_INFINITY;
  #lookedMs = Number.NEGATIVE_INFINITY;

  /** Emits once, when an order was rejected by rules that the run does not go by. */
  readonly over: Observable<RunOver> = this.#over.asObservable();

  constructor(options: RulesWatchOptions) {
    this.#options = options;
    const rejected = options.bus.on('order').pipe(
      map(({ order }) => order),
      filter(isRejectedByWord),
    );
    this.#subscriptions.add(rejected.subscribe((order) => this.#heed(order)));
  }

  close(): void {
    this.#subscriptions.unsubscribe();
    this.#look?.unsubscribe();
  }

  #heed(order: RejectedOrder): void {
    if (this.#rejected.length < HELD_MAX) this.#rejected.push(order);
    const pauseMs = RULE_CODES.has(order.code ?? 0) ? SOON_MS : LATER_MS;
    const nowMs = this.#elapsedMs();
    const atMs = Math.max(nowMs, this.#lookedMs + pauseMs);
    if (atMs >= this.#lookMs) return;
    this.#lookMs = atMs;
    this.#look?.unsubscribe();
    this.#look = this.#options.clock.schedule(() => this.#lookUp(), atMs - nowMs);
  }

  #lookUp(): void {
    this.#lookedMs = this.#elapsedMs();
    this.#lookMs = Number.POSITIVE_INFINITY;
    const rejected = this.#rejected.splice(0);
    const reading = this.#options.data.markets().subscribe({
      next: (markets) => this.#compare(new Map(markets.map((one) => [one.id, one])), rejected),
      // Whoever cannot be asked now is asked at the next rejection.
      error: () => {},
    });
    this.#subscriptions.add(reading);
  }

  #compare(now: ReadonlyMap<string, Market>, rejected: readonly RejectedOrder[]): void {
    for (const market of this.#options.markets.values()) {
      const changed = now.get(market.id);
      const what = changed === undefined ? GONE : differenceOf(market, changed);
      if (what === undefined) continue;
      const text = `the exchange has changed the rules of ${market.id}: ${what}`;
      const forbids = (order: OrderState) =>
        order.market === market.id && changed !== undefined && !allows(changed, order);
      if (rejected.some(forbids)) {
        this.#over.next({ reason: 'rules', message: `${text}; a start goes by the new ones` });
        this.close();
        return;
      }
      this.#tell(market, text);
    }
  }

  #tell({ id: market }: Market, text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#options.logger.warn({ market }, `${text}; this run goes by those of before`);
  }

  #elapsedMs(): number {
    const { clock } = this.#options;
    return clock.elapsedMs?.() ?? clock.now();
  }
}

const GONE = 'it is not in the list of markets any more';

/** Whether the exchange itself rejected it, with a code. */
function isRejectedByWord(order: OrderState): order is RejectedOrder {
  return order.status === 'rejected' && order.evidence === 'answer' && order.code !== undefined;
}

/** Whether the rules allow the order. */
function allows(market: Market, { price, amount }: OrderState): boolean {
  if (!isPrice(market, price) || !isAmount(market, amount)) return false;
  const isEnough = amount >= market.minAmount;
  return isEnough && orderValue(market, { price, amount }).compare(Decimal.of(market.minSize)) >= 0;
}

/** What is another rule now: `priceScale 2, now 1`; undefined where none is. */
function differenceOf(before: Market, now: Market): string | undefined {
  const names = ['priceScale', 'amountScale', 'minAmount', 'minSize'] as const;
  const changed = names.filter((name) => before[name] !== now[name]);
  if (changed.length === 0) return undefined;
  return changed.map((name) => `${name} ${before[name]}, now ${now[name]}`).join('; ');
}
