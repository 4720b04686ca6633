import {
  isFinal,
  type Market,
  type OrderState,
  type TradingEvent,
} from '../../src/domain/index.ts';
import { Decimal, toUnits } from '../../src/kernel/index.ts';
import type { SimulatedExchange } from '../../src/sim/index.ts';
import type { ZbServer } from '../../src/venues/zb/server/index.ts';
import type { ExchangeBooks } from './books.ts';

/** What the invariants are checked against: the exchange's side of everything. */
export interface ExchangeView {
  readonly exchange: SimulatedExchange;
  readonly account: string;
  readonly server: ZbServer;
  readonly books: ExchangeBooks;
  readonly markets: readonly Market[];
  /** What somebody on the way has repeated: all of it, and the most within a second. */
  repeated(): { readonly count: number; readonly highest: number };
  /** What adopted orders have brought the bot by its own books, in units of the market's amounts. */
  adoptedUnits(market: string): number;
}

/** What the bot is allowed. */
export interface Allowance {
  /** Quotes that its strategy wishes on a side of a market. */
  readonly quotesPerSide: number;
  /** Largest position in the base currency, long and short; undefined where none can be told. */
  readonly positionMax: number | undefined;
  /** Undefined: others use its key too, and nobody can tell it how much. */
  readonly requestsPerSecond: number | undefined;
  readonly requestsPerMinute: number;
  /** Longest time that a cancel waits for the rate budget, milliseconds. */
  readonly cancelWaitMs: number;
}

/** A promise was broken. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

export function must(condition: boolean, text: string): asserts condition {
  if (!condition) throw new Violation(text);
}

/** I1: no order is sent twice for one wish. What somebody on the way repeats the bot did not send. */
export function checkOnce({ books, markets }: ExchangeView, { quotesPerSide }: Allowance): void {
  must(books.repeatedIds.length === 0, `I1: the exchange took ${books.repeatedIds} twice`);
  const own = books.ownOpen.filter((order) => !books.isRepeated(order));
  for (const { id } of markets) {
    for (const side of ['buy', 'sell'] as const) {
      const count = own.filter((order) => order.market === id && order.side === side).length;
      must(
        count <= quotesPerSide,
        `I1: ${count} orders to ${side} in ${id}, ${quotesPerSide} wished`,
      );
    }
  }
}

/** How long a timed cancel is good for, at least, when an order leaves. Source: its settings. */
const GUARDED_MS = 5_000;

/**
 * I3: no order rests in a market whose timed cancel is not armed.
 *
 * Except one that was held on its way until the timed cancel had fired that was armed when it left:
 * nobody can call it back. It is guarded as soon as the market is armed again.
 */
export function checkGuarded({ books, exchange, account }: ExchangeView): void {
  const own = books.ownOpen;
  if (own.length === 0) return;
  const { timedCancelsDue } = exchange.inspect(account);
  for (const order of own) {
    const { market, exchangeOrderId } = order;
    const wasHeld = books.underWayMs(order) > GUARDED_MS;
    must(
      wasHeld || timedCancelsDue.has(market),
      `I3: ${exchangeOrderId} rests in ${market}, nothing is armed`,
    );
  }
}

/**
 * I4: the worst that can come of what is held and rests is within the limit. What somebody repeats
 * the exchange takes before the bot can hear of it.
 */
export function checkPosition(view: ExchangeView, { positionMax }: Allowance): void {
  if (positionMax === undefined) return;
  const { books, markets } = view;
  const own = books.ownOpen;
  for (const { id, amountScale } of markets) {
    if (books.hasRepeats(id)) continue;
    const most = toUnits(positionMax, amountScale);
    const fees = Number(books.ownBaseFees(id)) * 10 ** amountScale;
    const held = books.ownNetUnits(id) - fees;
    // What adopted orders fill comes on top of what was there before: nobody can keep it off.
    const adopted = view.adoptedUnits(id);
    const open = { buy: 0, sell: 0 };
    for (const { market, side, amount, filledAmount } of own) {
      if (market !== id) continue;
      open[side] += toUnits(amount, amountScale) - toUnits(filledAmount, amountScale);
    }
    const long = held + open.buy + Math.min(0, adopted);
    const short = open.sell - held - Math.max(0, adopted);
    const worst = Math.max(long, short);
    // What was taken of a fill is guessed until the exchange tells it.
    const guess = fees === 0 ? 0 : 1;
    must(worst <= most + guess, `I4: ${id} may reach ${worst} units, ${most} are allowed`);
  }
}

/** I5: the exchange never counts too many requests, but for those that somebody repeats. */
export function checkPace({ server, repeated }: ExchangeView, allowance: Allowance): void {
  const { keys, addresses, refusals } = server.counts();
  const { requestsPerSecond } = allowance;
  for (const [key, { highest }] of Object.entries(keys)) {
    if (requestsPerSecond === undefined) break;
    const most = requestsPerSecond + repeated().highest;
    must(highest <= most, `I5: ${highest} requests of ${key} in a second, ${most} are allowed`);
  }
  for (const { highest } of Object.values(addresses)) {
    const most = allowance.requestsPerMinute + repeated().count;
    must(highest <= most, `I5: ${highest} requests in a minute, ${most} are allowed`);
  }
  for (const code of requestsPerSecond === undefined ? [4001] : [4001, 4002]) {
    const count = refusals[code] ?? 0;
    must(count <= repeated().count, `I5: ${count} requests were refused with ${code}`);
  }
}

/** I6: money is neither made nor lost, and what is frozen is what orders need. */
export class MoneyCheck {
  readonly #totals: ReadonlyMap<string, Decimal>;

  constructor({ exchange, account }: ExchangeView) {
    const currencies = exchange.inspect(account).balances.map(({ currency }) => currency);
    this.#totals = new Map(currencies.map((name) => [name, exchange.totalOf(name)]));
  }

  check({ exchange, account, books, markets }: ExchangeView): void {
    const needed = new Map<string, Decimal>();
    const need = (currency: string, sum: Decimal) =>
      needed.set(currency, (needed.get(currency) ?? Decimal.ZERO).plus(sum));
    const rules = new Map(markets.map((market) => [market.id, market]));
    for (const { market, side, price, amount, filledAmount } of books.open) {
      const { base, quote } = rules.get(market)!;
      const rest = Decimal.of(amount).minus(Decimal.of(filledAmount));
      if (side === 'buy') need(quote, rest.times(Decimal.of(price)));
      else need(base, rest);
    }
    for (const { currency, frozen } of exchange.inspect(account).balances) {
      const total = exchange.totalOf(currency);
      must(total.equals(this.#totals.get(currency)!), `I6: there are ${total} ${currency} now`);
      const sum = needed.get(currency) ?? Decimal.ZERO;
      must(sum.equals(frozen), `I6: ${frozen} ${currency} are frozen, ${sum} are needed`);
    }
  }
}

/** The promises about each single order, followed through the bot's own words about it. */
export class OrderStories {
  readonly #books: ExchangeBooks;
  readonly #last = new Map<string, OrderState>();
  readonly #denied = new Set<string>();
  readonly #checkLater: OrderState[] = [];

  constructor(books: ExchangeBooks) {
    this.#books = books;
  }

  /** Hears an event of the bot. */
  hear(event: TradingEvent): void {
    if (event.kind !== 'order') return;
    const { order } = event;
    const before = this.#last.get(order.clientOrderId);
    this.#last.set(order.clientOrderId, order);
    if (before !== undefined) this.#checkStep(before, order);
    if (isFinal(order)) this.#checkLater.push(order);
  }

  /** A process died, with all of its words that it had not written. */
  forget(): void {
    this.#last.clear();
  }

  /** I1, I8: what is over by our books is over by the exchange's, what never was is not there. */
  check(): void {
    for (const order of this.#checkLater) this.#checkEnd(order);
    this.#checkLater.length = 0;
    for (const id of this.#denied) {
      const isNone = this.#books.idOf(id) === undefined || this.#isRepeated(id);
      must(isNone, `I1: ${id} exists and was called rejected`);
    }
  }

  /** Whether there may be two of the order: one life may know the one, the next the other. */
  #isRepeated(clientOrderId: string): boolean {
    const record = this.#books.record(this.#books.idOf(clientOrderId) ?? '');
    return record !== undefined && this.#books.isRepeated(record);
  }

  /** I2: nothing leaves `unknown` but on the exchange's word. Fills only grow, ends are final. */
  #checkStep(before: OrderState, order: OrderState): void {
    const { clientOrderId: id, evidence, status, filledAmount } = order;
    const left = before.status === 'unknown' && status !== 'unknown';
    const word = evidence === 'answer' || evidence === 'push' || evidence === 'query';
    must(!left || word, `I2: ${id} left unknown for ${status} on the word of ${evidence}`);
    if (this.#isRepeated(id)) return;
    must(filledAmount >= before.filledAmount, `I2: ${id} had filled ${before.filledAmount}`);
    must(!isFinal(before) || isFinal(order), `I2: ${id} was ${before.status} and is ${status}`);
  }

  #checkEnd(order: OrderState): void {
    const { clientOrderId: id } = order;
    if (order.status === 'rejected') {
      this.#denied.add(id);
      return;
    }
    if (!('exchangeOrderId' in order)) return;
    const record = this.#books.record(order.exchangeOrderId ?? '');
    must(record?.closed === true, `I1: ${id} is ${order.status} by our books and rests`);
    const within = order.filledAmount <= record.filledAmount;
    must(within, `I6: ${id} has filled ${record.filledAmount}, not ${order.filledAmount}`);
  }
}

/** I9: cancels are not starved by anything but heartbeats. */
export function checkCancelWait(event: TradingEvent, { cancelWaitMs }: Allowance): void {
  if (event.kind !== 'request' || event.operation !== 'cancel') return;
  must(event.waitedMs <= cancelWaitMs, `I9: a cancel waited ${event.waitedMs} ms for the budget`);
}
