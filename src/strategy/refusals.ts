import { filter, map, merge, Observable, type Subscription, share } from 'rxjs';
import { type EventOf, isDeclaredAbsent, type OrderState, tagOfOrder } from '../domain/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { StrategyRefusal } from './context.ts';

type RefusalEvent = EventOf<'refusal'>;
type OrderEvent = EventOf<'order'>;

/**
 * Least time between two deliveries, milliseconds. A strategy that repeats its wish on each refusal
 * would be refused without end; on virtual time the moment would never pass.
 */
const DELIVERY_PAUSE_MS = 1_000;

/**
 * The refusals of one strategy's wishes, those by risk and those by the exchange.
 *
 * A timer delivers them, so that they always come after the wish was handled: the first at once,
 * those within a second of a delivery together at the end of that second. While nobody subscribes,
 * nothing is heard and no timer is set.
 */
export function strategyRefusals(options: {
  readonly refusals: Observable<RefusalEvent>;
  readonly orders: Observable<OrderEvent>;
  readonly clock: Clock;
  /** Default: the refusals of all strategies. */
  readonly strategy?: string;
}): Observable<StrategyRefusal> {
  const { refusals, orders, clock, strategy } = options;
  const isOwn = (whose: string) => strategy === undefined || whose === strategy;
  const refused = merge(
    refusals.pipe(
      filter((event) => isOwn(event.strategy)),
      map(byRisk),
    ),
    orders.pipe(
      filter(({ order }) => order.status === 'rejected' && isOwn(order.strategy)),
      map(({ order }) => byExchange(order as RejectedOrder)),
    ),
  );
  // Outlives subscriptions: subscribing again on each refusal does not get around the pause.
  let deliveredMs = Number.NEGATIVE_INFINITY;
  const waiting: StrategyRefusal[] = [];
  return new Observable<StrategyRefusal>((subscriber) => {
    let timer: Subscription | undefined;
    const deliver = (): void => {
      timer = undefined;
      deliveredMs = clock.now();
      // What is refused meanwhile waits for the next delivery.
      for (let due = waiting.length; due > 0 && !subscriber.closed; due--) {
        subscriber.next(waiting.shift()!);
      }
    };
    const deliverSoon = (): void => {
      timer ??= clock.schedule(deliver, Math.max(0, deliveredMs + DELIVERY_PAUSE_MS - clock.now()));
    };
    // Subscribing again during a delivery gets the rest of it; later the rest is out of date.
    if (clock.now() > deliveredMs) waiting.length = 0;
    if (waiting.length > 0) deliverSoon();
    const subscription = refused.subscribe((refusal) => {
      waiting.push(refusal);
      deliverSoon();
    });
    return () => {
      subscription.unsubscribe();
      timer?.unsubscribe();
    };
  }).pipe(share());
}

type RejectedOrder = Extract<OrderState, { readonly status: 'rejected' }>;

function byRisk(event: RefusalEvent): StrategyRefusal {
  const { refusal, market, time, tag, left } = event;
  const which = { ...(tag === undefined ? {} : { tag }), ...(left === undefined ? {} : { left }) };
  return { by: 'risk', ...refusal, market, time, ...which };
}

function byExchange(order: RejectedOrder): StrategyRefusal {
  const { market, tag, reason, changedTime: time, code: exchangeCode } = order;
  const code = isDeclaredAbsent(order) ? 'absent' : 'rejected';
  const told = {
    code,
    limit: 'what the exchange takes',
    observed: reason,
    scope: 'order',
  } as const;
  const which = exchangeCode === undefined ? {} : { exchangeCode };
  return { by: 'exchange', ...told, market, time, ...tagOfOrder(tag), ...which };
}
