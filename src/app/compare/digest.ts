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

/** The wish of orders made before the first wish, and of those made after the strategy's end. */
export const NO_WISH = -1;
export const AFTER_ALL = -2;

/** The end of a quote's tag if it left in a batch: without it the quote is the same. */
const IN_BATCH = /^(quotes\/.+)\/batch(?:\/\d+)?$/;

interface MadeOrder {
  readonly market: string;
  readonly strategy: string;
  readonly side: Side;
  /** The strategy's own name for it. */
  readonly tag: string;
  /** Index of the wish that stood when it was made, among its strategy's in its market. */
  readonly wish: number;
  readonly clientOrderId: string;
  /** Whether this run made it: of any other only fills count, and its times are not known. */
  readonly isOwn: boolean;
  /** When it was made or, if another run made it, first filled. Milliseconds since the epoch. */
  readonly createdTime: number;
  /** The price it asked for. */
  readonly price: number;
  /** The amount it asked for; undefined if another run made it. */
  readonly asked: Decimal | undefined;
}

export interface TradedOrder extends MadeOrder {
  /** Base currency traded, and its value in the quote currency. */
  amount: Decimal;
  value: Decimal;
  /** Fees by currency. */
  readonly fees: Map<string, Decimal>;
  /** How many orders are summed in it. */
  readonly count: number;
  /** From its making to the exchange's first answer, milliseconds; undefined before that. */
  answeredMs: number | undefined;
  /** From its making to its first fill, milliseconds. */
  filledMs: number | undefined;
}

/** What a comparison keeps of a run: its wishes, its orders, how it ended, and counts. */
export class RunDigest {
  readonly orders = new Map<string, TradedOrder>();
  /** The wishes of each strategy in each market, in order, by `deskOf`. */
  readonly wishes = new Map<string, MadeWish[]>();
  /** How often wishes and orders were refused, by the code of risk or of the exchange. */
  readonly refusals = new Map<string, number>();
  /** Milliseconds that requests waited for the rate budget, in all. */
  waitedMs = 0;
  requests = 0;
  fills = 0;
  /** What kept new orders from leaving at the end; undefined if nothing did. */
  trading: StoppedTrading | undefined;
  /** Strategies that have ended. */
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

  /** Index of the wish that stands. */
  #wishOf(desk: Desk): number {
    if (this.#over.has(desk.strategy)) return AFTER_ALL;
    return (this.wishes.get(deskOf(desk))?.length ?? 0) - 1;
  }

  #takeOrder(order: OrderState): void {
    const { clientOrderId, market, strategy, side, createdTime, price, amount } = order;
    const known = this.orders.get(clientOrderId);
    if (order.status === 'rejected') this.#refuse(whoRefused(order));
    if (known !== undefined) {
      const isAnswered = known.isOwn && (order.status === 'open' || isFinal(order));
      if (isAnswered) known.answeredMs ??= order.changedTime - createdTime;
      return;
    }
    if (order.status !== 'pending') return;
    const tag = order.tag.replace(IN_BATCH, '$1');
    const asked = Decimal.of(amount);
    const terms = { market, strategy, side, clientOrderId, createdTime, price, asked };
    this.#add({ ...terms, tag, wish: this.#wishOf(order), isOwn: true });
  }

  /** Takes a fill. An order that an earlier run made, or that was adopted, begins with its fill. */
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

  /** Adds an order that has not traded yet. */
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

/** Who rejected an order; one that reads did not find is `absent`, as strategies hear it. */
function whoRefused(order: RejectedOrder): string {
  const { code = 'without a code' } = order;
  return isDeclaredAbsent(order) ? 'absent' : `exchange ${code}`;
}

/** Sums several orders of one wish; the terms are those of the last one. */
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

/** A strategy in a market. */
type Desk = Pick<TradedOrder, 'strategy' | 'market'>;

/** The key of a desk. */
export function deskOf({ strategy, market }: Desk): string {
  return `${strategy} ${market}`;
}

/** The median, the upper one of two; undefined without numbers. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
