import { type Command, Option } from 'commander';
import {
  type Decimal,
  type OrderRecord,
  type OrderType,
  type PreparedOrder,
  printable,
  rooms,
  type Side,
} from '../../app/index.ts';
import { marketId } from '../arguments.ts';
import { answer, type CommandContext, type Findings, venueCommand, type Work } from './context.ts';
import { filledLine, orderJson } from './order-text.ts';
import { accountOption, type PlacingFlags, priceWarning, showAndPlace, YES } from './placing.ts';
import { amountOf, decimal, digits } from './values.ts';

const { ORDER_TYPES, SIDES } = await rooms.nouns();
const { lookedUp, placeOrder, prepareOrder } = await rooms.terminal();

const needs = { keys: true };

interface PlaceFlags extends PlacingFlags {
  readonly market: string;
  readonly side: Side;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly type: OrderType;
  readonly clientId?: string;
  readonly borrow?: boolean;
  readonly repay?: boolean;
}

/** `tradewind orders place`: one order, checked against the market's rules, sent once. */
export function addPlace(group: Command, context: CommandContext): void {
  const command = venueCommand(group, {
    name: 'place',
    description: 'place one order; nothing is rounded, what breaks a rule is not sent',
    needs,
    examples: [
      'orders place --market btc_usdt --side buy --price 50000 --amount 0.01 --type postOnly',
      'orders place --market btc_usdt --side sell --price 70000 --amount 0.01 --dry-run',
      'orders place --market btc_usdt --side buy --price 50000 --amount 1 --account cross --borrow',
    ],
  });
  addTerms(command)
    .option('--client-id <id>', '4 to 36 letters or digits (default: a new one)')
    .addOption(accountOption())
    .option('--borrow', 'borrow what is missing (margin accounts)')
    .option('--repay', 'repay loans with the proceeds (margin accounts)')
    .option('--dry-run', 'check and show the order without sending it')
    .option(...YES)
    .action((flags: PlaceFlags) =>
      answer(context, { flags, needs }, (work) => place(work, { flags, context })),
    );
}

/** Adds the options for the order's terms. */
function addTerms(command: Command): Command {
  return command
    .requiredOption('--market <id>', 'such as btc_usdt', marketId)
    .addOption(new Option('--side <side>', 'side').choices(SIDES).makeOptionMandatory())
    .requiredOption('--price <price>', 'in the quote currency', decimal)
    .requiredOption('--amount <amount>', 'in the base currency', decimal)
    .addOption(new Option('--type <type>', 'type').choices(ORDER_TYPES).default('limit'));
}

async function place(
  { venue }: Work,
  { flags, context }: { readonly flags: PlaceFlags; readonly context: CommandContext },
): Promise<Findings> {
  const { clientId: clientOrderId, borrow = false, repay = false } = flags;
  const { market, side, type, price, amount, account } = flags;
  const terms = { market, side, type, price, amount, account, borrow, repay };
  const prepared = await prepareOrder(venue, { ...terms, clientOrderId });
  // A post-only order needs no warning: the exchange refuses it if it would take.
  const priced = { venue, market: prepared.market, side, prices: [price] };
  const warning = type === 'postOnly' ? undefined : await priceWarning(priced);
  return showAndPlace(context, {
    flags,
    plan: [`${venue.host}: ${sentenceOf(prepared)}`, `client id ${prepared.wish.clientOrderId}`],
    warning,
    json: (outcome) => placedJson(prepared, { outcome, warning }),
    send: async () => {
      const { exchangeOrderId } = await placeOrder(venue, prepared);
      const order = await lookedUp(venue, { market, exchangeOrderId });
      return {
        json: placedJson(prepared, { outcome: 'placed', id: exchangeOrderId, warning, order }),
        lines: [`placed, id ${printable(exchangeOrderId)}`, filledLine(order, prepared.market)],
      };
    },
  });
}

function sentenceOf({ wish, market, value }: PreparedOrder): string {
  const { side, type, account, borrow, repay } = wish;
  const extras = [
    account === 'spot' ? [] : [`${account} margin account`],
    borrow ? ['borrows what is missing'] : [],
    repay ? ['repays with the proceeds'] : [],
  ].flat();
  const [amount, price] = [amountOf(wish.amount, market.base), amountOf(wish.price, market.quote)];
  const terms = `${side} ${amount} at ${price} (${amountOf(value, market.quote)}), ${type}`;
  return [terms, ...extras].join(', ');
}

function placedJson(
  { wish, value }: PreparedOrder,
  result: {
    readonly outcome: 'placed' | 'unknown' | 'not sent' | 'sending';
    readonly id?: string;
    readonly warning: string | undefined;
    /** The order right after it was placed, if the exchange told. */
    readonly order?: OrderRecord | undefined;
  },
) {
  const { filledAmount, filledValue, fee, status } =
    result.order === undefined ? UNTOLD : orderJson(result.order);
  const { market, side, type, account, borrow, repay, clientOrderId } = wish;
  return {
    ...{ outcome: result.outcome, id: result.id ?? null, clientOrderId },
    ...{ market, side, type, price: digits(wish.price), amount: digits(wish.amount) },
    ...{ value: digits(value), account, borrow, repay, warning: result.warning ?? null },
    ...{ filledAmount, filledValue, fee, status },
  };
}

const UNTOLD = { filledAmount: null, filledValue: null, fee: null, status: null };
