import type { Command } from 'commander';
import { type Deposit, printable, rooms, type Withdrawal } from '../../app/index.ts';
import { currency, wholeNumber } from '../arguments.ts';
import { numbers, table, words } from '../table.ts';
import {
  answer,
  type CommandContext,
  type CommonFlags,
  type Findings,
  venueCommand,
  type Work,
} from './context.ts';
import { digits, utc, yesNo } from './values.ts';

const { addressesOf, read, withdrawalFees } = await rooms.terminal();

const needs = { keys: true };
const CURRENCY = 'such as btc';

/** `tradewind account addresses`: where to deposit a currency, and where it may go. */
export function addAddresses(group: Command, context: CommandContext): void {
  venueCommand(group, {
    name: 'addresses',
    description: 'where a currency comes in, and the verified address it may go to',
    needs,
    examples: ['account addresses btc'],
  })
    .argument('<currency>', CURRENCY, currency)
    .action((name: string, flags: CommonFlags) =>
      answer(context, { flags, needs }, async ({ venue, paint }) => {
        const { deposits, withdrawal } = await addressesOf(venue, name);
        const rows = deposits.map((one) => [
          one.chain ?? '-',
          one.address,
          one.memo ?? '-',
          yesNo(one.canDeposit),
          yesNo(one.canWithdraw),
        ]);
        const heads = ['chain', 'deposit address', 'memo', 'deposits', 'withdrawals'].map(words);
        const list = deposits.map(({ chain = null, memo = null, ...one }) => ({
          ...{ chain, address: one.address, memo },
          ...{ canDeposit: one.canDeposit, canWithdraw: one.canWithdraw },
        }));
        return {
          json: { currency: name, deposits: list, withdrawal: withdrawal ?? null },
          lines: [
            ...table(heads, { rows, paint }),
            withdrawal === undefined
              ? 'no verified address to withdraw to is known'
              : `verified address to withdraw to: ${printable(withdrawal)}`,
          ],
        };
      }),
    );
}

interface PageFlags extends CommonFlags {
  readonly page: number;
  readonly pageSize: number;
}

/** A list of one currency's records, page by page. */
function recordsCommand(group: Command, text: { name: string; description: string }): Command {
  const examples = [`account ${text.name} btc`, `account ${text.name} btc --page 2 --json`];
  return venueCommand(group, { ...text, needs, examples })
    .argument('<currency>', CURRENCY, currency)
    .option('--page <number>', 'from 1', wholeNumber(1, Number.MAX_SAFE_INTEGER), 1)
    .option('--page-size <count>', 'records a page, 1 to 100', wholeNumber(1, 100), 20);
}

/** `tradewind account deposits`: money that came in or is about to. */
export function addDeposits(group: Command, context: CommandContext): void {
  recordsCommand(group, {
    name: 'deposits',
    description: 'deposits of a currency, newest first',
  }).action((name: string, flags: PageFlags) =>
    answer(context, { flags, needs }, async ({ venue, paint }) => {
      const { page, pageSize } = flags;
      const query = { currency: name, page, pageSize };
      const found = await read(venue, venue.exchange.funds.deposits(query));
      const json = found.items.map(depositJson);
      const rows = json.map((one) => [
        ...[one.submitTime, one.status, one.amount, String(one.confirmations)],
        ...[one.internal ? 'within the exchange' : one.address, one.hash || '-', one.id],
      ]);
      const heads = [words('time'), words('status'), numbers('amount'), numbers('confirmations')];
      const others = ['address', 'hash', 'id'].map(words);
      return paged(found, {
        json: { currency: name, deposits: json },
        lines: table([...heads, ...others], { rows, paint }),
      });
    }),
  );
}

function depositJson(one: Deposit) {
  const { id, address, confirmations, description, hash, internal, status } = one;
  const facts = { status, confirmations, internal, address, hash, description };
  const time = { submitTime: utc(one.submitTime) };
  return { id, currency: one.currency, amount: digits(one.amount), ...facts, ...time };
}

/** `tradewind account withdrawals`: money that left or is about to. */
export function addWithdrawals(group: Command, context: CommandContext): void {
  recordsCommand(group, {
    name: 'withdrawals',
    description: 'withdrawals of a currency, newest first',
  }).action((name: string, flags: PageFlags) =>
    answer(context, { flags, needs }, async ({ venue, paint }) => {
      const { page, pageSize } = flags;
      const query = { currency: name, page, pageSize };
      const found = await read(venue, venue.exchange.funds.withdrawals(query));
      const json = found.items.map(withdrawalJson);
      const rows = json.map((one) => [
        ...[one.submitTime, one.status, one.amount, one.fee],
        ...[one.address, one.hash || '-', one.id],
      ]);
      const heads = [words('time'), words('status'), numbers('amount'), numbers('fee')];
      const others = ['address', 'hash', 'id'].map(words);
      return paged(found, {
        json: { currency: name, withdrawals: json },
        lines: table([...heads, ...others], { rows, paint }),
      });
    }),
  );
}

function withdrawalJson(one: Withdrawal) {
  const { id, status, address, hash, merchantOrderNumber, manageTime } = one;
  return {
    ...{ id, amount: digits(one.amount), fee: digits(one.fee), status, address, hash },
    merchantOrderNumber,
    submitTime: utc(one.submitTime),
    manageTime: manageTime === undefined ? null : utc(manageTime),
  };
}

/** The findings with their page and the total count. */
function paged(
  found: { readonly page: number; readonly pageSize: number; readonly totalCount: number },
  { json, lines }: { readonly json: object; readonly lines: readonly string[] },
): Findings {
  const { page, pageSize, totalCount } = found;
  const pages = Math.max(1, Math.ceil(totalCount / pageSize));
  return {
    json: { ...json, page, pageSize, totalCount },
    lines: [...lines, `page ${page} of ${pages}, ${totalCount} in all`],
  };
}

/** `tradewind account fees`: what withdrawals cost. */
export function addFees(group: Command, context: CommandContext): void {
  venueCommand(group, {
    name: 'fees',
    description: 'what withdrawals cost, by currency and chain',
    needs,
    examples: ['account fees', 'account fees btc'],
  })
    .argument('[currency]', `${CURRENCY} (default: all)`, currency)
    .action((name: string | undefined, flags: CommonFlags) =>
      answer(context, { flags, needs }, (work) => feesFound(work, name)),
    );
}

async function feesFound({ venue, paint }: Work, name: string | undefined): Promise<Findings> {
  const byCurrency = await withdrawalFees(venue, name);
  const wanted = [...byCurrency].filter(([of]) => name === undefined || of === name);
  const json = wanted.flatMap(([of, chains]) =>
    chains.map(({ chain, mainChain, fee, canDeposit, canWithdraw }) => ({
      ...{ currency: of, chain, mainChain, fee: digits(fee), canDeposit, canWithdraw },
    })),
  );
  const rows = json.map((one) => [
    ...[one.currency, one.chain, one.fee],
    ...[yesNo(one.canDeposit), yesNo(one.canWithdraw)],
  ]);
  const heads = [words('currency'), words('chain'), numbers('fee')];
  const others = ['deposits', 'withdrawals'].map(words);
  return { json: { fees: json }, lines: table([...heads, ...others], { rows, paint }) };
}
