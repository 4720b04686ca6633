import type {
  Bill,
  ChainAddress,
  Deposit,
  Page,
  Withdrawal,
  WithdrawalFee,
} from '../../../../domain/index.ts';
import { writtenTime } from '../../wire/dates.ts';
import { DEPOSIT_CODES } from '../../wire/deposits.ts';
import { WITHDRAWAL_CODES } from '../../wire/withdrawals.ts';

// Sums are written with their exact digits, as JSON numbers where the contract has numbers.

/**
 * Source: contract, Spot bill item. It calls `total` "balance", too: the same sum, without a name.
 */
export function renderBill({ id, currency, change, balance, time, type, remark }: Bill): string {
  const name = currency.toUpperCase();
  const sign = change.sign > 0 ? '+' : '';
  return (
    `{"id":${longOf(id)},"currencyName":${quoted(name)}` +
    `,"balance":${quoted(`${balance}${name}`)},"changeAmount":${quoted(`${sign}${change}${name}`)}` +
    `,"total":"${balance}","date":${time},"showDate":"${writtenTime(time)}"` +
    `,"typeDesc":${quoted(type)},"remark":${quoted(remark)}}`
  );
}

/** Source: contract, Multi-chain deposit address item. */
export function renderChainAddress(place: ChainAddress): string {
  const { chain = '', address, memo, canDeposit, canWithdraw } = place;
  const where =
    memo === undefined
      ? `"address":${quoted(address)}`
      : `"account":${quoted(address)},"memo":${quoted(memo)}`;
  return (
    `{"blockChain":${quoted(chain)},"canDeposit":${canDeposit},"canWithdraw":${canWithdraw}` +
    `,"isUseMemo":${memo !== undefined},${where}}`
  );
}

/** Source: contract, Withdrawal record. `manageTime` is 0 until the withdrawal was dealt with. */
function renderWithdrawal(withdrawal: Withdrawal): string {
  const { id, amount, fee, status, submitTime, manageTime = 0, address, hash } = withdrawal;
  return (
    `{"amount":${amount},"fees":${fee},"id":${longOf(id)},"status":${WITHDRAWAL_CODES[status]}` +
    `,"submitTime":${submitTime},"manageTime":${manageTime},"toAddress":${quoted(address)}` +
    `,"merchantOrderNo":${quoted(withdrawal.merchantOrderNumber)},"hash":${quoted(hash)}}`
  );
}

/** A page of withdrawals. Source: contract, Withdrawal record, page wrapper. */
export function renderWithdrawals({ items, page, pageSize, totalCount }: Page<Withdrawal>): string {
  const totals = `"totalCount":${totalCount},"totalPage":${Math.ceil(totalCount / pageSize)}`;
  return (
    `{"list":[${items.map(renderWithdrawal).join(',')}]` +
    `,"pageIndex":${page},"pageSize":${pageSize},${totals}}`
  );
}

/** Source: contract, Deposit record. */
function renderDeposit(deposit: Deposit): string {
  const { id, address, amount, confirmations, currency, description, hash } = deposit;
  return (
    `{"address":${quoted(address)},"amount":"${amount}","confirmTimes":${confirmations}` +
    `,"currency":${quoted(currency.toUpperCase())},"description":${quoted(description)}` +
    `,"hash":${quoted(hash)},"id":${longOf(id)},"itransfer":${deposit.internal ? 1 : 0}` +
    `,"status":${DEPOSIT_CODES[deposit.status]},"submit_time":"${writtenTime(deposit.submitTime)}"}`
  );
}

/** A page of deposits. Source: contract, Deposit record, page wrapper. */
export function renderDeposits({ items, page, pageSize, totalCount }: Page<Deposit>): string {
  return (
    `{"list":[${items.map(renderDeposit).join(',')}]` +
    `,"pageIndex":${page},"pageSize":${pageSize},"total":${totalCount}}`
  );
}

/** Fees by currency. Source: contract, Withdrawal fee item. */
export function renderFees(fees: ReadonlyMap<string, readonly WithdrawalFee[]>): string {
  const entries = Array.from(fees, ([currency, chains]) => {
    return `${quoted(currency.toUpperCase())}:[${chains.map(renderFee).join(',')}]`;
  });
  return `{${entries.join(',')}}`;
}

function renderFee({ chain, mainChain, fee, canDeposit, canWithdraw }: WithdrawalFee): string {
  return (
    `{"chainName":${quoted(chain)},"canWithdraw":${canWithdraw},"fee":${fee}` +
    `,"mainChainName":${quoted(mainChain)},"canDeposit":${canDeposit}}`
  );
}

/** An id as the contract's long, with its exact digits; as a string if it is not made of digits. */
function longOf(id: string): string {
  return /^(?:0|[1-9]\d*)$/.test(id) ? id : quoted(id);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
