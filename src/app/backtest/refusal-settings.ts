import { currenciesOf } from '../../domain/index.ts';
import { lackingIn, marketRuleOf, type SettingOf } from '../refusal-settings.ts';

/** Where a backtest says what its exchange asks for, and what the account has. */
export const backtestSetting: SettingOf = (refusal, market) => {
  const rule = marketRuleOf(refusal, market);
  if (rule !== undefined) return `backtest.markets.${market}.${rule}`;
  const currency = lackingIn(refusal);
  if (currency === undefined) return undefined;
  const owned = `backtest.balances.${currency}`;
  // Who sells what is not there may mean to owe it.
  return currency === currenciesOf(market).base ? `backtest.lent.${currency} or ${owned}` : owned;
};
