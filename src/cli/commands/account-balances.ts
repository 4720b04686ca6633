import { type Command, Option } from 'commander';
import { type AccountName, type MarginAsset, type MarginWorth, rooms } from '../../app/index.ts';
import { grouped, numbers, table, words } from '../table.ts';
import {
  answer,
  type CommandContext,
  type CommonFlags,
  type Findings,
  venueCommand,
  type Work,
} from './context.ts';
import { digits } from './values.ts';

const { ACCOUNT_NAMES, read } = await rooms.terminal();

const needs = { keys: true };

interface BalanceFlags extends CommonFlags {
  readonly all?: boolean;
  readonly account: AccountName;
}

/** `tradewind account balances`: available and frozen, by currency, of any of the three accounts. */
export function addBalances(group: Command, context: CommandContext): void {
  const found = { spot: spotFound, isolated: isolatedFound, cross: crossFound };
  venueCommand(group, {
    name: 'balances',
    description: 'what is available and what orders hold, by currency',
    needs,
    examples: ['account balances', 'account balances --json', 'account balances --account cross'],
  })
    .addOption(
      new Option('--account <name>', 'which account; the margin accounts with what they owe')
        .choices(Object.keys(ACCOUNT_NAMES))
        .default('spot'),
    )
    .option('--all', 'also currencies without a balance')
    .action((flags: BalanceFlags) =>
      answer(context, { flags, needs }, (work) => found[flags.account](work, flags)),
    );
}

/** Whether there is something of a currency, free or frozen. */
export function isHeld(balance: {
  available: { sign: number };
  frozen: { sign: number };
}): boolean {
  return balance.available.sign !== 0 || balance.frozen.sign !== 0;
}

function isUsed(asset: MarginAsset): boolean {
  return isHeld(asset) || asset.loan.sign !== 0 || asset.overdraft.sign !== 0;
}

async function spotFound({ venue, paint }: Work, { all }: BalanceFlags): Promise<Findings> {
  const { balances } = await read(venue, venue.exchange.account.account());
  const json = balances
    .filter((balance) => all === true || isHeld(balance))
    .map((balance) => ({
      currency: balance.currency,
      available: digits(balance.available),
      frozen: digits(balance.frozen),
      total: digits(balance.available.plus(balance.frozen)),
    }));
  const heads = ['available', 'frozen', 'total'].map(numbers);
  const rows = json.map((one) => Object.values(one));
  return { json: { balances: json }, lines: table([words('currency'), ...heads], { rows, paint }) };
}

/** The table's columns for each currency of a margin account. */
const ASSET_HEADS = [
  words('currency'),
  ...['available', 'frozen', 'loan', 'overdraft', 'transferable'].map(numbers),
];

function assetJson(asset: MarginAsset) {
  return {
    currency: asset.currency,
    available: digits(asset.available),
    frozen: digits(asset.frozen),
    loan: digits(asset.loan),
    overdraft: digits(asset.overdraft),
    transferable: digits(asset.transferable),
  };
}

function worthJson({ total, net, loan, riskRate }: MarginWorth) {
  const risk = riskRate === undefined ? null : digits(riskRate);
  return { total: digits(total), net: digits(net), loan: digits(loan), riskRate: risk };
}

function worthLines(worth: MarginWorth): string[] {
  const { riskRate, ...sums } = worthJson(worth);
  const [total, net, loan] = [sums.total, sums.net, sums.loan].map(grouped);
  return [
    `in the exchange's unit of account: worth ${total}, loans ${loan}, net ${net}`,
    `risk rate (worth / loans): ${riskRate ?? '-, without a loan'}`,
  ];
}

async function crossFound({ venue, paint }: Work, { all }: BalanceFlags): Promise<Findings> {
  const { assets, ...worth } = await read(venue, venue.exchange.margin.crossAccount());
  const json = assets.filter((asset) => all === true || isUsed(asset)).map(assetJson);
  const rows = json.map((one) => Object.values(one));
  return {
    json: { ...worthJson(worth), assets: json },
    lines: [...worthLines(worth), ...table(ASSET_HEADS, { rows, paint })],
  };
}

async function isolatedFound({ venue, paint }: Work, { all }: BalanceFlags): Promise<Findings> {
  const told = await read(venue, venue.exchange.margin.isolatedAccount());
  const markets = told.filter(({ base, quote }) => all === true || [base, quote].some(isUsed));
  const groups = markets.map(({ market, base, quote, ...worth }) => {
    const rows = [base, quote].map((asset) => Object.values(assetJson(asset)));
    return [market, ...worthLines(worth), ...table(ASSET_HEADS, { rows, paint })];
  });
  const json = markets.map(({ market, base, quote, ...worth }) => ({
    ...{ market, ...worthJson(worth), base: assetJson(base), quote: assetJson(quote) },
  }));
  const lines = groups.flatMap((group, index) => (index === 0 ? group : ['', ...group]));
  return {
    json: { markets: json },
    lines: lines.length === 0 ? ['nothing on the isolated account'] : lines,
  };
}
