import type { LiveOrder, OrderState } from '../domain/index.ts';
import { Desks } from './desk/desks.ts';
import { Pacemaker } from './heartbeat/pacemaker.ts';
import type { ExecutorOptions } from './ports.ts';
import { Canceller } from './sending/cancelling.ts';
import { Courier, type CourierOptions } from './sending/courier.ts';
import { Placer } from './sending/placing.ts';
import { Pump } from './sending/pump.ts';
import { AccountReading } from './truth/account-reading.ts';
import { Attention } from './truth/attention.ts';
import { FeeQuestions } from './truth/fee-questions.ts';
import { Grace } from './truth/grace.ts';
import { Horizon } from './truth/horizon.ts';
import { Inquiries } from './truth/inquiries.ts';
import { LeftElsewhere } from './truth/left-elsewhere.ts';
import { Questions } from './truth/questions.ts';
import { ReadLag } from './truth/read-lag.ts';
import { Reconciler } from './truth/reconciler.ts';
import { RegularReadings } from './truth/regular-readings.ts';
import { Scans } from './truth/scans.ts';
import { Twins } from './truth/twins.ts';

/** The executor's callbacks for its parts. */
export interface ExecutorHooks {
  /** See `CourierOptions`. */
  readonly settle: CourierOptions['settle'];
  readonly onHalt: (reason: string) => void;
  /** Whether new orders may leave at all. */
  readonly mayOpen: () => boolean;
  /** Whether reads may use the orders' share of the budget: none are about to leave. */
  readonly areQuestionsUrgent: () => boolean;
}

/** The parts that the executor itself uses. */
export type ExecutorParts = ReturnType<typeof createParts>;

/** Makes the parts of an executor and joins them. */
export function createParts(options: ExecutorOptions, hooks: ExecutorHooks) {
  const { clock, bus, journal, budget, logger, config, markets } = options;
  const { onHalt, settle, mayOpen, areQuestionsUrgent } = hooks;
  const readLag = new ReadLag(options);
  const courier = new Courier({
    ...{ clock, bus, budget, journal, readLag, logger, onHalt, settle },
    answerTimeoutMs: config.answerTimeoutMs,
    onLocked: (failure) => account.fail(failure),
  });
  const account = new AccountReading(options, courier);
  const grace = new Grace(options, {
    hasDecided: (order): boolean => desks.of(order.strategy, order.market).hasDecided(order),
  });
  const desks = new Desks(markets, {
    ...options,
    mayRest: (order) => grace.mayRest(order),
    endGrace: (order) => grace.end(order),
    mayOpen: ({ market }): boolean => pacemaker.mayOpen(market.id),
  });
  const horizon = new Horizon(options);
  const twins = new Twins(options, { horizon, onHalt });
  /** Subscriptions of the parts themselves. They hear events before the executor does. */
  const subscription = twins.follow();
  subscription.add(bus.on('orderPush').subscribe(({ order }) => horizon.hear([order])));
  /** Exchange ids of orders that had ended before this run. */
  const pastIds = new Set<string>();
  const scans = new Scans(options, { courier, horizon, pastIds });
  const isBlocked = (order: OrderState): boolean => pacemaker.willRead(order);
  const onAbsent = (order: LiveOrder): void => pacemaker.absent(order);
  const inquiries = new Inquiries(options, { courier, scans, isBlocked, onAbsent });
  const reconciler = new Reconciler(options, { courier, readLag, horizon, inquiries, twins });
  const canceller = new Canceller(options, { courier, inquiries });
  const pacemaker = new Pacemaker(options, { courier, reconciler });
  const feeQuestions = new FeeQuestions(options, courier);
  const leftElsewhere = new LeftElsewhere(options, courier);
  const sources = [account, inquiries, scans, reconciler, feeQuestions, leftElsewhere];
  const questions = new Questions(sources);
  const placer = new Placer(options, { courier, horizon, scans });
  const ways = { placer, canceller, questions, mayOpen, areQuestionsUrgent };
  const pump = new Pump(options, { desks, pacemaker, ...ways });
  const attention = new Attention(options, { desks, inquiries, canceller, pump });
  const readings = new RegularReadings(options, { desks, reconciler });
  return {
    ...{ account, attention, canceller, courier, desks, feeQuestions, grace, pacemaker, pump },
    ...{ leftElsewhere, readings, reconciler, twins, pastIds, subscription },
  };
}
