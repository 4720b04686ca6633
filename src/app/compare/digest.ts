import {
  type Booking,
  type EventOf,
  type Fill,
  isDeclaredAbsent,
  isFinal,
  type LateFee,
  type OrderState,
  type RejectedOrder,
  type Side,
  type TradingEvent,
} from '../../domain/index.ts';
import { Decimal, getOrInsert } from '../../kernel/index.ts';
import type { EndedStrategy, StoppedTrading } from '../../report/index.ts';
import type { MadeWish } from './match-wishes.ts';

/** The wish of orders that were made before the first one, and of those after the strategy's end. */
export const NO_WISH = -1;
export const AFTER_ALL = -2;

/** What a quote's tag ends with when it left in a batch: the quote is the same. */
const IN_BATCH = /^(quotes\/.+)\/batch(?:\/\d+)?$/;

interface MadeOrder {
  readonly market: string;
  readonly strategy: string;
  readonly side: Side;
  /** The strategy's own name for it. */
  readonly tag: string;
  /** The place of the wish that stood when it was made, among its strategy's in its market. */
  readonly wish: number;
  readonly clientOrderId: string;
  /** Whether this run made it: of any other the fills alone count, and no times are known. */
  readonly isOwn: boolean;
  /** When it was made, or first filled here, milliseconds since the epoch. */
  readonly createdTime: number;
  /** The price it asked for. */
  readonly price: number;
  /** The amount it asked for; undefined of one that this run did not make. */
  readonly asked: Decimal | undefined;
}

export interface TradedOrder extends MadeOrder {
  /** Base currency traded, and what it moved in the quote currency. */
  amount: Decimal;
  value: Decimal;
  /** Fees by currency. */
  readonly fees: Map<string, Decimal>;
  /** How many orders it is the sum of. */
  readonly count: number;
  /** From its making to the exchange's word on it, milliseconds; undefined before that. */
  answeredMs: number | undefined;
  /** From its making to its first fill, milliseconds. */
  filledMs: number | undefined;
}

/** What a comparison keeps of a run: its wishes, its orders, how it ended, and counts. */
export class RunDigest {
  readonly orders = new Map<string, TradedOrder>();
  /** The wishes of each strategy in each market, in their order, by `deskOf`. */
  readonly wishes = new Map<string, MadeWish[]>();
  /** How often wishes and orders were refused, by the code of who refused. */
  readonly refusals = new Map<string, number>();
  /** Milliseconds that requests waited for the rate budget, in all. */
  waitedMs = 0;
  requests = 0;
  fills = 0;
  /** What kept new orders from leaving when it ended; undefined where they might leave. */
  trading: StoppedTrading | undefined;
  /** Strategies that are over. */
  readonly #over = new Set<string>();
  readonly #ended = new Map<string, EndedStrategy>();

  /** Strategies that failed, or ended by themselves. */
  get ended(): readonly EndedStrategy[] {
    return [...this.#ended.values()];
  }

  take(event: TradingEvent): void {
    if (event.kind === 'order') this.#takeOrder(event.order);
    else if (event.kind === 'fill') this.#takeFill(event.fill);
    else if (event.kind === 'lateFee') this.#takeLateFee(event.lateFee);
    else if (event.kind === 'intent') this.#takeWish(event);
    else if (event.kind === 'refusal') this.#refuse(event.refusal.code);
    else if (event.kind === 'strategy') this.#takeStatus(event);
    else if (event.kind === 'tradingState') this.#takeTrading(event);
    else if (event.kind === 'request') {
      this.requests++;
      this.waitedMs += event.waitedMs;
    }
  }

  #takeWish({ time, intent, ...desk }: EventOf<'intent'>): void {
    const wish = { time, text: JSON.stringify(intent) };
    getOrInsert(this.wishes, deskOf(desk), () => []).push(wish);
  }

  #takeStatus({ strategy, status, time: at, reason }: EventOf<'strategy'>): void {
    if (status === 'started') {
      this.#over.delete(strategy);
      this.#ended.delete(strategy);
      return;
    }
    this.#over.add(strategy);
    if (status !== 'stopped') this.#ended.set(strategy, { strategy, status, at, reason });
  }

  #takeTrading({ state, time: at, reason }: EventOf<'tradingState'>): void {
    this.trading = state === 'ACTIVE' ? undefined : { state, at, reason };
  }

  /** The place of the wish that stands. */
  #wishOf(desk: Desk): number {
    if (this.#over.has(desk.strategy)) return AFTER_ALL;
    return (this.wishes.get(deskOf(desk))?.length ?? 0) - 1;
  }

  #takeOrder(order: OrderState): void {
    const { clientOrderId, market, strategy, side, createdTime, price, amount } = order;
    const known = this.orders.get(clientOrderId);
    if (order.status === 'rejected') this.#refuse(whoRefused(order));
    if (known !== undefined) {
      const isWord = known.isOwn && (order.status === 'open' || isFinal(order));
      if (isWord) known.answeredMs ??= order.changedTime - createdTime;
      return;
    }
    if (order.status !== 'pending') return;
    const tag = order.tag.replace(IN_BATCH, '$1');
    const asked = Decimal.of(amount);
    const terms = { market, strategy, side, clientOrderId, createdTime, price, asked };
    this.#add({ ...terms, tag, wish: this.#wishOf(order), isOwn: true });
  }

  /** A fill of an order that an earlier run made, or of one that was adopted, counts for one too. */
  #takeFill(fill: Fill): void {
    this.fills++;
    const order = this.orders.get(fill.clientOrderId) ?? this.#orderOf(fill);
    order.amount = order.amount.plus(Decimal.of(fill.amount));
    order.value = order.value.plus(fill.value);
    if (order.isOwn) order.filledMs ??= fill.time - order.createdTime;
    addFee(order, fill);
  }

  #takeLateFee(lateFee: LateFee): void {
    addFee(this.orders.get(lateFee.clientOrderId) ?? this.#orderOf(lateFee), lateFee);
  }

  #orderOf({ market, strategy, side, clientOrderId, time, price }: Booking): TradedOrder {
    const terms = { market, strategy, side, clientOrderId, createdTime: time, price };
    return this.#add({ ...terms, asked: undefined, tag: '', wish: NO_WISH, isOwn: false });
  }

  /** Keeps an order that has traded nothing yet. */
  #add(made: MadeOrder): TradedOrder {
    const traded = { amount: Decimal.ZERO, value: Decimal.ZERO, fees: new Map<string, Decimal>() };
    const order = { ...made, ...traded, count: 1, answeredMs: undefined, filledMs: undefined };
    this.orders.set(made.clientOrderId, order);
    return order;
  }

  #refuse(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }
}

/** An order that reads did not find was lost, by the name that strategies hear. */
function whoRefused(order: RejectedOrder): string {
  const { code = 'without a code' } = order;
  return isDeclaredAbsent(order) ? 'absent' : `exchange ${code}`;
}

/** Several orders of one wish as one that traded what they did; else it is the last of them. */
export function summed(orders: readonly TradedOrder[]): TradedOrder {
  const last = orders.at(-1)!;
  const sum = { ...last, fees: new Map<string, Decimal>(), count: orders.length };
  sum.amount = Decimal.ZERO;
  sum.value = Decimal.ZERO;
  for (const { amount, value, fees } of orders) {
    sum.amount = sum.amount.plus(amount);
    sum.value = sum.value.plus(value);
    for (const [feeCurrency, fee] of fees) addFee(sum, { feeCurrency, fee });
  }
  sum.asked = last.asked?.plus(sum.amount).minus(last.amount);
  return sum;
}

function addFee(
  { fees }: TradedOrder,
  { feeCurrency, fee }: Pick<Booking, 'feeCurrency' | 'fee'>,
): void {
  fees.set(feeCurrency, (fees.get(feeCurrency) ?? Decimal.ZERO).plus(fee));
}

/** A strategy in a market: who wishes. */
type Desk = Pick<TradedOrder, 'strategy' | 'market'>;

/** The name of a desk. */
export function deskOf({ strategy, market }: Desk): string {
  return `${strategy} ${market}`;
}

/** The value in the middle of some numbers; undefined of none. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
