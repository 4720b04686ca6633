import type { CandleColumns, Fill, Market, TradingState } from '../domain/index.ts';
import type { Decimal } from '../kernel/index.ts';

/** A value of a settings file, as JSON holds it. */
export type PlainValue =
  | string
  | number
  | boolean
  | null
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

/** Settings as JSON holds them, secrets already left out. */
export type PlainSettings = { readonly [key: string]: PlainValue };

/**
 * What a finished run hands in to be measured and shown: pure data, nothing of it read from a clock
 * or a file. Times are milliseconds since the epoch; "quote" is the record's `quote` currency.
 * Settled amounts are `Decimal`; curves are doubles, for reading.
 */
export interface RunRecord {
  /** The run's name, for people: free text. */
  readonly name: string;
  /** `backtest`, `paper` or `live`: a word for the headline, nothing depends on it. */
  readonly mode: string;
  /** The version of Tradewind that ran it. */
  readonly version: string;
  /** The configuration as it took effect, defaults filled in, without secrets. */
  readonly settings: PlainSettings;
  /** The seed of all randomness of the run, as text. */
  readonly seed: string;
  /** From the first instant of the run to its last, milliseconds since the epoch. */
  readonly period: { readonly from: number; readonly to: number };
  /**
   * When the run was stopped early, and when it would have ended, milliseconds since the epoch.
   * Absent if it went to its end.
   */
  readonly stopped?: { readonly at: number; readonly end: number };
  /** What kept new orders from leaving when the run ended; undefined if nothing did. */
  readonly trading: StoppedTrading | undefined;
  /** Strategies that ended before the run did. */
  readonly ended: readonly EndedStrategy[];
  /** Every market that was traded or watched. */
  readonly markets: readonly Market[];
  /** The currency that the account is valued in, such as `usdt`. */
  readonly quote: string;
  /** Names of the strategies, in the order of the configuration. */
  readonly strategies: readonly string[];
  /** When orders fill, and what is not modelled: whole sentences. */
  readonly fillModel: { readonly name: string; readonly confession: readonly string[] };
  /**
   * The account over time in blocks of rows; can be iterated any number of times. The columns of a
   * block are valid only until the next one is asked for.
   */
  readonly curve: Iterable<EquityColumns>;
  /**
   * Candles for the chart by market, of any one length of a second or more; the page holds all of
   * them. A market may be missing.
   */
  readonly prices: ReadonlyMap<string, PriceColumns>;
  /** Every fill in the order in which the run learnt of it; can be iterated any number of times. */
  readonly fills: Iterable<RecordedFill>;
  /** How far the price of each market went since its last fill; a market may be missing. */
  readonly passed: ReadonlyMap<string, PassedPrices>;
  /** Wishes that risk or the exchange refused, by code; any order. */
  readonly refusals: readonly RefusalCount[];
  /**
   * Orders that ended wholly or partly unfilled: how many, and the value of the unfilled parts in
   * quote, undefined if a rate is not known.
   */
  readonly missed: { readonly count: number; readonly value: Decimal | undefined };
  /** What the market did after fills; empty if that was not measured. */
  readonly markouts: readonly Markout[];
  /** What was replayed or recorded, one entry a dataset. */
  readonly coverage: readonly DatasetCoverage[];
  /** The hash of the journal, which says what happened. */
  readonly journalHash: string;
  readonly counts: RunCounts;
  /** Sentences that the reader must know, such as "Stopped by hand at 41 %." */
  readonly notes: readonly string[];
  /** How many notes, from the first on, decided the run: these are shown ahead of its figures. */
  readonly decisive: number;
}

/** A state of trading in which not every order may leave. */
export interface StoppedTrading {
  readonly state: Exclude<TradingState, 'ACTIVE'>;
  /** Since when, milliseconds since the epoch. */
  readonly at: number;
  readonly reason: string;
}

/** A strategy that ended before its run did. */
export interface EndedStrategy {
  readonly strategy: string;
  /** `ended`: its stream of intents completed. */
  readonly status: 'failed' | 'ended';
  /** When, milliseconds since the epoch. */
  readonly at: number;
  readonly reason: string;
}

/**
 * A block of rows of the account over time, columns of one length: sampled at a fixed interval (the
 * candles' own, or a minute), in rising order, stamped with the time at which the values held. The
 * first of all rows is the account at `period.from` before anything happened, the last one that at
 * `period.to`.
 */
export interface EquityColumns {
  /** Milliseconds since the epoch, strictly rising. */
  readonly time: Float64Array;
  /** Everything the account owns less what it owes, in quote at the prices of that time. */
  readonly equity: Float64Array;
  /** What is held of quote itself, frozen amounts included. */
  readonly cash: Float64Array;
  /** Worth of everything else in quote, signed: `equity - cash`. */
  readonly positionValue: Float64Array;
  /** Base currency held by the strategies' fills, signed, by market. */
  readonly positions: ReadonlyMap<string, Float64Array>;
  /**
   * Equity of an account that puts the whole starting equity into the base currencies of the
   * markets at their first open or close, in equal parts and without fees, and holds. Absent if no
   * price is known.
   */
  readonly buyAndHold?: Float64Array;
  /**
   * What the starting balances would be worth had nothing been traded, valued as the equity is.
   * Absent if they are in quote alone.
   */
  readonly leftAlone?: Float64Array;
}

/** Candles for a chart, columns of one length; `time` is the opening, strictly rising. */
export type PriceColumns = Pick<CandleColumns, 'time' | 'open' | 'high' | 'low' | 'close'>;

/** A fill, and what its cost is measured by. */
export interface RecordedFill extends Fill {
  /** Whether the order rested (`maker`) or met what rested (`taker`). Absent when not known. */
  readonly liquidity?: 'maker' | 'taker' | undefined;
  /** The middle price (or last close) when its order was made. Absent when not known. */
  readonly referencePrice?: number | undefined;
  /**
   * Worth in quote of one unit of the market's quote currency when the run learnt of the fill; NaN
   * if not known. Default: 1, for a market in quote.
   */
  readonly rate?: number | undefined;
  /** Whether nothing of its order is left to fill. Default: not known. */
  readonly completes?: boolean | undefined;
  /** How far the price went since the market's previous fill, of whichever strategy. */
  readonly passed: PassedPrices;
}

/** The lowest and the highest of some prices. */
export interface PriceRange {
  readonly low: number;
  readonly high: number;
}

/** How far a price went between two fills. */
export interface PassedPrices {
  /** Range of ticks, and of candles that lie wholly between the two. Absent if there were none. */
  readonly whole?: PriceRange | undefined;
  /**
   * Range of the candle that was under way at the first of the two fills, and when it began,
   * milliseconds since the epoch. Absent if there was none, or it was not over yet at the second.
   */
  readonly underWay?: (PriceRange & { readonly from: number }) | undefined;
}

/** What the market did after the fills of one market and kind, in its quote currency. */
export interface Markout {
  readonly market: string;
  /** Whether their orders rested (`maker`) or met what rested (`taker`). */
  readonly liquidity: 'maker' | 'taker' | 'unknown';
  /** How long after each fill the price was taken, milliseconds. */
  readonly afterMs: number;
  /** How many fills were measured, and the value that they traded. */
  readonly fills: number;
  readonly value: number;
  /** What they had gained by then, without fees: bought below the price then, or sold above it. */
  readonly gained: number;
}

export interface RefusalCount {
  readonly code: string;
  /** How often it was given: for a standing wish, at each try that saw something else. */
  readonly count: number;
  /** How many wishes were refused, or orders rejected. */
  readonly wishes: number;
  /** Whether these are rejected orders. Default: refused wishes. */
  readonly ofOrders?: boolean;
}

/** What a dataset held of the period. */
export interface DatasetCoverage {
  /** Such as `binance btc_usdt 1min`. */
  readonly name: string;
  readonly rows: number;
  /** Times of the first and the last row, milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Share of the period that has data: 1 is all of it. */
  readonly coverage: number;
  /** Gaps, duplicates and other faults: whole sentences. */
  readonly findings: readonly string[];
}

/** How much happened. */
export interface RunCounts {
  /** Market events played or heard. */
  readonly events: number;
  readonly intents: number;
  readonly orders: number;
  readonly fills: number;
}
