import type { Depth, Intent, Refusal } from '../domain/index.ts';
import type { Approved } from './approved.ts';

/** Risk's view of the heartbeat, implemented by the executor. */
export interface HeartbeatView {
  /** Whether the timed cancel of the market is armed and far enough from firing. */
  confirmed(market: string): boolean;
}

/** Risk's view of the market data. */
export interface PriceView {
  /** Whether the depth includes own orders: the recorded book of a backtest does not. */
  readonly showsOwn: boolean;
  /** The newest depth, undefined before the first. */
  depth(market: string): Depth | undefined;
  /** Price of the newest trade or ticker, undefined before the first. */
  last(market: string): number | undefined;
  /** Whether the newest record is younger than the configured limit and the source is connected. */
  isFresh(market: string): boolean;
  /**
   * When the data become too old unless a newer record comes, or when they did, milliseconds since
   * the epoch; infinite: never.
   */
  freshUntilMs(market: string): number;
  /**
   * Whether no order may leave although the known data are fresh: candles of a backtest are
   * missing. Resting orders stay. Default: never.
   */
  isInHole?(market: string): boolean;
}

/** Risk's answer to a wish. */
export interface Verdict {
  /**
   * The wish that stands from now on. Of quotes, the levels that passed; if nothing of a standing
   * wish passed, quotes without any quote. Undefined: nothing changes.
   */
  readonly approved: Approved<Intent> | undefined;
  /** Why the rest did not pass, each code once; empty: all passed. */
  readonly refusals: readonly Refusal[];
}

/** Why an order must not stay. */
export interface Dismissal {
  /** The same for all orders cancelled for that reason. */
  readonly cause: 'HALTED' | 'REDUCING' | 'staleData' | 'blackout' | 'priceMin' | 'priceMax';
  /** In words, with the setting behind it. */
  readonly reason: string;
}
