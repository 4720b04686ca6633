import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type BatchReport,
  type BatchTerms,
  EXIT_CODES,
  type PreparedBatch,
  printable,
  rooms,
  type Side,
} from '../../app/index.ts';
import { collected, marketId } from '../arguments.ts';
import { numbers, table, words } from '../table.ts';
import { answer, type CommandContext, type Findings, venueCommand, type Work } from './context.ts';
import { accountOption, type PlacingFlags, priceWarning, showAndPlace, YES } from './placing.ts';
import { amountOf, decimal, digits } from './values.ts';

const { SIDES } = await rooms.nouns();
const { placeBatch, prepareBatch } = await rooms.terminal();

const needs = { keys: true };

interface BatchFlags extends PlacingFlags {
  readonly market: string;
  readonly side: Side;
}

interface Asked {
  readonly orders: readonly BatchTerms[];
  readonly flags: BatchFlags;
  readonly context: CommandContext;
}

/** `tradewind orders place-batch`: up to twenty limit orders of one side in one request. */
export function addPlaceBatch(group: Command, context: CommandContext): void {
  venueCommand(group, {
    name: 'place-batch',
    description: 'place up to 20 limit orders of one side in one request, without client ids',
    needs,
    examples: ['orders place-batch --market btc_usdt --side buy 0.01@50000 0.02@49500'],
  })
    .argument('<orders...>', 'each as amount@price, such as 0.01@50000', collected(terms))
    .requiredOption('--market <id>', 'such as btc_usdt', marketId)
    .addOption(new Option('--side <side>', 'side of them all').choices(SIDES).makeOptionMandatory())
    .addOption(accountOption())
    .option('--dry-run', 'check and show the orders without sending them')
    .option(...YES)
    .action((orders: readonly BatchTerms[], flags: BatchFlags) =>
      answer(context, { flags, needs }, (work) => place(work, { orders, flags, context })),
    );
}

/** An order written `amount@price`. */
function terms(text: string): BatchTerms {
  const [amount, price, ...more] = text.split('@');
  if (amount === undefined || price === undefined || more.length > 0) {
    throw new InvalidArgumentError('amount@price is wanted, such as 0.01@50000');
  }
  return { price: decimal(price), amount: decimal(amount) };
}

async function place(work: Work, { orders, flags, context }: Asked): Promise<Findings> {
  const { venue } = work;
  const { market, side, account } = flags;
  const prepared = await prepareBatch(venue, { market, side, account, orders });
  const prices = orders.map(({ price }) => price);
  const warning = await priceWarning({ venue, market: prepared.market, side, prices });
  return showAndPlace(context, {
    flags,
    plan: [`${venue.host}: ${sentenceOf(prepared)}`],
    warning,
    json: (outcome) => batchJson(prepared, { outcome, warning }),
    send: async () => {
      const report = await placeBatch(venue, prepared);
      return found(report, { prepared, work, context, warning });
    },
  });
}

function found(
  report: BatchReport,
  to: {
    readonly prepared: PreparedBatch;
    readonly work: Work;
    readonly context: CommandContext;
    readonly warning: string | undefined;
  },
): Findings {
  const { orders, remark } = report;
  const count = (outcome: string) => orders.filter((order) => order.outcome === outcome).length;
  const [placed, unknown] = [count('placed'), count('unknown')];
  const outcome = placed === orders.length ? 'placed' : unknown > 0 ? 'unknown' : 'placed in part';
  if (outcome !== 'placed') to.context.exitWith(EXIT_CODES[unknown > 0 ? 'unknown' : 'refused']);
  const rows = orders.map((order) => [
    ...[digits(order.price), digits(order.amount), order.outcome, order.id ?? '-'],
  ]);
  const { market } = to.prepared;
  const sums = [`price ${market.quote}`, `amount ${market.base}`].map(numbers);
  const heads = [...sums, words('outcome'), words('id')];
  return {
    json: batchJson(to.prepared, { outcome, report, warning: to.warning }),
    lines: [
      `placed ${placed} of ${orders.length}`,
      ...table(heads, { rows, paint: to.work.paint }),
      ...(remark === undefined ? [] : [`the exchange says: ${printable(remark)}`]),
    ],
  };
}

function sentenceOf({ wish, market, amount, value }: PreparedBatch): string {
  const { side, orders, account } = wish;
  const sums = `${amountOf(amount, market.base)}, worth ${amountOf(value, market.quote)}`;
  const payer = account === 'spot' ? '' : `, ${account} margin account`;
  return `${side} ${sums}, in ${orders.length} limit orders${payer}`;
}

type BatchOutcome = 'placed' | 'placed in part' | 'unknown' | 'not sent' | 'sending';

function batchJson(
  { wish, value }: PreparedBatch,
  result: {
    readonly outcome: BatchOutcome;
    readonly report?: BatchReport;
    readonly warning: string | undefined;
  },
) {
  const { market, side, account } = wish;
  const { outcome, report } = result;
  const orders = report?.orders ?? wish.orders.map((order) => ({ ...order, outcome }));
  return {
    ...{ outcome, market, side, account, value: digits(value), remark: report?.remark ?? null },
    warning: result.warning ?? null,
    orders: orders.map((order) => ({
      ...{ price: digits(order.price), amount: digits(order.amount), outcome: order.outcome },
      id: ('id' in order ? order.id : undefined) ?? null,
    })),
  };
}
