import { type Command, Option } from 'commander';
import {
  type CancelAllReport,
  type CancelReport,
  EXIT_CODES,
  type OrderReference,
  printable,
  rooms,
  type Side,
} from '../../app/index.ts';
import { marketId, wholeNumber } from '../arguments.ts';
import {
  answer,
  type CommandContext,
  type CommonFlags,
  examplesText,
  type Findings,
  venueCommand,
} from './context.ts';
import { orderJson, orderLines, ordersTable } from './order-text.ts';
import { addPlace } from './place.ts';
import { addPlaceBatch } from './place-batch.ts';
import { addSettle } from './settle.ts';
import { clientId } from './values.ts';

const { SIDES } = await rooms.nouns();
const {
  cancelAll,
  cancelAllInAMinute,
  cancelOrder,
  everyOrder,
  marketIfTold,
  ORDER_PAGE_SIZE_MAX,
  orderNamed,
  orderPage,
} = await rooms.terminal();

const needs = { keys: true };

/** `tradewind orders ...`: orders by hand. */
export function defineOrders(group: Command, context: CommandContext): void {
  const examples = ['orders list --market btc_usdt', 'orders cancel-all --market btc_usdt'];
  group.addHelpText('after', examplesText(examples));
  for (const add of [addList, addShow, addPlace, addPlaceBatch]) add(group, context);
  for (const add of [addCancel, addCancelAll, addSettle]) add(group, context);
}

/** The exchange's names of the lists. */
const FILTERS = { open: 'unfinished', finished: 'finished', all: 'all' } as const;

interface ListFlags extends CommonFlags {
  readonly market: string;
  readonly show: keyof typeof FILTERS;
  readonly side?: Side;
  readonly page: number;
  readonly pageSize: number;
  readonly every?: boolean;
}

function addList(group: Command, context: CommandContext): void {
  venueCommand(group, {
    name: 'list',
    description: 'orders of a market, newest first',
    needs,
    examples: [
      'orders list --market btc_usdt',
      'orders list --market btc_usdt --show finished --page 2',
      'orders list --market btc_usdt --show all --side buy --every --json',
    ],
  })
    .requiredOption('--market <id>', 'such as btc_usdt', marketId)
    .addOption(new Option('--show <which>', 'which').choices(Object.keys(FILTERS)).default('open'))
    .addOption(new Option('--side <side>', 'of one side alone').choices(SIDES))
    .option('--page <number>', 'from 1', wholeNumber(1, Number.MAX_SAFE_INTEGER), 1)
    .option(
      '--page-size <count>',
      `orders a page, 1 to ${ORDER_PAGE_SIZE_MAX}`,
      wholeNumber(1, ORDER_PAGE_SIZE_MAX),
      20,
    )
    .addOption(new Option('--every', 'all pages').conflicts(['page', 'pageSize']))
    .action((flags: ListFlags) =>
      answer(context, { flags, needs }, async ({ venue, paint }) => {
        const { show, page, pageSize, every = false, side } = flags;
        const { market } = flags;
        const { priceScale } = (await marketIfTold(venue, market)) ?? {};
        const selection = { market, filter: FILTERS[show], side };
        const { orders, illegible } = every
          ? await everyOrder(venue, selection)
          : await orderPage(venue, { ...selection, page, pageSize });
        const isFull = !every && orders.length + illegible.length >= pageSize;
        const more = isFull ? [`more: --page ${page + 1}`] : [];
        return {
          json: { market, page: every ? null : page, orders: orders.map(orderJson) },
          lines: [...ordersTable(orders, { market, priceScale, paint }), ...more],
        };
      }),
    );
}

interface ReferenceFlags extends CommonFlags {
  readonly market: string;
  readonly id?: string;
  readonly clientId?: string;
}

/** A command on one order, named by one of its two ids. */
function orderCommand(group: Command, text: { name: string; description: string }): Command {
  const { name } = text;
  const examples = [
    `orders ${name} --market btc_usdt --id 202202224851151555`,
    `orders ${name} --market btc_usdt --client-id mine0001`,
  ];
  return venueCommand(group, { ...text, needs, examples })
    .requiredOption('--market <id>', 'such as btc_usdt', marketId)
    .addOption(new Option('--id <id>', "the exchange's id of the order").conflicts('clientId'))
    .option('--client-id <id>', 'the client id; the newest order that has it is meant', clientId);
}

/** The order that the flags name. Ends the command with a usage error if they name none. */
function referenceOf({ market, id, clientId }: ReferenceFlags, command: Command) {
  if (id !== undefined) return { market, exchangeOrderId: id };
  if (clientId !== undefined) return { market, clientOrderId: clientId };
  return command.error('error: no order is named: --id or --client-id is wanted');
}

function addShow(group: Command, context: CommandContext): void {
  orderCommand(group, { name: 'show', description: 'one order as it stands now' }).action(
    (flags: ReferenceFlags, command: Command) => {
      const reference = referenceOf(flags, command);
      return answer(context, { flags, needs }, async ({ venue }) => {
        const order = await orderNamed(venue, reference);
        return { json: orderJson(order), lines: orderLines(order) };
      });
    },
  );
}

function addCancel(group: Command, context: CommandContext): void {
  const description = 'cancel one order, and verify that it is gone';
  orderCommand(group, { name: 'cancel', description }).action(
    (flags: ReferenceFlags, command: Command) => {
      const reference = referenceOf(flags, command);
      return answer(context, { flags, needs }, async ({ venue }) => {
        return cancelFound(await cancelOrder(venue, reference), { reference, context });
      });
    },
  );
}

const UNTOLD = { amount: null, filledAmount: null };

function cancelFound(
  report: CancelReport,
  { reference, context }: { readonly reference: OrderReference; readonly context: CommandContext },
): Findings {
  const id = 'clientOrderId' in reference ? reference.clientOrderId : reference.exchangeOrderId;
  if (!report.verified) {
    context.exitWith(EXIT_CODES.unverified);
    const { reason, order } = report;
    const { amount, filledAmount } = order === undefined ? UNTOLD : orderJson(order);
    const told = { amount, filledAmount, verified: false, reason };
    return {
      json: { outcome: 'unverified', ...reference, ...told },
      lines: [`the exchange says that it cancelled ${id}, NOT VERIFIED: ${printable(reason)}`],
    };
  }
  const { amount, filledAmount, status } = orderJson(report.order);
  const [base] = reference.market.split('_');
  const done = status === 'filled' ? 'filled before its cancel' : 'cancelled';
  return {
    json: { outcome: status, ...reference, amount, filledAmount, verified: true, reason: null },
    lines: [`${done} ${id}, ${filledAmount} of ${amount} ${base} had been filled, verified`],
  };
}

function addCancelAll(group: Command, context: CommandContext): void {
  venueCommand(group, {
    name: 'cancel-all',
    description: 'cancel every open order of a market, and verify that none is left',
    needs,
    examples: [
      'orders cancel-all --market btc_usdt',
      'orders cancel-all --market btc_usdt --in-a-minute',
    ],
  })
    .requiredOption('--market <id>', 'such as btc_usdt', marketId)
    .option('--in-a-minute', 'have the exchange do it then; asking again moves the minute')
    .action((flags: CancelAllFlags) =>
      answer(context, { flags, needs }, async ({ venue }) => {
        const { market: id } = flags;
        await marketIfTold(venue, id);
        if (flags.inAMinute !== true) return cancelledFound(await cancelAll(venue, id), context);
        await cancelAllInAMinute(venue, id);
        const lines = [`the exchange cancels every order on ${id} in a minute`];
        return { json: { outcome: 'armed', market: id }, lines };
      }),
    );
}

interface CancelAllFlags extends CommonFlags {
  readonly market: string;
  readonly inAMinute?: boolean;
}

function cancelledFound(report: CancelAllReport, context: CommandContext): Findings {
  const { market, found, cancelled, filled, remaining, verified, reason } = report;
  if (!verified) context.exitWith(EXIT_CODES.unverified);
  const gone = filled === 0 ? '' : `, ${filled} filled meanwhile`;
  const done = `cancelled ${cancelled} of ${found}${gone}`;
  const proof = verified ? 'verified' : `NOT VERIFIED: ${printable(reason ?? '')}`;
  return {
    json: { ...report, reason: reason ?? null },
    lines: [
      found === 0 ? `no open order on ${market}, ${proof}` : `${done}, ${proof}`,
      ...remaining.map((order) => `may still rest: ${printable(order)}`),
    ],
  };
}
