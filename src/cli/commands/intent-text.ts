import type { Decision, JournalEntry } from '../../app/index.ts';
import { digits, utc } from './values.ts';

type Intent = Extract<Decision, { kind: 'intent' }>['intent'];
type Event = JournalEntry['event'];
type Quotes = Extract<Intent, { kind: 'quotes' }>['bids'];

/** A decision in one line. */
export function decisionText(decision: Decision): string {
  if (decision.kind === 'intent') return intentText(decision.intent);
  return `${decision.status}: ${decision.reason}`;
}

/** A wish in one line. */
function intentText(intent: Intent): string {
  const { kind, market } = intent;
  switch (kind) {
    case 'quotes': {
      const { bids, asks, postOnly } = intent;
      const crossing = postOnly ? '' : ', may take';
      return `quotes ${market} bids ${levels(bids)}, asks ${levels(asks)}${crossing}`;
    }
    case 'target': {
      const { position, priceLimit, slippage } = intent;
      const limit = priceLimit === undefined ? `slippage ${slippage}` : `limit ${priceLimit}`;
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

/** What a strategy was given, in one line, with its place in the journal and its time. */
export function inputText({ sequence, event }: JournalEntry): string {
  const time = 'time' in event ? event.time : event.receivedTime;
  return `#${sequence} ${utc(time)} ${eventText(event)}`;
}

/** Any event in one line, without its time. */
export function eventText(event: Event): string {
  if (event.kind === 'intent') return `${event.strategy}: ${intentText(event.intent)}`;
  const market = 'market' in event ? event.market : '';
  return [event.kind, market, gistOf(event)].filter((part) => part !== '').join(' ');
}

function gistOf(event: Event): string {
  switch (event.kind) {
    case 'depth': {
      const [bid, ask] = [event.bids[0], event.asks[0]];
      return `bid ${bid === undefined ? 'none' : bid[0]}, ask ${ask === undefined ? 'none' : ask[0]}`;
    }
    case 'trade':
      return `${event.side} ${digits(event.amount)} @ ${digits(event.price)}`;
    case 'candle':
      return `${event.interval} from ${utc(event.openTime)}, close ${digits(event.close)}`;
    case 'ticker':
      return `last ${digits(event.last)}`;
    case 'order':
      return `${event.order.clientOrderId} ${event.order.status}`;
    case 'fill':
      return `${event.fill.side} ${digits(event.fill.amount)} @ ${digits(event.fill.price)}`;
    case 'position':
      return `${event.strategy} ${event.position.amount}`;
    case 'freshness':
      return `${event.stream} ${event.fresh ? 'fresh' : 'stale'}`;
    case 'timer':
      return event.timer < 0
        ? `refusals told to ${event.strategy}`
        : `${event.timer} of ${event.strategy}`;
    case 'refusal':
      return `${event.refusal.code}, ${event.strategy}`;
    case 'run':
      return event.status;
    default:
      return '';
  }
}
