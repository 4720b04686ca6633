import { Subscription } from 'rxjs';
import {
  type EventOf,
  isDeclaredAbsent,
  type LiveOrder,
  type OrderState,
  type TradingEvent,
} from '../../domain/index.ts';
import {
  type Bus,
  formatMoment,
  HOUR_MS,
  isEnabled,
  type Logger,
  MINUTE_MS,
  ToldLately,
  withoutAction,
} from '../../kernel/index.ts';
import { refusalText, type SettingOf } from '../refusal-settings.ts';
import { fillText } from './fill-text.ts';

/**
 * A refusal that comes again within this time of the last one is still the same and not logged
 * anew: a standing wish is tried again every minute at least.
 */
const GOES_ON_MS = 5 * MINUTE_MS;
/** How often readings that find nothing new are logged. */
const UNCHANGED_MS = HOUR_MS;
/** Numbers in a limit, which are not compared: that of a collar moves with the price. */
const NUMBERS = /\d[\d.]*/g;

export interface LogEventsOptions {
  readonly logger: Logger;
  /** Names the settings that set the limits of refusals. */
  readonly settingOf: SettingOf;
  /** What lifts a restriction of trading, in words. */
  readonly resumedBy: string;
  /** Orders that earlier runs left: what became of those in doubt is told, too. Default: none. */
  readonly left?: readonly LiveOrder[];
}

/** Tells the log what a person running the bot wants to know; all else is in the journal. */
export function logEvents(
  bus: Bus<TradingEvent>,
  { logger, settingOf, resumedBy, left = [] }: LogEventsOptions,
): Subscription {
  const told = new ToldLately();
  const warnOnce: WarnOnce = (key, timeMs) => (told.isRepeat(key, timeMs) ? 'debug' : 'warn');
  const newest = new Map<string, number>();
  const all = new Subscription();
  all.add(bus.on('refusal').subscribe((event) => logRefusal(event, { logger, newest, settingOf })));
  const resting = new Set<string>();
  const cancelling = new Set<string>();
  const doubtful = new Set<string>();
  for (const order of left) isCleared(order, doubtful);
  all.add(
    bus.on('order').subscribe((event) => {
      if (isCleared(event.order, doubtful)) logOutcome(event.order, logger);
      else logOrder(event, { logger, warnOnce });
      if (isEndedByOthers(event.order, resting)) logEndByOthers(event, { logger, warnOnce });
      if (isLeftAtRest(event.order, cancelling)) logLeftAtRest(event, { logger, warnOnce });
    }),
  );
  const read = new Map<string, number>();
  all.add(bus.on('reconciliation').subscribe((event) => logReading(event, { logger, read })));
  all.add(bus.on('tradingState').subscribe((event) => logTrading(event, { logger, resumedBy })));
  const tellPlain = <K extends PlainKind>(kind: K): Subscription =>
    bus.on(kind).subscribe((event) => LINES[kind](event, logger));
  for (const kind of Object.keys(LINES) as PlainKind[]) all.add(tellPlain(kind));
  return all;
}

/** The level of a message that may come with every tick: `warn` once, then `debug`. */
type WarnOnce = (key: string, timeMs: number) => 'warn' | 'debug';
type Parts = { readonly logger: Logger; readonly warnOnce: WarnOnce };
type PlainKind =
  | 'fill'
  | 'strategy'
  | 'run'
  | 'lapse'
  | 'heartbeat'
  | 'gap'
  | 'freshness'
  | 'connection';

function logRefusal(
  { time, market, strategy, refusal }: EventOf<'refusal'>,
  {
    logger,
    newest,
    settingOf,
  }: Pick<LogEventsOptions, 'logger' | 'settingOf'> & { readonly newest: Map<string, number> },
): void {
  const { code, scope, limit } = refusal;
  const key = `${strategy}/${market}/${code}/${limit.replace(NUMBERS, '0')}`;
  const level =
    time - (newest.get(key) ?? Number.NEGATIVE_INFINITY) < GOES_ON_MS ? 'debug' : 'warn';
  newest.set(key, time);
  if (!isEnabled(logger, level)) return;
  const setting = settingOf(refusal, market);
  logger[level](
    { market, strategy, code, scope, ...(setting !== undefined && { setting }) },
    `risk refused ${strategy} in ${market}, ${code}: ${refusalText(refusal, setting)}`,
  );
}

function logOrder({ time, order }: EventOf<'order'>, { logger, warnOnce }: Parts): void {
  const { market, strategy, status } = order;
  const isTrouble = status === 'rejected' || status === 'unknown';
  if (!isTrouble && !isEnabled(logger, 'debug')) return;
  const fields = fieldsOf(order);
  const terms = termsOf(order);
  if (order.status === 'rejected') {
    const { reason, code } = order;
    const level = warnOnce(`${strategy}/${market}/rejected ${code}`, time);
    logger[level]({ ...fields, code }, `rejected, ${terms}: ${withoutAction(reason)}`);
  } else if (order.status === 'unknown') {
    const { reason } = order;
    logger.warn({ ...fields, reason }, `outcome unknown, the exchange is asked: ${terms}`);
  } else {
    logger.debug({ ...fields, filledAmount: order.filledAmount }, `${status}: ${terms}`);
  }
}

/**
 * Whether an order's outcome was unknown and is known now. `doubtful`: orders in doubt, kept here,
 * and those that were not found, as the exchange may yet know them.
 */
function isCleared(order: OrderState, doubtful: Set<string>): boolean {
  const { clientOrderId, status } = order;
  const wasDoubtful = doubtful.has(clientOrderId);
  if (status === 'unknown' || (wasDoubtful && isDeclaredAbsent(order))) doubtful.add(clientOrderId);
  else doubtful.delete(clientOrderId);
  return wasDoubtful && status !== 'unknown';
}

function logOutcome(order: OrderState, logger: Logger): void {
  const terms = termsOf(order);
  const fields = { ...fieldsOf(order), filledAmount: order.filledAmount };
  if (order.status === 'rejected' && order.code !== undefined) {
    const { reason, code } = order;
    logger.warn({ ...fields, code }, `outcome known, rejected: ${terms}: ${withoutAction(reason)}`);
  } else logger.info(fields, `outcome known, ${OUTCOMES[order.status]}: ${terms}`);
}

/** The outcome of an order that was in doubt; one rejected without a code was not found. */
const OUTCOMES: { readonly [status in OrderState['status']]: string } = {
  ...{ pending: 'pending', unknown: 'unknown', open: 'resting', cancelling: 'resting' },
  ...{ filled: 'filled', cancelled: 'cancelled', rejected: 'never placed' },
};

function fieldsOf({ market, strategy, clientOrderId }: OrderState): object {
  return { market, strategy, clientOrderId };
}

function termsOf({ side, amount, market, price, strategy }: OrderState): string {
  return `${side} ${amount} in ${market} at ${price} by ${strategy}`;
}

/**
 * Whether a resting order was cancelled without a cancel of ours. `resting`: the orders that rest,
 * kept here.
 */
function isEndedByOthers(
  { clientOrderId, type, status }: OrderState,
  resting: Set<string>,
): boolean {
  if (status !== 'open') return resting.delete(clientOrderId) && status === 'cancelled';
  // An order that only takes ends by itself.
  if (type !== 'ioc') resting.add(clientOrderId);
  return false;
}

function logEndByOthers({ time, order }: EventOf<'order'>, { logger, warnOnce }: Parts): void {
  const { market, strategy, type } = order;
  const last =
    type === 'postOnly'
      ? 'the timed cancel, or the exchange because it would have traded at once'
      : 'or the timed cancel';
  logger[warnOnce(`${strategy}/${market}/cancelled`, time)](
    fieldsOf(order),
    `cancelled, not by this run, ${termsOf(order)}: by a person, another bot on this account, ${last}`,
  );
}

/** Whether an order still rests after its cancel left. `cancelling`: those that it left for. */
function isLeftAtRest({ clientOrderId, status }: OrderState, cancelling: Set<string>): boolean {
  if (status !== 'cancelling') return cancelling.delete(clientOrderId) && status === 'open';
  cancelling.add(clientOrderId);
  return false;
}

function logLeftAtRest({ time, order }: EventOf<'order'>, { logger, warnOnce }: Parts): void {
  const { market, strategy, evidence } = order;
  const why = evidence === 'answer' ? 'no cancel got through' : 'it still rests at the exchange';
  logger[warnOnce(`${strategy}/${market}/left`, time)](
    fieldsOf(order),
    `not cancelled, ${termsOf(order)}: ${why}; the cancel is sent again unless a wish keeps the order`,
  );
}

/** `read`: when readings of a market for a reason were last logged, kept here. */
function logReading(
  { time, market, reason, ...found }: EventOf<'reconciliation'>,
  { logger, read }: Pick<LogEventsOptions, 'logger'> & { readonly read: Map<string, number> },
): void {
  const { open, adopted, resolved } = found;
  const key = `${market}/${reason}`;
  const isOld = time - (read.get(key) ?? Number.NEGATIVE_INFINITY) >= UNCHANGED_MS;
  const isNews = adopted > 0 || resolved > 0 || isOld;
  if (isNews) read.set(key, time);
  logger[isNews ? 'info' : 'debug'](
    { market, reason, open, adopted, resolved },
    `orders in ${market} at the exchange (${reason}): ${open} open, ${adopted} adopted, ` +
      `${resolved} resolved`,
  );
}

function logTrading(
  { state, reason }: EventOf<'tradingState'>,
  { logger, resumedBy }: Pick<LogEventsOptions, 'logger' | 'resumedBy'>,
): void {
  const what = `trading is ${state} now: ${reason}`;
  if (state === 'ACTIVE') logger.info({ state, reason }, what);
  // A person has to look.
  else logger.error({ state, reason }, `${what}; it stays so until ${resumedBy}`);
}

/** What each channel of connections carries; the words contain its name. */
const CHANNELS: Readonly<Record<EventOf<'connection'>['channel'], string>> = {
  ...{ market: 'market data', trading: 'trading', pushes: 'pushes of orders and balances' },
};

/** An end of a gap: the id of a trade, else a time if it is a valid date. */
function endText(stream: EventOf<'gap'>['stream'], end: string): string {
  const timeMs = stream === 'trade' || end === '' ? Number.NaN : Number(end);
  return Number.isNaN(new Date(timeMs).getTime()) ? end : formatMoment(timeMs);
}

/** The kinds of which each event is logged, and how. */
const LINES: { readonly [K in PlainKind]: (event: EventOf<K>, logger: Logger) => void } = {
  fill: ({ fill }, logger) => {
    const { market, strategy, side, amount, price, clientOrderId } = fill;
    logger.info({ market, strategy, side, amount, price, clientOrderId }, fillText(fill));
  },
  strategy: ({ strategy, status, reason }, logger) => {
    const level = status === 'failed' ? 'error' : status === 'ended' ? 'warn' : 'info';
    const why = status === 'started' ? '' : `: ${reason}`;
    logger[level]({ strategy, status, reason }, `strategy ${strategy} ${status}${why}`);
  },
  run: ({ status, reason }, logger) => logger.info({ reason }, `${status}: ${reason}`),
  lapse: ({ market, reason }, logger) =>
    logger.error({ market, reason }, `the heartbeat of ${market} lapsed: ${reason}`),
  heartbeat: ({ market }, logger) => logger.debug({ market }, `heartbeat of ${market} confirmed`),
  gap: ({ market, stream, reason, ...ends }, logger) => {
    const [after, before] = [ends.after, ends.before].map((end) => endText(stream, end));
    logger.warn({ market, stream, after, before }, `gap in ${stream} of ${market}: ${reason}`);
  },
  freshness: ({ market, stream, fresh, ageMs }, logger) => {
    if (fresh) logger.info({ market, stream }, `${stream} of ${market} is fresh`);
    else logger.warn({ market, stream, ageMs }, `${stream} of ${market} is stale`);
  },
  connection: ({ channel, connected, ...event }, logger) => {
    const what = CHANNELS[channel];
    // The reason of a feed that is connected may be just that.
    const reason = event.reason.replace(/connected: connected$/, 'connected');
    if (connected) logger.info({ channel, reason }, `${what}: ${reason}`);
    else logger.warn({ channel, reason }, `${what}: disconnected, ${reason}`);
  },
};
