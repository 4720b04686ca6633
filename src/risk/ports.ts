import type { Depth, Intent, Refusal } from '../domain/index.ts';
import type { Approved } from './approved.ts';

/** What risk asks of the heartbeat; the executor answers. */
export interface HeartbeatView {
  /** Whether the timed cancel of the market is armed and far enough from firing. */
  confirmed(market: string): boolean;
}

/** What risk asks of the market data. */
export interface PriceView {
  /** Whether own orders are in the depth: in the recorded book of a backtest they are not. */
  readonly showsOwn: boolean;
  /** The newest depth, undefined before the first. */
  depth(market: string): Depth | undefined;
  /** Price of the newest trade or ticker, undefined before the first. */
  last(market: string): number | undefined;
  /** Whether the newest record is younger than the configured limit and the source is connected. */
  isFresh(market: string): boolean;
  /** When its age ends that unless a newer record comes, or ended it, milliseconds since the epoch; infinite: never. */
  freshUntilMs(market: string): number;
  /**
   * Whether no order may leave there though what is known is fresh: candles of a backtest are
   * missing. What rests stays. Default: never.
   */
  isInHole?(market: string): boolean;
}

/** What risk makes of a wish. */
export interface Verdict {
  /**
   * What is to stand from now on. Of quotes the levels that passed; where nothing of a standing
   * wish did, quotes without any quote. Undefined: nothing changes.
   */
  readonly approved: Approved<Intent> | undefined;
  /** Why the rest did not pass, each code once; empty: all passed. */
  readonly refusals: readonly Refusal[];
}

/** Why an order may not stay. */
export interface Dismissal {
  /** The same for all orders that go for that reason. */
  readonly cause: 'HALTED' | 'REDUCING' | 'staleData' | 'blackout' | 'priceMin' | 'priceMax';
  /** In words, with the setting that says so. */
  readonly reason: string;
}
