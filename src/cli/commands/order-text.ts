import { type Market, type OrderRecord, rooms } from '../../app/index.ts';
import { columns } from '../format.ts';
import type { Paint } from '../style.ts';
import { grouped, numbers, table, words } from '../table.ts';
import { amountOf, digits, utc } from './values.ts';

const { Decimal: Exact } = await rooms.nouns();

/** Where an order stands. The exchange itself calls a partly filled, cancelled order done. */
function statusOf({ closed, filledAmount, amount }: OrderRecord): string {
  if (!closed) return filledAmount > 0 ? 'partly filled' : 'open';
  return filledAmount === amount ? 'filled' : 'cancelled';
}

/** An order for programs. */
export function orderJson(order: OrderRecord) {
  return {
    id: order.exchangeOrderId,
    market: order.market,
    time: utc(order.exchangeTime),
    side: order.side,
    type: order.type,
    price: digits(order.price),
    amount: digits(order.amount),
    filledAmount: digits(order.filledAmount),
    filledValue: digits(order.filledValue),
    fee: order.fee === undefined ? null : digits(order.fee),
    status: statusOf(order),
  };
}

/** One order for people, a fact a line. */
export function orderLines(order: OrderRecord): string[] {
  const { id, market, time, side, type, status } = orderJson(order);
  const [base = '', quote = ''] = market.split('_');
  const { price, amount, filledAmount, filledValue } = order;
  const worth = filledAmount === 0 ? '' : `, worth ${amountOf(filledValue, quote)}`;
  return columns([
    ...[
      ['id', id],
      ['market', market],
      ['time', time],
      ['side', side],
      ['type', type],
    ],
    ['price', amountOf(price, quote)],
    ['amount', amountOf(amount, base)],
    ['filled', amountOf(filledAmount, base) + worth],
    ['fee', feeText(order, { base, quote })],
    ['status', status],
  ]);
}

/** What a just placed order has filled, in a line; undefined: the exchange does not tell. */
export function filledLine(order: OrderRecord | undefined, market: Market): string {
  if (order === undefined) return 'what it filled at once could not be read';
  const { closed, amount, filledAmount } = order;
  const end = closed
    ? filledAmount < amount
      ? ', the rest is cancelled'
      : ''
    : ', the rest rests';
  if (filledAmount === 0) return closed ? 'nothing filled, it is cancelled' : 'nothing filled yet';
  const extent = `filled ${grouped(digits(filledAmount))} of ${amountOf(amount, market.base)}`;
  const worth = `worth ${amountOf(order.filledValue, market.quote)}`;
  const fee = order.fee === undefined ? '' : `, fee ${feeText(order, market)}`;
  return `${extent} at ${grouped(averageOf(order, market))} on average, ${worth}${fee}${end}`;
}

/** The average fill price, with one place more than the market's prices; `-` before any fill. */
function averageOf(
  { filledAmount, filledValue }: OrderRecord,
  { priceScale }: Pick<Market, 'priceScale'>,
): string {
  if (filledAmount === 0) return '-';
  const amount = Exact.of(filledAmount);
  return digits(filledValue.dividedBy(amount, priceScale + 1, 'nearest'));
}

type Currencies = Pick<Market, 'base' | 'quote'>;

/** A fee with its currency, which is the one that the order receives, as `OrderRecord.fee` says. */
function feeText({ side, fee }: OrderRecord, { base, quote }: Currencies): string {
  return fee === undefined ? '-' : amountOf(fee, side === 'buy' ? base : quote);
}

/** Places of an average price if the market's scale is not known. */
const PRICE_PLACES = 8;

/** Orders of one market for people. `priceScale`: undefined if the exchange does not tell it. */
export function ordersTable(
  orders: readonly OrderRecord[],
  listing: {
    readonly market: string;
    readonly priceScale: number | undefined;
    readonly paint: Paint;
  },
): string[] {
  const { priceScale = PRICE_PLACES, paint } = listing;
  const [base = '', quote = ''] = listing.market.split('_');
  const market = { base, quote, priceScale };
  const rows = orders.map((order) => {
    const one = orderJson(order);
    return [
      ...[one.time, one.side, one.type, one.price, one.amount, one.filledAmount],
      ...[averageOf(order, market), feeText(order, market), one.status, one.id],
    ];
  });
  const heads = ['time', 'side', 'type'].map(words);
  const sums = [`price ${quote}`, `amount ${base}`, `filled ${base}`, `average ${quote}`];
  const ends = ['fee', 'status', 'id'].map(words);
  return table([...heads, ...sums.map(numbers), ...ends], { rows, paint });
}
