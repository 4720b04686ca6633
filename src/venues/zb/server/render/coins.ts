import type { Balance } from '../../../../domain/index.ts';
import type { CurrencyInfo } from '../../../../exchange/index.ts';

/** Decimal places of a currency without a description. */
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
    // Clients take the English name for the code, so the name for people is in the other one.
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
 * The number of a currency. The exchange's own numbers are not public: the name read in base 36
 * replaces them, always the same number for the same currency.
 */
export function fundTypeOf(currency: string): number {
  return Number.parseInt(currency, 36) || 0;
}
