import type { OrderRecord, OrderState } from '../domain/index.ts';
import { decimalText, nameText, numberText } from './text.ts';

/** The newest order that was told of, and how its text begins. */
let newest: OrderState | undefined;
let newestHead = '';

/** An order's state as JSON. */
export function orderText(order: OrderState): string {
  return (
    `${headText(order)},${filledText(order)}${feesText(order)},` +
    `"changedTime":${numberText(order.changedTime)},"evidence":"${order.evidence}",` +
    `"status":"${order.status}"${ownText(order)}}`
  );
}

/** What stays as it is in all states of an order, which are mostly told in a row. */
function headText(order: OrderState): string {
  if (newest === undefined || !isSame(newest, order)) {
    newestHead =
      `{${termsText(order)},"clientOrderId":${JSON.stringify(order.clientOrderId)},` +
      `"strategy":${nameText(order.strategy)},"tag":${nameText(order.tag)},` +
      `"createdTime":${numberText(order.createdTime)}`;
    newest = order;
  }
  return newestHead;
}

function isSame(a: OrderState, b: OrderState): boolean {
  const isNamed = a.clientOrderId === b.clientOrderId && a.createdTime === b.createdTime;
  const isOfSame = a.strategy === b.strategy && a.tag === b.tag && a.market === b.market;
  const isAlike = a.side === b.side && a.type === b.type;
  return isNamed && isOfSame && isAlike && a.price === b.price && a.amount === b.amount;
}

/** What the state alone has. */
function ownText(order: OrderState): string {
  switch (order.status) {
    case 'pending':
      return '';
    case 'open':
    case 'cancelling':
    case 'filled':
    case 'cancelled':
      return idText(order.exchangeOrderId);
    case 'unknown': {
      const { exchangeOrderId: id, reason, unknownSince } = order;
      const since = `,"unknownSince":${numberText(unknownSince)}`;
      return `${id === undefined ? '' : idText(id)},"reason":${JSON.stringify(reason)}${since}`;
    }
    case 'rejected': {
      const { reason, code } = order;
      const codeText = code === undefined ? '' : `,"code":${numberText(code)}`;
      return `,"reason":${JSON.stringify(reason)}${codeText}`;
    }
    default:
      return order satisfies never;
  }
}

function idText(exchangeOrderId: string): string {
  return `,"exchangeOrderId":${JSON.stringify(exchangeOrderId)}`;
}

/** The exchange's record of an order as JSON. */
export function recordText(order: OrderRecord): string {
  return (
    `{${termsText(order)}${idText(order.exchangeOrderId)},${filledText(order)},` +
    `"closed":${order.closed},"exchangeTime":${numberText(order.exchangeTime)}${toldText(order)}}`
  );
}

/** What not every record tells. */
function toldText({ fee, accountType, lastTrade }: OrderRecord): string {
  return (
    feeText({ fee }) +
    (accountType === undefined ? '' : `,"accountType":${accountType}`) +
    (lastTrade === undefined ? '' : `,"lastTrade":${JSON.stringify(lastTrade)}`)
  );
}

function feeText({ fee }: Pick<OrderState, 'fee'>): string {
  return fee === undefined ? '' : `,"fee":${decimalText(fee)}`;
}

function feesText({ fee, guessedFee }: OrderState): string {
  const guess = guessedFee === undefined ? '' : `,"guessedFee":${decimalText(guessedFee)}`;
  return `${feeText({ fee })}${guess}`;
}

function termsText({ market, side, type, price, amount }: OrderState | OrderRecord): string {
  return (
    `"market":${nameText(market)},"side":"${side}","type":"${type}",` +
    `"price":${numberText(price)},"amount":${numberText(amount)}`
  );
}

function filledText({ filledAmount, filledValue }: OrderState | OrderRecord): string {
  return `"filledAmount":${numberText(filledAmount)},"filledValue":${decimalText(filledValue)}`;
}
