import type { Balance } from '../../../../domain/index.ts';
import type { CurrencyInfo } from '../../../../exchange/index.ts';

/** Decimal places of a currency of which none are told. */
const UNIT_DECIMAL = 8;

/** Balances as the coins of `getAccountInfo`. Source: contract, Account info. */
export function renderCoins(
  balances: readonly Balance[],
  currencies: readonly CurrencyInfo[] = [],
): string {
  const known = new Map(currencies.map((info) => [info.currency, info]));
  return JSON.stringify(balances.map((balance) => coinOf(balance, known.get(balance.currency))));
}

function coinOf({ currency, available, frozen }: Balance, info: CurrencyInfo | undefined) {
  const name = currency.toUpperCase();
  return {
    key: currency.toLowerCase(),
    // Clients take the English name for the code: the name for people stands in the other one.
    enName: name,
    cnName: info?.fullName ?? name,
    showName: name,
    unitTag: name,
    unitDecimal: info?.decimals ?? UNIT_DECIMAL,
    fundstype: fundTypeOf(currency),
    available: available.toString(),
    freez: frozen.toString(),
    isCanRecharge: info?.canDeposit ?? true,
    isCanWithdraw: info?.canWithdraw ?? true,
    canLoan: info?.canLoan ?? false,
  };
}

/**
 * The number that stands for a currency. The exchange's own codes are not public: the name read in
 * base 36 takes their place, the same number for the same currency always.
 */
export function fundTypeOf(currency: string): number {
  return Number.parseInt(currency, 36) || 0;
}
