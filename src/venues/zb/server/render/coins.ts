import type { Balance } from '../../../../domain/index.ts';

/** Decimal places that the exchange shows of any currency. */
const UNIT_DECIMAL = 8;

/**
 * Balances as the coins of `getAccountInfo`. Source: contract, Account info.
 *
 * The exchange's own fund type codes are not public: the name read in base 36 stands for them, the
 * same number for the same currency always.
 */
export function renderCoins(balances: readonly Balance[]): string {
  return JSON.stringify(balances.map(coinOf));
}

function coinOf({ currency, available, frozen }: Balance) {
  const name = currency.toUpperCase();
  return {
    key: currency.toLowerCase(),
    enName: name,
    cnName: name,
    showName: name,
    unitTag: name,
    unitDecimal: UNIT_DECIMAL,
    fundstype: Number.parseInt(currency, 36) || 0,
    available: available.toString(),
    freez: frozen.toString(),
    isCanRecharge: true,
    isCanWithdraw: true,
    canLoan: false,
  };
}
