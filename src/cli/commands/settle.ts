import { type Command, InvalidArgumentError, Option } from 'commander';
import { rooms, type SettledOrder } from '../../app/index.ts';
import { columns } from '../format.ts';
import { type CommandContext, examplesText, type Findings, print } from './context.ts';
import { amountOf, digits, utc } from './values.ts';

interface SettleFlags {
  readonly journal: string;
  readonly neverPlaced?: boolean;
  readonly is?: string;
  readonly json?: boolean;
}

/** `tradewind orders settle`: a person's word on an order in doubt, for the next start. */
export function addSettle(group: Command, context: CommandContext): void {
  group
    .command('settle')
    .description('record what became of an order in doubt; nothing is sent')
    .argument('<id>', 'the client id of the order, as the log names it')
    .requiredOption('--journal <file>', 'journal of the deployment, which must not run meanwhile')
    .addOption(new Option('--never-placed', 'the exchange never had it').conflicts('is'))
    .option('--is <id>', "the exchange's id of the order: the next start reads its state", orderId)
    .option('--json', 'one JSON document, for programs')
    .addHelpText(
      'after',
      examplesText([
        'orders settle m4k2x7 --journal var/live.journal --never-placed',
        'orders settle m4k2x7 --journal var/live.journal --is 202202224851151555',
      ]),
    )
    .action(async (clientOrderId: string, flags: SettleFlags, command: Command) => {
      const { journal, neverPlaced, is: exchangeOrderId } = flags;
      if (neverPlaced !== true && exchangeOrderId === undefined) {
        command.error('error: nothing is said of the order: --never-placed or --is is wanted');
      }
      const { settleOrder } = await rooms.settle();
      const settled = settleOrder({ journal, clientOrderId, exchangeOrderId });
      print(context, flags, findingsOf(settled, journal));
    });
}

/** An id as the exchange gives them. */
function orderId(text: string): string {
  if (/^\d+$/.test(text)) return text;
  throw new InvalidArgumentError("an exchange's id such as 202202224851151555 is wanted.");
}

function findingsOf({ before, after }: SettledOrder, journal: string): Findings {
  const { clientOrderId, strategy, market, side, type, createdTime } = before;
  const id = after.status === 'unknown' ? (after.exchangeOrderId ?? null) : null;
  const outcome = id === null ? 'never placed' : 'to be read';
  const price = digits(before.price);
  const amount = digits(before.amount);
  const was = before.status === 'unknown' ? `unknown: ${inShort(before.reason)}` : before.status;
  const [base, quote] = market.split('_');
  const [asked, limit] = [amountOf(before.amount, base), amountOf(before.price, quote)];
  const made = utc(createdTime);
  const names = { journal, clientOrderId, strategy, market };
  return {
    json: { outcome, id, ...names, side, type, price, amount, time: made, was },
    lines: columns([
      ['order', `${clientOrderId} of ${strategy}, ${made}`],
      ['terms', `${side} ${asked} at ${limit}, ${type}`],
      ['was', was],
      ['is now', id === null ? 'never placed' : `${id} at the exchange: the next start reads it`],
    ]),
  };
}

/** A failure's reason without its request's query: the lines above describe the order. */
function inShort(reason: string): string {
  return reason.replace(/(GET \/[^\s?]*)\?\S*?(?=:?(?:\s|$))/g, '$1');
}
