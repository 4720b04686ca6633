import type { Balance, CrossAccount, MarginAsset } from '../../../domain/index.ts';
import { readCoins } from './account.ts';
import { acknowledged } from './acknowledged.ts';
import { decimalOf, type Fields, fieldsOf, listOf, nameOf, numberOf } from './read.ts';

/** The answer of `getCrossAssets`. Source: wire facts, REST answers. @throws {WireError} */
export function readCrossAccount(json: unknown): CrossAccount {
  const account = fieldsOf(acknowledged(json).result, 'cross account');
  return {
    assets: listOf(account.list, "cross account's list").map(crossAssetOf),
    total: decimalOf(account.total, "cross account's total"),
    net: decimalOf(account.net, "cross account's net"),
    loan: decimalOf(account.loanIn, "cross account's loanIn"),
    riskRate: riskRateOf(account.riskRate, "cross account's riskRate"),
  };
}

function crossAssetOf(value: unknown): MarginAsset {
  const asset = fieldsOf(value, 'cross asset');
  const currency = nameOf(asset.key, "cross asset's key");
  const sum = (name: string) => decimalOf(asset[name], `${name} of ${currency}`);
  return {
    currency,
    available: sum('amount'),
    frozen: sum('freeze'),
    loan: sum('loanIn'),
    overdraft: sum('overdraft'),
    transferable: sum('canTransferOut'),
  };
}

/** Undefined without a loan, which the exchange writes as `-`. @throws {WireError} */
export function riskRateOf(value: unknown, what: string): number | undefined {
  if (value === '-' || value === '' || value === null || value === undefined) return undefined;
  return numberOf(value, what);
}

/**
 * The coins of a `push_user_cross_asset` frame.
 *
 * ASSUMED: its payload is not known (wire facts, WebSocket). It is taken to be that of
 * `push_user_incr_asset`; a `list` with the names of `getCrossAssets` is read as well.
 *
 * @throws {WireError}
 */
export function readCrossCoins({ coins, list }: Fields): readonly Balance[] {
  if (coins !== undefined) return readCoins(coins);
  return listOf(list, 'cross coins')
    .map(crossAssetOf)
    .map(({ currency, available, frozen }) => ({ currency, available, frozen }));
}
