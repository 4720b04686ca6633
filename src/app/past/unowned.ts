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
  const held = parts.positions.held().find((one) => one.market === market)?.ofStrategy ?? [];
  return [...held]
    .map(([strategy, { amount }]) => ({ strategy, amount }))
    .filter(({ strategy, amount }) => {
      return amount.sign !== 0 && !isTraded({ strategy, market }, parts.strategies);
    });
}

/** Whether a run has that strategy, and it trades in that market. */
export function isTraded(
  { strategy, market }: { readonly strategy: string; readonly market: string },
  strategies: readonly Pick<StrategyInstance, 'name' | 'markets'>[],
): boolean {
  return strategies.some(
    ({ name, markets }) => name === strategy && markets.some(({ id }) => id === market),
  );
}

/** What is held in a market that the deployment does not trade any more. */
export interface LeftPosition extends UnownedPosition {
  readonly market: string;
  readonly base: string;
}

/**
 * What earlier runs left in markets that this one does not trade. It counts in no limit, and nobody
 * knows of it until the market is traded again.
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

/** How strategies stand in markets that this run does not trade, flat ones too. */
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

/** A market whose rules nobody asked for: what was traded there counts by its digits. */
function formerMarket({ market: id }: PositionEntry): Market {
  const rules = { priceScale: 0, amountScale: 0, minAmount: 0, minSize: 0 };
  return { id, ...currenciesOf(id), ...rules };
}
