import {
  currenciesOf,
  type Market,
  type Position,
  type PositionEntry,
} from '../../domain/index.ts';
import type { StrategyInstance } from '../../engine/index.ts';
import type { Decimal } from '../../kernel/index.ts';
import { flatPosition, foldEntry, type PositionLedger } from '../../ledger/index.ts';
import type { Recollection } from './recall.ts';

/** What is held for a strategy that does not trade in the market now: renamed, moved or removed. */
export interface UnownedPosition {
  readonly strategy: string;
  /** In the base currency; negative for a short position. */
  readonly amount: Decimal;
}

/**
 * What earlier runs left in a market and no strategy of this run will close. It counts in all
 * limits of the market. A strategy of the same name that trades there takes it over.
 */
export function unownedIn(
  market: string,
  parts: {
    readonly positions: Pick<PositionLedger, 'held'>;
    readonly strategies: readonly Pick<StrategyInstance, 'name' | 'markets'>[];
  },
): UnownedPosition[] {
  const held = parts.positions.held().find((one) => one.market === market)?.ofStrategy ?? [];
  return [...held]
    .map(([strategy, { amount }]) => ({ strategy, amount }))
    .filter(({ strategy, amount }) => {
      return amount.sign !== 0 && !isTraded({ strategy, market }, parts.strategies);
    });
}

/** Whether one of the strategies has that name and trades in that market. */
export function isTraded(
  { strategy, market }: { readonly strategy: string; readonly market: string },
  strategies: readonly Pick<StrategyInstance, 'name' | 'markets'>[],
): boolean {
  return strategies.some(
    ({ name, markets }) => name === strategy && markets.some(({ id }) => id === market),
  );
}

/** What is held in a market that the deployment no longer trades. */
export interface LeftPosition extends UnownedPosition {
  readonly market: string;
  readonly base: string;
}

/**
 * What earlier runs left in markets that this run does not trade. It counts in no limit, and no
 * strategy knows of it until the market is traded again.
 */
export function leftElsewhere(
  past: Pick<Recollection, 'held' | 'bookings'>,
  markets: { has(market: string): boolean },
): LeftPosition[] {
  return positionsElsewhere(past, markets)
    .map(([strategy, { market, amount }]) => {
      return { market, base: currenciesOf(market).base, strategy, amount };
    })
    .filter(({ amount }) => amount.sign !== 0);
}

/** Positions of strategies in markets that this run does not trade, flat ones included. */
export function positionsElsewhere(
  { held, bookings }: Pick<Recollection, 'held' | 'bookings'>,
  markets: { has(market: string): boolean },
): (readonly [strategy: string, Position])[] {
  const positions = new Map(
    held.map(({ market, ofStrategy }) => [market, new Map(ofStrategy)] as const),
  );
  for (const entry of bookings) {
    if (markets.has(entry.market)) continue;
    const { market, strategy } = entry;
    const ofStrategy = positions.get(market) ?? new Map();
    const before = ofStrategy.get(strategy) ?? flatPosition(market);
    const after = foldEntry(before, { entry, market: formerMarket(entry) });
    positions.set(market, ofStrategy.set(strategy, after));
  }
  return [...positions].flatMap(([market, ofStrategy]) =>
    markets.has(market) ? [] : [...ofStrategy],
  );
}

/** A market whose rules were not asked for: amounts traded there keep their own digits. */
function formerMarket({ market: id }: PositionEntry): Market {
  const rules = { priceScale: 0, amountScale: 0, minAmount: 0, minSize: 0 };
  return { id, ...currenciesOf(id), ...rules };
}
