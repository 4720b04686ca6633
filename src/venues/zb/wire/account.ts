import type { Balance } from '../../../domain/index.ts';
import type { AccountInfo, CurrencyInfo } from '../../../exchange/index.ts';
import { decimalOf, fieldsOf, flagOf, listOf } from './read.ts';

/**
 * The answer of `getAccountInfo`. The rights are beside `result`, or within it.
 *
 * @throws {WireError} also if a right is missing: what a key may do is never guessed.
 */
export function readAccount(
  json: unknown,
  balancesOf: (coins: unknown) => readonly Balance[] = readCoins,
): AccountInfo {
  const answer = fieldsOf(json, 'account');
  const result = fieldsOf(answer.result, "account's result");
  const right = (name: string) => flagOf(answer[name] ?? result[name], `account's ${name}`);
  return {
    balances: balancesOf(result.coins),
    currencies: readCurrencies(result.coins),
    permissions: {
      assets: right('assetPerm'),
      orders: right('entrustPerm'),
      withdrawals: right('moneyPerm'),
      margin: right('leverPerm'),
    },
  };
}

/** Coins as `getAccountInfo` and the pushes list them. @throws {WireError} */
export function readCoins(coins: unknown): readonly Balance[] {
  return listOf(coins, 'coins').map(readCoin);
}

/** One coin of such a list. @throws {WireError} */
export function readCoin(coin: unknown): Balance {
  const { key, available, freez } = fieldsOf(coin, 'coin');
  const currency = String(key).toLowerCase();
  return {
    currency,
    available: decimalOf(available, `available of ${currency}`),
    frozen: decimalOf(freez, `freez of ${currency}`),
  };
}

/**
 * The currencies that the coins of `getAccountInfo` describe; coins without a description are
 * skipped.
 */
function readCurrencies(coins: unknown): readonly CurrencyInfo[] {
  return listOf(coins, 'coins').flatMap((value) => {
    const coin = fieldsOf(value, 'coin');
    const { key, cnName, unitDecimal } = coin;
    if (typeof cnName !== 'string' || typeof unitDecimal !== 'number') return [];
    const flag = (name: string) => coin[name] === true;
    return [
      {
        currency: String(key).toLowerCase(),
        fullName: cnName,
        decimals: unitDecimal,
        canDeposit: flag('isCanRecharge'),
        canWithdraw: flag('isCanWithdraw'),
        canLoan: flag('canLoan'),
      },
    ];
  });
}
