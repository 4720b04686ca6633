import { failureOf } from './strategy-failure.ts';

/** What may have the fields of an intent. */
type Wish = Readonly<Record<string, unknown>>;

/**
 * Why something that a strategy emitted is no wish; undefined where it has the shape of one. Looks
 * at kinds of values alone: whether a number will do is for risk to say.
 */
export function whyNoIntent(emitted: unknown): string | undefined {
  try {
    return problemOf(emitted);
  } catch (thrown) {
    // Its fields may be computed, and that may fail.
    return failureOf(thrown);
  }
}

function problemOf(emitted: unknown): string | undefined {
  if (Array.isArray(emitted)) {
    return 'it emitted a list, intents one by one are wanted (mergeAll() behind it makes them so)';
  }
  if (!isObject(emitted)) return `it emitted ${String(emitted)}, an intent is wanted`;
  const { kind, market } = emitted;
  if (typeof kind !== 'string') {
    return 'it emitted an object that is none, an intent is wanted';
  }
  if (typeof market !== 'string') return wanted(emitted, 'market', 'the id of a market');
  return problemWithin(emitted);
}

function problemWithin(wish: Wish): string | undefined {
  switch (wish.kind) {
    case 'quotes':
      return (
        levels(wish, 'bids') ??
        levels(wish, 'asks') ??
        (typeof wish.postOnly === 'boolean' ? undefined : wanted(wish, 'postOnly', 'true or false'))
      );
    case 'target': {
      const { priceLimit } = wish;
      return (
        number(wish, 'position') ??
        number(wish, 'slippage') ??
        (priceLimit === undefined ? undefined : number(wish, 'priceLimit'))
      );
    }
    case 'order':
      return (
        text(wish, 'tag') ??
        text(wish, 'side') ??
        text(wish, 'type') ??
        number(wish, 'price') ??
        number(wish, 'amount')
      );
    case 'cancel':
      return text(wish, 'tag');
    default:
      return wanted(wish, 'kind', 'quotes, target, order or cancel');
  }
}

function levels(wish: Wish, side: 'bids' | 'asks'): string | undefined {
  const list = wish[side];
  if (!Array.isArray(list)) return wanted(wish, side, 'a list');
  return list.every(isLevel)
    ? undefined
    : `it emitted ${side} with a level that is none, a price and an amount in numbers are wanted`;
}

function isLevel(level: unknown): boolean {
  return isObject(level) && typeof level.price === 'number' && typeof level.amount === 'number';
}

function number(wish: Wish, field: string): string | undefined {
  return typeof wish[field] === 'number' ? undefined : wanted(wish, field, 'a number');
}

function text(wish: Wish, field: string): string | undefined {
  return typeof wish[field] === 'string' ? undefined : wanted(wish, field, 'a text');
}

function wanted(wish: Wish, field: string, what: string): string {
  const value = wish[field];
  const shown = typeof value === 'string' ? `"${value}"` : isObject(value) ? 'an object' : value;
  const of = field === 'kind' ? 'an intent' : `an intent of kind ${String(wish.kind)}`;
  return `it emitted ${of} whose ${field} is ${String(shown)}, ${what} is wanted`;
}

function isObject(value: unknown): value is Wish {
  return typeof value === 'object' && value !== null;
}
