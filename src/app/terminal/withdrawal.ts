import type { WithdrawalFee } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { AppError } from '../errors.ts';
import { verifiedAddress } from './addresses.ts';
import { change, read } from './answers.ts';
import { commandLine } from './command-line.ts';
import type { ConnectedVenue } from './connected-venue.ts';

/** A withdrawal as a person asks for it. */
export interface WithdrawalWish {
  readonly currency: string;
  /** What is to arrive. */
  readonly amount: Decimal;
  /** Default: the verified one that the exchange tells. */
  readonly address?: string | undefined;
  /** Memo or tag, where the chain knows them. */
  readonly memo?: string | undefined;
  /** Whose fee is paid. Default: the only one there is; with several an address is wanted too. */
  readonly chain?: string | undefined;
  /** Allow a transfer within the exchange. */
  readonly internal: boolean;
}

/** All that a person must have seen before money leaves. */
export interface PreparedWithdrawal {
  readonly currency: string;
  readonly amount: Decimal;
  /** The most that is charged, if a transfer within the exchange is allowed. */
  readonly fee: Decimal;
  /** Amount plus fee, which leaves the balance; a maximum if the fee is one. */
  readonly leaves: Decimal;
  readonly available: Decimal;
  /** The chain whose fee is paid. Which chain the money takes depends on the address alone. */
  readonly chain: string;
  /** With the memo, as `<account>_<memo>`, where there is one. Source: contract, receiveAddr. */
  readonly address: string;
  /** What the exchange tells as verified; undefined where it tells none. */
  readonly verified: string | undefined;
  readonly internal: boolean;
  /** The command that shows whether it was taken. */
  readonly lookUp: string;
}

/**
 * Gathers what a withdrawal takes; only reads are sent.
 *
 * @throws {AppError} `refused` when it cannot be: no fee known, no address, too little there.
 */
export async function prepareWithdrawal(
  venue: ConnectedVenue,
  wish: WithdrawalWish,
): Promise<PreparedWithdrawal> {
  const { amount, internal } = wish;
  const currency = wish.currency.toLowerCase();
  if (amount.sign <= 0) throw refused(`the amount is ${amount}, one above 0 is wanted`);
  const { fee, chain } = await feeOf(venue, { ...wish, currency });
  const verified = await verifiedAddress(venue, currency);
  const address = addressOf(wish, { currency, verified });
  const available = await availableOf(venue, currency);
  const leaves = amount.plus(fee);
  // Within the exchange no fee is charged; whether it stays within is known to the exchange alone.
  const least = internal ? amount : leaves;
  if (least.compare(available) > 0) {
    const withFee = internal ? '' : ` with the fee of ${fee}`;
    throw refused(
      `${least} ${currency} would leave${withFee}, but ${available} ${currency} is available`,
    );
  }
  const lookUp = commandLine(['account', 'withdrawals', currency, ...venue.flags]);
  const terms = { currency, amount, fee, leaves, available, chain, address, verified };
  return { ...terms, internal, lookUp };
}

/**
 * Sends a withdrawal, once. The password goes nowhere else.
 *
 * @throws {AppError} `unknown` when it may have been taken: look it up, do not repeat it.
 */
export async function submitWithdrawal(
  venue: ConnectedVenue,
  prepared: PreparedWithdrawal,
  { password }: { readonly password: string },
): Promise<{ readonly withdrawalId: string }> {
  const { currency, amount, fee, address, internal, lookUp } = prepared;
  const request = { currency, amount, fee, address, internal, password };
  const advice =
    'The withdrawal may or may not have been taken. Do not repeat it; wait a minute, then look ' +
    `for ${amount} ${currency} in the list:\n  ${lookUp}`;
  return change(venue, { lookUp: advice, answer: venue.exchange.funds.withdraw(request) });
}

/** The fee of the withdrawal's chain. @throws {AppError} `refused` when it is not certain. */
async function feeOf(
  venue: ConnectedVenue,
  { currency, chain, address, internal }: WithdrawalWish,
): Promise<WithdrawalFee> {
  const fees = await withdrawalFees(venue, currency);
  const chains = [...(fees.get(currency) ?? [])];
  const names = chains.map((one) => one.chain).join(', ');
  if (chains.length === 0) throw refused(`no withdrawal fee of ${currency} is known`);
  const named = chain?.toLowerCase();
  const fitting = chains.filter((one) => named === undefined || one.chain.toLowerCase() === named);
  if (fitting.length === 0) {
    throw refused(`${currency} has no chain "${chain}", one of ${names} is wanted`);
  }
  if (chains.length > 1 && (chain === undefined || address === undefined)) {
    throw refused(
      `${currency} has the chains ${names}, one of them (--chain) and a verified address on it ` +
        '(--address) are wanted',
    );
  }
  const fee = fitting[0]!;
  if (fee.canWithdraw || internal) return fee;
  throw refused(`withdrawals of ${currency} by ${fee.chain} are suspended`);
}

/** What withdrawals cost, by currency in lower case. Default: of all currencies. */
export async function withdrawalFees(
  venue: ConnectedVenue,
  currency?: string,
): Promise<ReadonlyMap<string, readonly WithdrawalFee[]>> {
  const fees = await read(venue, venue.exchange.funds.withdrawalFees(currency));
  return new Map([...fees].map(([name, chains]) => [name.toLowerCase(), chains]));
}

function addressOf(
  { address, memo }: WithdrawalWish,
  { currency, verified }: { readonly currency: string; readonly verified: string | undefined },
): string {
  const base = address ?? verified;
  if (base === undefined) {
    throw refused(`no verified address of ${currency} is known, one is wanted (--address)`);
  }
  if (memo === undefined) return base;
  if (address !== undefined) return `${address}_${memo}`;
  throw refused('a memo belongs to an address, --address is wanted beside --memo');
}

async function availableOf(venue: ConnectedVenue, currency: string): Promise<Decimal> {
  const { balances } = await read(venue, venue.exchange.account.account());
  const balance = balances.find((one) => one.currency.toLowerCase() === currency);
  return balance?.available ?? Decimal.ZERO;
}

function refused(what: string): AppError {
  return new AppError('refused', `Cannot withdraw: ${what}`);
}
