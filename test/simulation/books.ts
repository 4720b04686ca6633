import type { Market, OrderRecord } from '../../src/domain/index.ts';
import { Decimal, toUnits } from '../../src/kernel/index.ts';
import type { SimulatedExchange } from '../../src/sim/index.ts';
import type { Handled } from './virtual-network.ts';

/** The targets of requests that place an order, or many. */
export const PLACES_ORDERS = /^\/api\/order(MoreV2)?\?/;

/** The exchange's own books of one account, seen without any network in between. */
export class ExchangeBooks {
  readonly #records = new Map<string, OrderRecord>();
  readonly #open = new Map<string, OrderRecord>();
  readonly #own = new Set<string>();
  readonly #markets: ReadonlyMap<string, Market>;
  /** What own orders had filled when it was last counted, signed, and the sums by market. */
  readonly #countedUnits = new Map<string, number>();
  readonly #netUnits = new Map<string, number>();
  readonly #countedFees = new Map<string, Decimal>();
  readonly #baseFees = new Map<string, Decimal>();
  readonly #byClientOrderId = new Map<string, string>();
  readonly #clientOrderIds = new Map<string, string>();
  /** When the requests left that own orders came by. */
  readonly #departedMs = new Map<string, number>();
  /** Client ids that the bot gave more than one order. */
  readonly repeatedIds: string[] = [];
  /** How many orders the exchange took a second time, since somebody repeated the request. */
  twinCount = 0;
  /** The requests that somebody repeated, and by what request each order came. */
  readonly #repeated = new Set<string>();
  readonly #requests = new Map<string, string>();
  /** Grows with every change. */
  revision = 0;
  /** Grows with every order of the bot, and with every other one that begins to rest. */
  openings = 0;

  constructor(
    exchange: SimulatedExchange,
    { account, markets }: { readonly account: string; readonly markets: readonly Market[] },
  ) {
    this.#markets = new Map(markets.map((market) => [market.id, market]));
    for (const { id } of markets) {
      exchange
        .account(account)!
        .accountFeed.orders(id)
        .subscribe(({ order }) => this.#record(order));
    }
  }

  /** Every open order of the account. */
  get open(): Iterable<OrderRecord> {
    return this.#open.values();
  }

  /** The open orders of the bot. */
  get ownOpen(): OrderRecord[] {
    return [...this.#open.values()].filter(({ exchangeOrderId }) => this.isOwn(exchangeOrderId));
  }

  /** What the bot's orders have bought less what they have sold, in units of the market's amounts. */
  ownNetUnits(market: string): number {
    return this.#netUnits.get(market) ?? 0;
  }

  /** What the exchange took of the bot's buys, in the base currency. */
  ownBaseFees(market: string): Decimal {
    return this.#baseFees.get(market) ?? Decimal.ZERO;
  }

  /** The open orders that others have placed. */
  get foreignOpen(): OrderRecord[] {
    return [...this.#open.values()].filter(({ exchangeOrderId }) => !this.isOwn(exchangeOrderId));
  }

  /** Every order of the bot, as it is or ended. */
  get own(): OrderRecord[] {
    return [...this.#own].flatMap((id) => this.#records.get(id) ?? []);
  }

  isOwn(exchangeOrderId: string): boolean {
    return this.#own.has(exchangeOrderId);
  }

  record(exchangeOrderId: string): OrderRecord | undefined {
    return this.#records.get(exchangeOrderId);
  }

  /** The exchange's id of the bot's order, undefined where it never took it. */
  idOf(clientOrderId: string): string | undefined {
    return this.#byClientOrderId.get(clientOrderId);
  }

  /** The id that the bot gave its order; undefined for one of a batch, and for what somebody repeated. */
  clientOrderIdOf({ exchangeOrderId }: OrderRecord): string | undefined {
    return this.#clientOrderIds.get(exchangeOrderId);
  }

  /** Whether somebody repeated the request that the bot's order came by: there may be two. */
  isRepeated({ exchangeOrderId }: OrderRecord): boolean {
    return this.#repeated.has(this.#requests.get(exchangeOrderId) ?? '');
  }

  /**
   * Whether the bot may halt for that. Where the exchange takes one copy of a request alone the bot may
   * hear that the other was refused, which tells it as much as two orders do, of each order of a batch.
   */
  get hasManyRepeats(): boolean {
    const repeated = [...this.#repeated].reduce((sum, target) => sum + ordersIn(target), 0);
    return this.twinCount >= 2 || repeated >= 2;
  }

  /** Whether somebody repeated a request for orders in the market. */
  hasRepeats(market: string): boolean {
    return this.#repeated.values().some((target) => target.includes(`=${market}&`));
  }

  /** How long the bot's order was on its way to the exchange. */
  underWayMs({ exchangeOrderId, exchangeTime }: OrderRecord): number {
    return exchangeTime - (this.#departedMs.get(exchangeOrderId) ?? exchangeTime);
  }

  /** Takes note of what the exchange answered to a request of the bot. */
  handled(handled: Handled): void {
    const { target, body, isRepeat } = handled;
    if (isRepeat && PLACES_ORDERS.test(target)) this.#repeated.add(target);
    if (target.startsWith('/api/order?')) {
      const { id } = JSON.parse(body) as { id?: string };
      const clientOrderId = new URLSearchParams(target.split('?')[1]).get('customerOrderId');
      if (id === undefined) return;
      this.#claim(id, handled);
      if (clientOrderId !== null && !isRepeat) this.#name(id, clientOrderId);
    } else if (target.startsWith('/api/orderMoreV2?')) {
      const { data = [] } = JSON.parse(body) as { data?: string[] };
      for (const id of data) this.#claim(id, handled);
    }
  }

  #claim(exchangeOrderId: string, { target, departedMs, isRepeat }: Handled): void {
    if (isRepeat) this.twinCount++;
    this.#requests.set(exchangeOrderId, target);
    this.revision++;
    this.openings++;
    this.#own.add(exchangeOrderId);
    this.#departedMs.set(exchangeOrderId, departedMs);
    this.#count(exchangeOrderId);
  }

  #name(exchangeOrderId: string, clientOrderId: string): void {
    if (this.#byClientOrderId.has(clientOrderId)) this.repeatedIds.push(clientOrderId);
    this.#byClientOrderId.set(clientOrderId, exchangeOrderId);
    this.#clientOrderIds.set(exchangeOrderId, clientOrderId);
  }

  #record(order: OrderRecord): void {
    this.revision++;
    this.#records.set(order.exchangeOrderId, order);
    if (!order.closed && !this.#open.has(order.exchangeOrderId)) this.openings++;
    if (order.closed) this.#open.delete(order.exchangeOrderId);
    else this.#open.set(order.exchangeOrderId, order);
    if (this.#own.has(order.exchangeOrderId)) this.#count(order.exchangeOrderId);
  }

  #count(exchangeOrderId: string): void {
    const order = this.#records.get(exchangeOrderId);
    if (order === undefined) return;
    const { market, side, filledAmount } = order;
    const units = toUnits(filledAmount, this.#markets.get(market)!.amountScale);
    const signed = side === 'buy' ? units : -units;
    const growth = signed - (this.#countedUnits.get(exchangeOrderId) ?? 0);
    this.#countedUnits.set(exchangeOrderId, signed);
    this.#netUnits.set(market, this.ownNetUnits(market) + growth);
    if (side === 'buy') this.#countFee(order);
  }

  #countFee({ exchangeOrderId, market, fee = Decimal.ZERO }: OrderRecord): void {
    const growth = fee.minus(this.#countedFees.get(exchangeOrderId) ?? Decimal.ZERO);
    this.#countedFees.set(exchangeOrderId, fee);
    this.#baseFees.set(market, this.ownBaseFees(market).plus(growth));
  }
}

/** How many orders a request asks for. */
function ordersIn(target: string): number {
  const batch = new URLSearchParams(target.split('?')[1]).get('tradeParams');
  return batch === null ? 1 : (JSON.parse(batch) as unknown[]).length;
}
