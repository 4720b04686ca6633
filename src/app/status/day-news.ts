import { Subscription } from 'rxjs';
import {
  type Clock,
  counted,
  DAY_MS,
  Decimal,
  dateMs,
  MINUTE_MS,
  timeOfDay,
} from '../../kernel/index.ts';
import type { MarketStatus, Status } from './status.ts';

/** How often the date is looked at on a clock whose date may be set: nothing announces that. */
const DATE_LOOK_MS = MINUTE_MS;
/** Least decimal places of money. */
const MONEY_PLACES = 2;

/** What a day's report reads of a run. */
type Standing = Pick<Status, 'markets' | 'tally'>;

/** What one currency came to in a day: `net` after fees, undefined where a price is missing. */
interface DayMoney {
  readonly net: Decimal | undefined;
  readonly fees: Decimal;
  /** Decimal places that are shown. */
  readonly places: number;
}

export interface DayNewsOptions {
  readonly clock: Clock;
  /** The run as it stands now. */
  readonly read: () => Standing;
  /** Told at the end of each day, in one sentence and in figures. */
  readonly tell: (text: string, details: object) => void;
}

/**
 * Reports at the end of each UTC day, by the date, what a run did in it; on its first day, what it
 * did since its start. To be called as the run starts. Unsubscribing ends it, and reports a day
 * that is over by then.
 */
export function followDays({ clock, read, tell }: DayNewsOptions): Subscription {
  const lookMs = clock.wallMs === undefined ? Number.POSITIVE_INFINITY : DATE_LOOK_MS;
  let fromMs = dateMs(clock);
  let before: Standing | undefined;
  const look = (): number => {
    const nowMs = dateMs(clock);
    if (dayOf(nowMs) !== dayOf(fromMs)) {
      // If the date was set back no day is over: what is not yet reported belongs to the day then.
      if (nowMs > fromMs) {
        const now = read();
        tell(...newsOf(fromMs, { now, before }));
        before = now;
      }
      fromMs = nowMs;
    }
    return Math.min((dayOf(nowMs) + 1) * DAY_MS - nowMs, lookMs);
  };
  const timer = clock.schedule(function again() {
    this.schedule(undefined, look());
  }, look());
  // A stop at midnight may come before the timer.
  const days = new Subscription(look);
  days.add(timer);
  return days;
}

function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

interface Day {
  readonly now: Standing;
  /** As the day began; undefined on the first day, which the run began from nothing. */
  readonly before: Standing | undefined;
}

function newsOf(fromMs: number, day: Day): Parameters<DayNewsOptions['tell']> {
  const { now, before } = day;
  const orders = now.tally.orders - (before?.tally.orders ?? 0);
  const fills = now.tally.fills - (before?.tally.fills ?? 0);
  const money = moneyOf(day);
  const held = now.markets.filter(({ position }) => position.amount.sign !== 0);
  const date = new Date(fromMs).toISOString().slice(0, 10);
  const since = fromMs - dayOf(fromMs) * DAY_MS < MINUTE_MS ? '' : ` since ${timeOfDay(fromMs)}`;
  const text =
    `${date}${since}: ${counted(fills, 'fill')} of ${counted(orders, 'order')}, ` +
    `${[...money].map(moneyText).join(', ')}; holds ${held.map(heldText).join(', ') || 'nothing'}`;
  const ofCurrency = Array.from(money, ([currency, { net, fees }]) => [
    currency,
    { net: net ?? null, fees },
  ]);
  const positions = held.map(({ market, position }) => [market.id, position.amount]);
  const details = { day: date, orders, fills, money: Object.fromEntries(ofCurrency) };
  return [text, { ...details, positions: Object.fromEntries(positions) }];
}

/** By quote currency. */
function moneyOf({ now, before }: Day): Map<string, DayMoney> {
  const sums = new Map<string, DayMoney>();
  for (const market of now.markets) {
    const { quote, priceScale } = market.market;
    const was = before?.markets.find((other) => other.market.id === market.market.id);
    const sum = sums.get(quote) ?? { net: Decimal.ZERO, fees: Decimal.ZERO, places: MONEY_PLACES };
    const net = netBetween(was, market);
    sums.set(quote, {
      net: net && sum.net?.plus(net),
      fees: sum.fees.plus(market.runFees).minus(was?.runFees ?? Decimal.ZERO),
      places: Math.max(sum.places, priceScale),
    });
  }
  return sums;
}

function netBetween(was: MarketStatus | undefined, market: MarketStatus): Decimal | undefined {
  const start = was === undefined ? Decimal.ZERO : was.runProfit;
  const net = start && market.runProfit?.minus(start);
  return net ?? (isIdle(was, market) ? Decimal.ZERO : undefined);
}

/** Whether nothing was held or traded: then the profit is 0 even without a price. */
function isIdle(was: MarketStatus | undefined, { position, runFees }: MarketStatus): boolean {
  const held = was?.position.amount ?? Decimal.ZERO;
  const fees = was?.runFees ?? Decimal.ZERO;
  return held.sign === 0 && position.amount.sign === 0 && runFees.equals(fees);
}

function moneyText([currency, { net, fees, places }]: [string, DayMoney]): string {
  const sign = net !== undefined && net.sign > 0 ? '+' : '';
  const earned = net === undefined ? 'net unknown' : `net ${sign}${net.toFixed(places)}`;
  return `${earned} ${currency} after fees of ${fees.toFixed(places)}`;
}

function heldText({ market, position }: MarketStatus): string {
  return `${position.amount} ${market.base} (${market.id})`;
}
