import type { Command } from 'commander';
import { type Decimal, rooms, type SetPosition } from '../../app/index.ts';
import { marketId } from '../arguments.ts';
import { columns } from '../format.ts';
import { grouped } from '../table.ts';
import { type CommandContext, examplesText, type Findings, print } from './context.ts';
import { amountOf, decimal, digits, money, signedDecimal, signedMoney } from './values.ts';

interface SetFlags {
  readonly strategy: string;
  readonly journal: string;
  readonly price?: Decimal;
  readonly json?: boolean;
}

const EXAMPLES = [
  'positions set btc_usdt 0 --strategy maker --journal var/live.journal',
  'positions set btc_usdt 0.25 --strategy maker --journal var/live.journal --price 61000',
];

/** `tradewind positions ...`: what strategies hold, for the next start. */
export function definePositions(group: Command, context: CommandContext): void {
  group.addHelpText('after', examplesText(EXAMPLES));
  group
    .command('set')
    .description('record what a strategy holds after coins were moved by hand; nothing is sent')
    .argument('<market>', 'such as btc_usdt', marketId)
    .argument(
      '<amount>',
      'what it holds now of the base currency; negative: what it owes',
      signedDecimal,
    )
    .requiredOption('--strategy <name>', 'whose position it is')
    .requiredOption('--journal <file>', 'journal of the deployment, which must not run meanwhile')
    .option(
      '--price <price>',
      'price of the trade by hand (default: the average cost of what left)',
      decimal,
    )
    .option('--json', 'one JSON document, for programs')
    .addHelpText('after', examplesText(EXAMPLES))
    .action(async (market: string, amount: Decimal, flags: SetFlags) => {
      const { setPosition } = await rooms.positions();
      const set = setPosition({ ...flags, market, amount });
      print(context, flags, findingsOf(set, flags));
    });
}

function findingsOf(
  { before, after }: SetPosition,
  { journal, strategy, price }: SetFlags,
): Findings {
  const { market } = before;
  const [base, currency] = market.split('_');
  const profit = after.realizedProfit.minus(before.realizedProfit);
  const [was, amount, cost] = [before.amount, after.amount, after.cost].map(digits);
  const told = { was, amount, cost, price: price === undefined ? null : digits(price) };
  const costOf = (position: typeof before) => `cost ${grouped(money(position.cost))} ${currency}`;
  const booked = `${grouped(signedMoney(profit))} ${currency}`;
  return {
    json: { journal, strategy, market, ...told, profit: digits(profit), currency },
    lines: columns([
      ['strategy', `${strategy} in ${market}`],
      ['was', `${amountOf(before.amount, base)}, ${costOf(before)}`],
      ['is now', `${amountOf(after.amount, base)}, ${costOf(after)}`],
      ['profit', profit.sign === 0 ? 'as before' : booked],
    ]),
  };
}
