import type { ChainAddress } from '../../../domain/index.ts';
import { ExchangeFailure } from '../../../exchange/index.ts';
import { datasOf } from './acknowledged.ts';
import { fieldsOf, flagOf, illegible, listOf, textOf } from './read.ts';

/**
 * The answer of `getUserAddress` or `getWithdrawAddress`. Source: contract, Single-chain deposit
 * address and Withdrawal address.
 *
 * @throws {ExchangeFailure} `rejected` if the exchange gives an empty one: there is none yet.
 * @throws {WireError}
 */
export function readAddress(json: unknown): string {
  const { key } = fieldsOf(datasOf(json), 'address');
  if (typeof key !== 'string') illegible('address', key, 'a text');
  if (key.trim() !== '') return key;
  throw new ExchangeFailure(
    'rejected',
    'Cannot tell the address: there is none, one that was created in the app first is wanted',
  );
}

/**
 * The answer of `getPayinAddress`. Source: contract, Multi-chain deposit address item: account and
 * memo if `isUseMemo` is set, else only the address.
 *
 * @throws {WireError}
 */
export function readChainAddresses(json: unknown): readonly ChainAddress[] {
  return listOf(datasOf(json), 'addresses').map((value) => {
    const item = fieldsOf(value, 'address');
    const usesMemo = flagOf(item.isUseMemo, "address's isUseMemo");
    return {
      chain: textOf(item.blockChain, "address's blockChain") || undefined,
      address: usesMemo
        ? wholeText(item.account, "address's account")
        : wholeText(item.address, "address's address"),
      memo: usesMemo ? wholeText(item.memo, "address's memo") : undefined,
      canDeposit: flagOf(item.canDeposit, "address's canDeposit"),
      canWithdraw: flagOf(item.canWithdraw, "address's canWithdraw"),
    };
  });
}

/** A text that is not empty: money sent to half an address is lost. @throws {WireError} */
function wholeText(value: unknown, what: string): string {
  return textOf(value, what) || illegible(what, value, 'a text');
}
