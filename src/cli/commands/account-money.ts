import type { Command } from 'commander';
import { type Bill, printable, rooms } from '../../app/index.ts';
import { currency, wholeNumber } from '../arguments.ts';
import { columns } from '../format.ts';
import { numbers, table, words } from '../table.ts';
import { isHeld } from './account-balances.ts';
import {
  answer,
  type CommandContext,
  type CommonFlags,
  type Findings,
  venueCommand,
  type Work,
} from './context.ts';
import { digits, moment, utc, yesNo } from './values.ts';

const { read } = await rooms.terminal();

const needs = { keys: true };

/** What each permission of a key lets it do. Source: contract, Authentication 4. */
const PERMISSIONS = {
  assets: 'read balances and bills',
  orders: 'place, cancel and read orders',
  withdrawals: 'see addresses and withdraw money',
  margin: 'borrow and repay',
} as const;

/** `tradewind account info`: whom the key belongs to and what it may do. */
export function addInfo(group: Command, context: CommandContext): void {
  venueCommand(group, {
    name: 'info',
    description: 'what the key may do, and how much the account holds',
    needs,
    examples: ['account info', 'account info --venue-config my-live.yaml'],
  }).action((flags: CommonFlags) =>
    answer(context, { flags, needs }, async ({ venue }) => {
      const { permissions, balances } = await read(venue, venue.exchange.account.account());
      const held = balances.filter(isHeld).map((balance) => balance.currency);
      const rows = Object.entries(PERMISSIONS).map(([name, what]) => [
        name,
        yesNo(permissions[name as keyof typeof PERMISSIONS]),
        what,
      ]);
      return {
        json: { venue: venue.host, permissions, currencies: held },
        lines: [
          `key at ${venue.host}`,
          ...columns(rows.map((row) => ['', ...row])),
          `the account holds ${held.length === 0 ? 'nothing' : held.map(printable).join(', ')}`,
        ],
      };
    }),
  );
}

interface BillFlags extends CommonFlags {
  readonly currency?: string;
  readonly from?: number;
  readonly to?: number;
  readonly older?: boolean;
  readonly page: number;
  readonly pageSize: number;
}

/** `tradewind account bills`: every change of the spot account. */
export function addBills(group: Command, context: CommandContext): void {
  venueCommand(group, {
    name: 'bills',
    description: 'changes of the spot account, newest first',
    needs,
    examples: ['account bills --currency usdt', 'account bills --older --page 2 --page-size 50'],
  })
    .option('--currency <name>', 'of this currency alone', currency)
    .option('--from <moment>', 'not before, such as 2024-01-31T10:00Z', moment)
    .option('--to <moment>', 'not after', moment)
    .option('--older', 'those older than 48 hours, which the exchange keeps apart')
    .option('--page <number>', 'from 1', wholeNumber(1, Number.MAX_SAFE_INTEGER), 1)
    .option('--page-size <count>', 'bills a page, 10 to 50', wholeNumber(10, 50), 20)
    .action((flags: BillFlags) =>
      answer(context, { flags, needs }, async (work) => {
        const { page, pageSize, older = false, from: startTime, to: endTime } = flags;
        const query = { page, pageSize, older, currency: flags.currency, startTime, endTime };
        const bills = await read(work.venue, work.venue.exchange.funds.bills(query));
        return billsFound(bills, { page, ...work });
      }),
    );
}

function billsFound(
  bills: readonly Bill[],
  { page, paint }: Work & { readonly page: number },
): Findings {
  const json = bills.map((bill) => ({
    id: bill.id,
    time: utc(bill.time),
    currency: bill.currency,
    change: digits(bill.change),
    balance: digits(bill.balance),
    type: bill.type,
    remark: bill.remark,
  }));
  const rows = json.map((one) => [
    ...[one.time, one.currency, one.change, one.balance],
    ...[one.type, one.remark || '-', one.id],
  ]);
  const heads = [words('time'), words('currency'), numbers('change'), numbers('balance')];
  const others = ['type', 'remark', 'id'].map(words);
  return { json: { page, bills: json }, lines: table([...heads, ...others], { rows, paint }) };
}
