import { type Decision, printable } from '../../app/index.ts';
import { digits } from './values.ts';

type Intent = Extract<Decision, { kind: 'intent' }>['intent'];
type Quotes = Extract<Intent, { kind: 'quotes' }>['bids'];

/** A decision in one line, invisible characters escaped. */
export function decisionText(decision: Decision): string {
  const isWish = decision.kind === 'intent';
  return printable(isWish ? intentText(decision.intent) : `${decision.status}: ${decision.reason}`);
}

/** A wish in one line. */
export function intentText(intent: Intent): string {
  const { kind, market } = intent;
  switch (kind) {
    case 'quotes': {
      const { bids, asks, postOnly } = intent;
      const crossing = postOnly ? '' : ', may take';
      return `quotes ${market} bids ${levels(bids)}, asks ${levels(asks)}${crossing}`;
    }
    case 'target': {
      const { position, priceLimit, slippage } = intent;
      const limit =
        priceLimit === undefined ? `slippage ${digits(slippage)}` : `limit ${digits(priceLimit)}`;
      return `target ${market} ${digits(position)}, ${limit}`;
    }
    case 'order': {
      const { tag, side, type, price, amount } = intent;
      return `order ${market} ${side} ${digits(amount)} @ ${digits(price)} ${type}, tag ${tag}`;
    }
    case 'cancel':
      return `cancel ${market} tag ${intent.tag}`;
    default:
      return intent satisfies never;
  }
}

function levels(quotes: Quotes): string {
  if (quotes.length === 0) return 'none';
  return quotes.map(({ price, amount }) => `${digits(amount)} @ ${digits(price)}`).join(' ');
}
