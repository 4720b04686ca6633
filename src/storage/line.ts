import type {
  Balance,
  EventKind,
  Fill,
  Intent,
  Position,
  Stamped,
  TradingEvent,
} from '../domain/index.ts';
import { orderText, recordText } from './order-text.ts';
import { packedDepth } from './packed-depth.ts';
import { decimalText, nameText, numberText } from './text.ts';

/** Kinds that came from the market's public data: the bulk of a journal. */
export const MARKET_DATA_KINDS = [
  'ticker',
  'depth',
  'trade',
  'candle',
] as const satisfies EventKind[];

const MARKET_DATA: ReadonlySet<EventKind> = new Set(MARKET_DATA_KINDS);

export function isMarketData(event: TradingEvent): boolean {
  return MARKET_DATA.has(event.kind);
}

/** When an event came about in this process, milliseconds since the epoch. */
export function timeOf(event: TradingEvent): number {
  return 'time' in event ? event.time : event.receivedTime;
}

/**
 * An event as its journal line: JSON, decimals as strings, the levels of a depth packed.
 *
 * What comes with every order is written key by key: `JSON.stringify` takes three times as long
 * where it must ask decimals for theirs.
 */
export function lineOf(event: TradingEvent): string {
  switch (event.kind) {
    case 'depth':
      return JSON.stringify(packedDepth(event));
    case 'order':
      return `${timedText(event)},"market":${nameText(event.market)},"order":${orderText(event.order)}}`;
    case 'orderPush': {
      const { market, order } = event;
      const stamps = `${stampsText(event)},"order":${recordText(order)}}`;
      return `{"kind":"orderPush","market":${nameText(market)},${stamps}`;
    }
    case 'intent': {
      const { market, strategy, intent } = event;
      const names = `"market":${nameText(market)},"strategy":${nameText(strategy)}`;
      return `${timedText(event)},${names},"intent":${intentText(intent)}}`;
    }
    case 'fill':
      return `${timedText(event)},"market":${nameText(event.market)},"fill":${fillText(event.fill)}}`;
    case 'balance':
      return `${timedText(event)},"balances":${balancesText(event.balances)}}`;
    case 'balancePush': {
      const balances = balancesText(event.balances);
      return `{"kind":"balancePush","balances":${balances},${stampsText(event)}}`;
    }
    case 'position': {
      const { market, strategy, position } = event;
      const names = `"market":${nameText(market)},"strategy":${nameText(strategy)}`;
      return `${timedText(event)},${names},"position":${positionText(position)}}`;
    }
    case 'request': {
      const { market, operation, waitedMs } = event;
      const waited = `"operation":"${operation}","waitedMs":${numberText(waitedMs)}`;
      return `${timedText(event)},"market":${nameText(market)},${waited}}`;
    }
    default:
      return JSON.stringify(event);
  }
}

function timedText({ kind, time }: { readonly kind: EventKind; readonly time: number }): string {
  return `{"kind":"${kind}","time":${numberText(time)}`;
}

function stampsText({ exchangeTime, receivedTime }: Stamped): string {
  return `"exchangeTime":${numberText(exchangeTime)},"receivedTime":${numberText(receivedTime)}`;
}

function intentText(intent: Intent): string {
  if (intent.kind !== 'target') return JSON.stringify(intent);
  const { market, position, slippage, priceLimit } = intent;
  const limit = priceLimit === undefined ? '' : `,"priceLimit":${numberText(priceLimit)}`;
  const wish = `"position":${numberText(position)},"slippage":${numberText(slippage)}${limit}`;
  return `{"kind":"target","market":${nameText(market)},${wish}}`;
}

function fillText(fill: Fill): string {
  return (
    `{"market":${nameText(fill.market)},"strategy":${nameText(fill.strategy)},` +
    `"clientOrderId":${JSON.stringify(fill.clientOrderId)},` +
    `"exchangeOrderId":${JSON.stringify(fill.exchangeOrderId)},"side":"${fill.side}",` +
    `"amount":${numberText(fill.amount)},"value":${decimalText(fill.value)},` +
    `"price":${numberText(fill.price)},"fee":${decimalText(fill.fee)},` +
    `"feeCurrency":${nameText(fill.feeCurrency)},"time":${numberText(fill.time)}}`
  );
}

function balancesText(balances: readonly Balance[]): string {
  let text = '';
  for (const balance of balances) text += `${text === '' ? '' : ','}${balanceText(balance)}`;
  return `[${text}]`;
}

function balanceText({ currency, available, frozen }: Balance): string {
  const amounts = `"available":${decimalText(available)},"frozen":${decimalText(frozen)}`;
  return `{"currency":${nameText(currency)},${amounts}}`;
}

function positionText({ market, amount, cost, realizedProfit, fees }: Position): string {
  return (
    `{"market":${nameText(market)},"amount":${decimalText(amount)},"cost":${decimalText(cost)},` +
    `"realizedProfit":${decimalText(realizedProfit)},"fees":${decimalText(fees)}}`
  );
}
