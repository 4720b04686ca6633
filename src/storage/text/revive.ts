import {
  type Balance,
  type EventOf,
  type OrderState,
  type TradingEvent,
  timeOf,
} from '../../domain/index.ts';
import { assert, Decimal } from '../../kernel/index.ts';
import { unpackedDepth } from './packed-depth.ts';

// JSON knows no decimals: they are strings in a line. Each reviver names the fields that were
// decimals; a depth's levels are unpacked; everything else is as JSON gave it.

/** A value whose decimals may still be the strings of its JSON. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * A journal line as the event it was made from.
 *
 * @throws {SyntaxError} when it is not JSON; {TypeError} when a field that most readers use is
 * wrong.
 */
export function reviveEvent(line: string): TradingEvent {
  const event = JSON.parse(line) as TradingEvent;
  if (typeof event !== 'object' || event === null) throw new SyntaxError('the line is no event');
  const { kind } = event;
  requireType('number', { kind, name: 'time', value: timeOf(event) });
  if ('market' in event) requireType('string', { kind, name: 'market', value: event.market });
  const about = ABOUT[kind];
  const value = (event as unknown as Fields)[about ?? kind];
  if (about !== undefined) requireType('object', { kind, name: about, value });
  switch (event.kind) {
    case 'order':
      return { ...event, order: decimals(event.order, stateFields(event.order)) };
    case 'orderPush':
      return { ...event, order: decimals(event.order, recordFields(event.order)) };
    case 'fill': {
      const { market, amount, price } = event.fill;
      requireType('string', { kind, name: "fill's market", value: market });
      requireType('number', { kind, name: 'amount', value: amount });
      requireType('number', { kind, name: 'price', value: price });
      return { ...event, fill: decimals(event.fill, ['value', 'fee']) };
    }
    case 'lateFee':
      return { ...event, lateFee: decimals(event.lateFee, ['value', 'fee']) };
    case 'balance':
    case 'balancePush':
      return { ...event, balances: event.balances.map(reviveBalance) };
    case 'position':
      return {
        ...event,
        position: decimals(event.position, ['amount', 'cost', 'realizedProfit', 'fees']),
      };
    case 'adjustment':
      return decimals(event, ['before', 'after', 'value']);
    case 'depth':
      return unpackedDepth(event as unknown as Parameters<typeof unpackedDepth>[0]);
    case 'ticker':
    case 'trade':
    case 'candle':
    case 'freshness':
    case 'gap':
    case 'connection':
    case 'intent':
    case 'refusal':
    case 'strategy':
    case 'timer':
    case 'tradingState':
    case 'request':
    case 'requestFailure':
    case 'heartbeat':
    case 'lapse':
    case 'reconciliation':
    case 'run':
      return event;
    default:
      return event satisfies never;
  }
}

/** The field that holds what an event is about, by its kind. */
const ABOUT: Readonly<Partial<Record<string, string>>> = {
  ...{ order: 'order', orderPush: 'order', intent: 'intent', refusal: 'refusal' },
  ...{ fill: 'fill', lateFee: 'lateFee', position: 'position' },
};

/** Names of types for messages. */
const TYPES = { number: 'a number', string: 'a text', object: 'an object' } as const;

interface TypedField {
  readonly kind: string;
  readonly name: string;
  readonly value: unknown;
}

function requireType(type: keyof typeof TYPES, { kind, name, value }: TypedField): void {
  if (typeof value === type && value !== null) return;
  const is = value === undefined ? 'missing' : `${JSON.stringify(value)}, not ${TYPES[type]}`;
  throw new TypeError(`Cannot revive an event of kind ${kind}: its ${name} is ${is}`);
}

const VALUE = ['filledValue'] as const;
const VALUE_AND_FEE = ['filledValue', 'fee'] as const;
const VALUE_AND_GUESS = ['filledValue', 'fee', 'guessedFee'] as const;

/** The decimal fields that a record has. */
function recordFields({ fee }: { readonly fee?: unknown }): readonly ('filledValue' | 'fee')[] {
  return fee === undefined ? VALUE : VALUE_AND_FEE;
}

/** The decimal fields that a state has. */
function stateFields(order: OrderState): readonly ('filledValue' | 'fee' | 'guessedFee')[] {
  return order.guessedFee === undefined ? recordFields(order) : VALUE_AND_GUESS;
}

/** An event of kind `order`. */
export type OrderEvent = EventOf<'order'>;

/** The line of an order event. @throws {AssertionError} when it is of another kind. */
export function reviveOrderEvent(line: string): OrderEvent {
  const event = reviveEvent(line);
  assert(event.kind === 'order', `Cannot revive an order: the line is of kind ${event.kind}`);
  return event;
}

/** The order in the line of an order event. @throws {AssertionError} when it is of another kind. */
export function reviveOrder(line: string): OrderState {
  return reviveOrderEvent(line).order;
}

function reviveBalance(balance: Balance): Balance {
  return decimals(balance, ['available', 'frozen']);
}

function decimals<T extends object>(value: T, fields: readonly (keyof T & string)[]): T {
  const revived: Record<string, unknown> = { ...(value as Fields) };
  for (const field of fields) revived[field] = Decimal.of(revived[field] as string);
  return revived as T;
}
