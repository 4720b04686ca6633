import type { StrategyInstance } from '../engine/index.ts';
import type { Decimal } from '../kernel/index.ts';
import type { PositionLedger } from '../ledger/index.ts';

/** What is held for a strategy that does not trade in that market: one of another name, or gone. */
export interface UnownedPosition {
  readonly strategy: string;
  /** In the base currency, negative where it was sold. */
  readonly amount: Decimal;
}

/**
 * What earlier runs left in a market that no strategy of this one will close. It counts in all limits
 * of the market, and a strategy of the same name that trades there takes it over.
 */
export function unownedIn(
  market: string,
  parts: {
    readonly positions: Pick<PositionLedger, 'held'>;
    readonly strategies: readonly Pick<StrategyInstance, 'name' | 'markets'>[];
  },
): UnownedPosition[] {
  const traders = parts.strategies.filter(({ markets }) => markets.some(({ id }) => id === market));
  const owners = new Set(traders.map(({ name }) => name));
  const held = parts.positions.held().find((one) => one.market === market)?.ofStrategy ?? [];
  return [...held]
    .map(([strategy, { amount }]) => ({ strategy, amount }))
    .filter(({ strategy, amount }) => amount.sign !== 0 && !owners.has(strategy));
}
