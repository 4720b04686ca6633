import { type JournalEntry, printable, rooms } from '../../app/index.ts';
import { formatNumber } from '../format.ts';
import { intentText } from './intent-text.ts';
import { digits, utc } from './values.ts';

const { timeOf, timeOfDay } = await rooms.nouns();

type Event = JournalEntry['event'];
type Of<K extends Event['kind']> = Extract<Event, { kind: K }>;

/** What a strategy was given, in one line, with its place in the journal and its time. */
export function inputText({ sequence, event }: JournalEntry): string {
  return `#${sequence} ${utc(timeOf(event))} ${eventText(event)}`;
}

/** Any event in one line, without its time. */
export function eventText(event: Event): string {
  if (event.kind === 'intent') return gistOf(event);
  const market = 'market' in event ? event.market : '';
  return [event.kind, market, gistOf(event)].filter((part) => part !== '').join(' ');
}

/** What an event says, without its kind, market and time; invisible characters are escaped. */
export function gistOf(event: Event): string {
  return printable((GISTS[event.kind] as (event: Event) => string)(event));
}

/** How many events of a kind there were: `1 book`, `2 changes of freshness`. */
export function countedKind(kind: Event['kind'], count: number): string {
  const [one, many = `${one}s`] = KIND_WORDS[kind];
  return `${formatNumber(count, 0)} ${count === 1 ? one : many}`;
}

/** What one event of a kind is called, and several of them unless that just adds an s. */
const KIND_WORDS: { readonly [K in Event['kind']]: readonly [one: string, many?: string] } = {
  ...{ ticker: ['ticker'], depth: ['book'], trade: ['trade'], candle: ['candle'], gap: ['gap'] },
  freshness: ['change of freshness', 'changes of freshness'],
  connection: ['change of a connection', 'changes of connections'],
  orderPush: ['pushed order'],
  balancePush: ['push of balances', 'pushes of balances'],
  ...{ intent: ['wish', 'wishes'], refusal: ['refusal'], timer: ['timer'] },
  strategy: ['start or end of a strategy', 'starts and ends of strategies'],
  tradingState: ['change of the trading state', 'changes of the trading state'],
  ...{ order: ['state of an order', 'states of orders'], fill: ['fill'], lateFee: ['late fee'] },
  adjustment: ['position set by hand', 'positions set by hand'],
  balance: ['change of balances', 'changes of balances'],
  position: ['change of a position', 'changes of positions'],
  ...{ request: ['request'], requestFailure: ['failed request'] },
  ...{ heartbeat: ['heartbeat'], lapse: ['lapse'] },
  reconciliation: ['reading of orders', 'readings of orders'],
  run: ['stage of the run', 'stages of the run'],
};

/** What an event of each kind says. */
const GISTS: { readonly [K in Event['kind']]: (event: Of<K>) => string } = {
  ticker: ({ last }) => `last ${digits(last)}`,
  depth: ({ bids: [bid], asks: [ask] }) => `bid ${priceOf(bid)}, ask ${priceOf(ask)}`,
  trade: (trade) => terms(trade),
  candle: ({ interval, openTime, close }) =>
    `${interval} from ${utc(openTime)}, close ${digits(close)}`,
  freshness: ({ stream, fresh, ageMs }) =>
    `${stream} ${fresh ? 'fresh' : `stale, ${ageMs} ms old`}`,
  gap: ({ stream, after, before, reason }) => `${stream} from ${after} to ${before}: ${reason}`,
  connection: ({ channel, connected, reason }) => {
    const state = connected ? 'connected' : 'disconnected';
    return `${channel} ${state}${reason === state ? '' : `: ${reason}`}`;
  },
  orderPush: ({ order }) =>
    `${order.exchangeOrderId} ${order.closed ? 'over' : 'open'}, ${terms(order)}${filled(order)}`,
  balancePush: balancesText,
  intent: ({ strategy, intent }) => `${strategy}: ${intentText(intent)}`,
  refusal: ({ strategy, tag, left, refusal: { code, observed, limit } }) => {
    const order = tag === undefined ? '' : ` (${tag})`;
    const rest = left === undefined ? '' : `, ${digits(left)} leaves`;
    return `${strategy}${order}: ${code}, observed ${observed}, limit ${limit}${rest}`;
  },
  strategy: ({ strategy, status, reason }) => `${strategy} ${status}: ${reason}`,
  timer: ({ timer, strategy }) =>
    timer < 0 ? `refusals told to ${strategy}` : `${timer} of ${strategy}`,
  tradingState: ({ state, reason }) => `${state}: ${reason}`,
  order: orderText,
  fill: ({ fill }) =>
    `${fill.clientOrderId} ${terms(fill)}, fee ${digits(fill.fee)} ${fill.feeCurrency}, ${fill.strategy}`,
  lateFee: ({ lateFee }) =>
    `${lateFee.clientOrderId} ${digits(lateFee.fee)} ${lateFee.feeCurrency} more, ${lateFee.strategy}`,
  adjustment: ({ strategy, before, after, value }) =>
    `${strategy} holds ${digits(after)}, not ${digits(before)}: worth ${digits(value.abs())}`,
  balance: balancesText,
  position: ({ strategy, position }) => `${strategy} ${digits(position.amount)}`,
  request: ({ operation, waitedMs }) =>
    waitedMs === 0 ? operation : `${operation}, waited ${waitedMs} ms`,
  requestFailure: ({ operation, outcome, reason }) => `${operation} ${outcome}: ${reason}`,
  heartbeat: ({ sentTime }) => `confirmed, sent at ${timeOfDay(sentTime)}`,
  lapse: ({ reason }) => reason,
  reconciliation: ({ reason, open, adopted, resolved }) =>
    `${reason}: ${open} open, ${adopted} adopted, ${resolved} resolved`,
  run: ({ status, reason }) => `${status}: ${reason}`,
};

function terms({ side, amount, price }: Pick<Of<'trade'>, 'side' | 'amount' | 'price'>): string {
  return `${side} ${digits(amount)} @ ${digits(price)}`;
}

function priceOf(level: Of<'depth'>['bids'][number] | undefined): string {
  return level === undefined ? 'none' : digits(level[0]);
}

function filled({ filledAmount }: Pick<Of<'order'>['order'], 'filledAmount'>): string {
  return filledAmount === 0 ? '' : `, ${digits(filledAmount)} filled`;
}

function orderText({ order }: Of<'order'>): string {
  const { clientOrderId, exchangeOrderId, status, type, strategy, tag, evidence, fee } = order;
  const id = exchangeOrderId === undefined ? '' : ` as ${exchangeOrderId}`;
  const why = 'reason' in order ? `: ${order.reason}` : '';
  const paid = fee === undefined ? '' : `, fee ${digits(fee)}`;
  const what = `${terms(order)} ${type}${filled(order)}${paid}`;
  return `${clientOrderId} ${status}${id}, ${what}, ${strategy} ${tag}, by ${evidence}${why}`;
}

function balancesText({ balances }: Of<'balance' | 'balancePush'>): string {
  return balances
    .map(({ currency, available, frozen }) => {
      return `${digits(available)} ${currency} (${digits(frozen)} more frozen)`;
    })
    .join(', ');
}
