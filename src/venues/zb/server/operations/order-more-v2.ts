import { BATCH_ORDERS_MAX, CODES } from '../../../../exchange/index.ts';
import { SUCCESS_MESSAGE } from '../../wire/acknowledged.ts';
import { refuse } from '../answers.ts';
import { readAmount, readPrice } from '../money.ts';
import { signedOperation } from '../operation.ts';
import { accountType, defaulting, market, type Reader, required, side } from '../parameters.ts';

/** A price and an amount as they came over the wire. */
type Pair = readonly [price: string, amount: string];

const DIGITS = String.raw`\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?`;
const NUMBER = `(?:(${DIGITS})|"(${DIGITS})")`;
const PAIR = new RegExp(String.raw`\s*\[\s*${NUMBER}\s*,\s*${NUMBER}\s*\]\s*`, 'y');

/** `[[price, amount], ...]`, numbers or strings, kept as their exact digits; at most 20 pairs. */
export const tradeParams: Reader<readonly Pair[]> = (value, name) => {
  const pairs = readPairs(value.trim());
  if (pairs !== undefined && pairs.length <= BATCH_ORDERS_MAX) return pairs;
  const wanted = `1 to ${BATCH_ORDERS_MAX} pairs [price, amount]`;
  return refuse(CODES.invalidArguments, `Invalid ${name}: ${wanted} wanted`);
};

function readPairs(text: string): Pair[] | undefined {
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined;
  const pairs: Pair[] = [];
  let at = 1;
  do {
    PAIR.lastIndex = at;
    const match = PAIR.exec(text);
    if (match === null) return undefined;
    pairs.push([match[1] ?? match[2]!, match[3] ?? match[4]!]);
    at = PAIR.lastIndex + 1;
  } while (text[at - 1] === ',');
  return at === text.length ? pairs : undefined;
}

/** Places several limit orders on one side of a market; `message` says why some were refused. */
export const orderMoreV2 = signedOperation({
  name: 'orderMoreV2',
  permission: 'orders',
  parameters: {
    market: required(market),
    tradeType: required(side),
    tradeParams: required(tradeParams),
    acctType: defaulting(accountType, 0),
  },
  handle: (values, { exchange }) =>
    exchange.trading.placeBatch({
      market: values.market.id,
      side: values.tradeType,
      accountType: values.acctType,
      orders: values.tradeParams.map(([price, amount]) => ({
        price: readPrice(values.market, price),
        amount: readAmount(values.market, amount),
      })),
    }),
  render: ({ exchangeOrderIds, remark = SUCCESS_MESSAGE }, { dialect }) => {
    const [message, data] = [remark, exchangeOrderIds].map((part) => JSON.stringify(part));
    return `{"code":${dialect.code(CODES.success)},"message":${message},"data":${data}}`;
  },
});
