import { currenciesOf } from '../../domain/index.ts';
import { lackingIn, marketRuleOf, type SettingOf } from '../refusal-settings.ts';

/** Names the settings of a backtest behind a refusal: the exchange's rules or the balances. */
export const backtestSetting: SettingOf = (refusal, market) => {
  const rule = marketRuleOf(refusal, market);
  if (rule !== undefined) return `backtest.markets.${market}.${rule}`;
  const currency = lackingIn(refusal);
  if (currency === undefined) return undefined;
  const owned = `backtest.balances.${currency}`;
  // Selling more than there is may be meant as a short sale.
  return currency === currenciesOf(market).base ? `backtest.lent.${currency} or ${owned}` : owned;
};
