import {
  type Page,
  WITHDRAWAL_STATUSES,
  type Withdrawal,
  type WithdrawalStatus,
} from '../../../domain/index.ts';
import { acknowledged, datasOf } from './acknowledged.ts';
import { countOf, pageOf } from './pages.ts';
import { decimalOf, type Fields, idOf, illegible, textOf, timeOf } from './read.ts';

/** Source: contract, Withdrawal status. */
export const WITHDRAWAL_CODES: Readonly<Record<WithdrawalStatus, number>> = {
  submitted: 0,
  failed: 1,
  succeeded: 2,
  cancelled: 3,
  confirmed: 5,
};

/** The answer of `withdraw`: the id of its record. @throws {WireError} */
export function readWithdrawn(json: unknown): { readonly withdrawalId: string } {
  return { withdrawalId: idOf(acknowledged(json).id, 'id of the withdrawal') };
}

/** The answer of `getWithdrawRecord`. Source: contract, Withdrawal record. @throws {WireError} */
export function readWithdrawals(json: unknown): Page<Withdrawal> {
  return pageOf(datasOf(json), { total: 'totalCount', read: withdrawalOf });
}

function withdrawalOf(record: Fields): Withdrawal {
  const code = countOf(record.status, "withdrawal's status");
  const status = WITHDRAWAL_STATUSES.find((name) => WITHDRAWAL_CODES[name] === code);
  return {
    id: idOf(record.id, "withdrawal's id"),
    amount: decimalOf(record.amount, "withdrawal's amount"),
    fee: decimalOf(record.fees, "withdrawal's fees"),
    status: status ?? illegible("withdrawal's status", code, '0 to 3 or 5'),
    submitTime: timeOf(record.submitTime, "withdrawal's submitTime"),
    manageTime: manageTimeOf(record.manageTime),
    address: textOf(record.toAddress, "withdrawal's toAddress"),
    merchantOrderNumber: textOf(record.merchantOrderNo, "withdrawal's merchantOrderNo"),
    hash: textOf(record.hash, "withdrawal's hash"),
  };
}

/** Undefined until the withdrawal was dealt with: then the field is missing, empty or 0. */
function manageTimeOf(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return timeOf(value, "withdrawal's manageTime") || undefined;
}
