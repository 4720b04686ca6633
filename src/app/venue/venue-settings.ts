import type { DeploymentConfig } from '../config/deployment.ts';
import { lackingIn, marketRuleOf, type SettingOf } from '../refusal-settings.ts';

/** Names the settings behind a refusal: rules or balances of an embedded venue, none of others. */
export function venueSettings(venue: DeploymentConfig['venue']): SettingOf {
  if (venue.kind !== 'simulated') return () => undefined;
  const listed = new Set(venue.markets.map(({ id }) => id));
  const account = venue.account ?? venue.accounts[0]?.name;
  return (refusal, market) => {
    const rule = marketRuleOf(refusal, market);
    if (rule !== undefined)
      return listed.has(market) ? `venue.markets.${market}.${rule}` : undefined;
    const currency = lackingIn(refusal);
    if (currency === undefined || account === undefined) return undefined;
    return `venue.accounts.${account}.balances.${currency}`;
  };
}
