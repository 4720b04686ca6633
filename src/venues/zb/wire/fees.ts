import type { WithdrawalFee } from '../../../domain/index.ts';
import { acknowledged } from './acknowledged.ts';
import { decimalOf, fieldsOf, flagOf, listOf, textOf } from './read.ts';

/**
 * The answer of `getFeeInfo`, by currency in lower case. Source: contract, Withdrawal fee item.
 *
 * @throws {WireError}
 */
export function readWithdrawalFees(json: unknown): ReadonlyMap<string, readonly WithdrawalFee[]> {
  const fees = fieldsOf(acknowledged(json).result, 'fees');
  return new Map(
    Object.entries(fees).map(([currency, chains]) => [
      currency.toLowerCase(),
      listOf(chains, `fees of ${currency}`).map((value) => feeOf(value, currency)),
    ]),
  );
}

function feeOf(value: unknown, currency: string): WithdrawalFee {
  const fee = fieldsOf(value, `fee of ${currency}`);
  return {
    chain: textOf(fee.chainName, `chainName of ${currency}`),
    mainChain: textOf(fee.mainChainName, `mainChainName of ${currency}`),
    fee: decimalOf(fee.fee, `fee of ${currency}`),
    canDeposit: flagOf(fee.canDeposit, `canDeposit of ${currency}`),
    canWithdraw: flagOf(fee.canWithdraw, `canWithdraw of ${currency}`),
  };
}
