import type {
  CancelIntent,
  Intent,
  OrderIntent,
  Quote,
  QuotesIntent,
  TargetIntent,
} from './intent.ts';
import { type Amount, type Price, SIDES } from './market.ts';
import { ORDER_TYPES } from './order.ts';

/** An object that may have the fields of an intent. */
type Wish = Readonly<Record<string, unknown>>;

/** The expected type of each field of an intent, in words for error messages. */
const WANTED = {
  kind: 'quotes, target, order or cancel',
  market: 'the id of a market',
  bids: 'a list',
  asks: 'a list',
  postOnly: 'true or false',
  position: 'a number',
  slippage: 'a number',
  priceLimit: 'a number',
  tag: 'a text',
  side: SIDES.join(' or '),
  type: `one of ${ORDER_TYPES.join(', ')}`,
  price: 'a number',
  amount: 'a number',
} as const;

/**
 * Reads an emitted value as an intent. Returns a text saying why it is not one where that fails.
 * Checks types only: whether a number is acceptable is for risk to say.
 *
 * The intent is a copy of the known fields, each read once, so a strategy that later changes its
 * own object does not change the intent, and unknown fields go no further.
 *
 * @throws whatever a computed field (a getter) throws.
 */
export function intentOf(emitted: unknown): Intent | string {
  if (Array.isArray(emitted)) {
    return 'it emitted a list, intents one by one are wanted (mergeAll() behind it makes them so)';
  }
  if (emitted === undefined) {
    return 'it emitted undefined, an intent is wanted (filter((wish) => wish !== undefined) behind it leaves that out)';
  }
  if (!isObject(emitted)) return `it emitted ${String(emitted)}, an intent is wanted`;
  const { kind, market } = emitted;
  if (typeof kind !== 'string') return noIntent(emitted);
  if (typeof market !== 'string') return missing(kind, { market });
  switch (kind) {
    case 'quotes':
      return readQuotes(emitted, market);
    case 'target':
      return readTarget(emitted, market);
    case 'order':
      return readOrder(emitted, market);
    case 'cancel':
      return readCancel(emitted, market);
    default:
      return missing(undefined, { kind });
  }
}

/** The reason for an object without a kind. Streams and promises are common slips and are named. */
function noIntent({ subscribe, then: later }: Wish): string {
  const isStream = typeof subscribe === 'function';
  if (isStream || typeof later === 'function') {
    const what = isStream ? 'a stream' : 'a promise';
    return `it emitted ${what}, an intent is wanted (neither run nor what it maps with may wait for one)`;
  }
  return `it emitted an object that is no intent, one of ${WANTED.kind} is wanted`;
}

function readQuotes(wish: Wish, market: string): QuotesIntent | string {
  const kind = 'quotes';
  const { bids, asks, postOnly } = wish;
  if (!Array.isArray(bids)) return missing(kind, { bids });
  if (!Array.isArray(asks)) return missing(kind, { asks });
  const buys = readLevels(bids);
  if (buys === undefined) return `it emitted bids with ${NO_LEVEL}`;
  const sells = readLevels(asks);
  if (sells === undefined) return `it emitted asks with ${NO_LEVEL}`;
  if (typeof postOnly !== 'boolean') return missing(kind, { postOnly });
  return { kind, market, bids: buys, asks: sells, postOnly };
}

const NO_LEVEL = 'a level that is none, a price and an amount in numbers are wanted';

/** The levels of a list; undefined if any element is not a level (holes in the list are not). */
function readLevels(list: readonly unknown[]): Quote[] | undefined {
  const { length } = list;
  const levels: Quote[] = [];
  for (let at = 0; at < length; at++) {
    const level = list[at];
    if (!isObject(level)) return undefined;
    const { price, amount } = level;
    if (typeof price !== 'number' || typeof amount !== 'number') return undefined;
    levels.push({ price: price as Price, amount: amount as Amount });
  }
  return levels;
}

function readTarget(wish: Wish, market: string): TargetIntent | string {
  const kind = 'target';
  const { position, slippage, priceLimit } = wish;
  if (typeof position !== 'number') return missing(kind, { position });
  if (typeof slippage !== 'number') return missing(kind, { slippage });
  if (priceLimit === undefined) return { kind, market, position, slippage };
  if (typeof priceLimit !== 'number') return missing(kind, { priceLimit });
  return { kind, market, position, slippage, priceLimit: priceLimit as Price };
}

function readOrder(wish: Wish, market: string): OrderIntent | string {
  const kind = 'order';
  const { tag, side, type, price, amount } = wish;
  if (typeof tag !== 'string') return missing(kind, { tag });
  if (!isOneOf(SIDES, side)) return missing(kind, { side });
  if (!isOneOf(ORDER_TYPES, type)) return missing(kind, { type });
  if (typeof price !== 'number') return missing(kind, { price });
  if (typeof amount !== 'number') return missing(kind, { amount });
  return {
    kind,
    market,
    tag,
    side,
    type,
    price: price as Price,
    amount: amount as Amount,
  };
}

function isOneOf<T extends string>(known: readonly T[], value: unknown): value is T {
  return known.some((one) => one === value);
}

function readCancel({ tag }: Wish, market: string): CancelIntent | string {
  return typeof tag === 'string' ? { kind: 'cancel', market, tag } : missing('cancel', { tag });
}

/** The message for a field of the wrong type: the value found and the type wanted. */
function missing(
  kind: string | undefined,
  field: { readonly [F in keyof typeof WANTED]?: unknown },
): string {
  const [[name, value]] = Object.entries(field) as [[keyof typeof WANTED, unknown]];
  const shown = typeof value === 'string' ? `"${value}"` : isObject(value) ? 'an object' : value;
  const of = kind === undefined ? 'an intent' : `an intent of kind ${kind}`;
  return `it emitted ${of} whose ${name} is ${String(shown)}, ${WANTED[name]} is wanted`;
}

function isObject(value: unknown): value is Wish {
  return typeof value === 'object' && value !== null;
}
