import {
  DEPOSIT_STATUSES,
  type Deposit,
  type DepositStatus,
  type Page,
} from '../../../domain/index.ts';
import { datasOf } from './acknowledged.ts';
import { writtenTimeOf } from './dates.ts';
import { countOf, pageOf } from './pages.ts';
import { decimalOf, type Fields, idOf, illegible, nameOf, textOf } from './read.ts';

/** Source: contract, Deposit status. */
export const DEPOSIT_CODES: Readonly<Record<DepositStatus, number>> = {
  waiting: 0,
  failed: 1,
  succeeded: 2,
};

/** The answer of `getChargeRecord`. Source: contract, Deposit record. @throws {WireError} */
export function readDeposits(json: unknown): Page<Deposit> {
  return pageOf(datasOf(json), { total: 'total', read: depositOf });
}

function depositOf(record: Fields): Deposit {
  const code = countOf(record.status, "deposit's status");
  const status = DEPOSIT_STATUSES.find((name) => DEPOSIT_CODES[name] === code);
  return {
    id: idOf(record.id, "deposit's id"),
    currency: nameOf(record.currency, "deposit's currency"),
    amount: decimalOf(record.amount, "deposit's amount"),
    address: textOf(record.address, "deposit's address"),
    confirmations: countOf(record.confirmTimes, "deposit's confirmTimes"),
    description: textOf(record.description, "deposit's description"),
    hash: textOf(record.hash, "deposit's hash"),
    internal: internalOf(record.itransfer),
    status: status ?? illegible("deposit's status", code, '0, 1 or 2'),
    submitTime: writtenTimeOf(record.submit_time, "deposit's submit_time"),
  };
}

/** Source: contract, Deposit record: 1 yes, 0 no. */
function internalOf(itransfer: unknown): boolean {
  const value = countOf(itransfer, "deposit's itransfer");
  return value <= 1 ? value === 1 : illegible("deposit's itransfer", value, '0 or 1');
}
