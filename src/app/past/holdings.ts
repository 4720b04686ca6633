import {
  isAdjustment,
  type Position,
  type PositionEntry,
  type TradingState,
} from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import type { HeldMarket } from '../../ledger/index.ts';

/** What a deployment holds after its bookings up to some moment, and its trading state. */
export interface Holdings {
  readonly markets: readonly HeldMarket[];
  /** The bookings in markets that were not traded, whose rules were not known; oldest first. */
  readonly fills: readonly PositionEntry[];
  /** The trading state that a person has not reset yet. */
  readonly trading: { readonly state: TradingState; readonly reason: string };
  /** When a person last reset the trading state; absent where nobody did. */
  readonly resetTime?: number | undefined;
}

/** The holdings before the first fill. */
export const NO_HOLDINGS: Holdings = {
  markets: [],
  fills: [],
  trading: { state: 'ACTIVE', reason: 'never changed' },
};

/** Holdings as JSON; `readHoldings` reads them. */
export function writeHoldings({ markets, ...others }: Holdings): string {
  const plain = markets.map((held) => ({ ...held, ofStrategy: [...held.ofStrategy] }));
  return JSON.stringify({ markets: plain, ...others });
}

/** Reads what `writeHoldings` has written, exactly. */
export function readHoldings(text: string): Holdings {
  const { markets, fills, ...others } = JSON.parse(text) as Written;
  return {
    markets: markets.map(({ market, overall, ofStrategy }) => ({
      market,
      overall: exactPosition(overall),
      ofStrategy: new Map(ofStrategy.map(([name, position]) => [name, exactPosition(position)])),
    })),
    fills: fills.map(exactEntry),
    ...others,
  };
}

/** Holdings as parsed from JSON: decimals are texts, maps are lists of pairs. */
interface Written extends Omit<Holdings, 'markets'> {
  readonly markets: readonly {
    readonly market: string;
    readonly overall: Position;
    readonly ofStrategy: readonly (readonly [string, Position])[];
  }[];
}

function exactEntry(entry: PositionEntry): PositionEntry {
  const { value } = entry;
  if (!isAdjustment(entry)) return { ...entry, ...exact({ value, fee: entry.fee }) };
  return { ...entry, ...exact({ value, before: entry.before, after: entry.after }) };
}

function exactPosition({ market, amount, cost, realizedProfit, fees }: Position): Position {
  return { market, ...exact({ amount, cost, realizedProfit, fees }) };
}

function exact<K extends string>(texts: Readonly<Record<K, Decimal | string>>): Record<K, Decimal> {
  const values = Object.entries<Decimal | string>(texts).map(([name, text]) => {
    return [name, Decimal.of(text)] as const;
  });
  return Object.fromEntries(values) as Record<K, Decimal>;
}
