import type { Depth, Intent, LiveOrder, Refusal } from '../domain/index.ts';
import type { Approved, CancelDraft, OrderDraft } from './approved.ts';

/** What risk asks of the heartbeat; the executor answers. */
export interface HeartbeatView {
  /** Whether the timed cancel of the market is armed and far enough from firing. */
  confirmed(market: string): boolean;
}

/** What risk asks of the market data. */
export interface PriceView {
  /** The newest depth, undefined before the first. */
  depth(market: string): Depth | undefined;
  /** Price of the newest trade or ticker, undefined before the first. */
  last(market: string): number | undefined;
  /** Whether the newest record is younger than the configured limit and the source is connected. */
  isFresh(market: string): boolean;
  /** When its age ends that unless a newer record comes, or ended it, milliseconds since the epoch; infinite: never. */
  freshUntilMs(market: string): number;
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

/** The gate that everything passes on its way to the exchange. */
export interface RiskGate {
  /** Checks a wish when it is made. */
  intent(strategy: string, intent: Intent): Verdict;
  /** Checks one order when its request leaves, against position plus all resting and in flight. */
  order(draft: OrderDraft): Approved<OrderDraft> | Refusal;
  /**
   * What has to end before an exit may leave that lacks room: see `roomOf`. None where nothing of it
   * would leave then either, nor where it is no exit.
   */
  roomTakers(
    draft: Omit<OrderDraft, 'clientOrderId'>,
    givesWay: (order: LiveOrder) => boolean,
  ): readonly LiveOrder[];
  /** When the pace of new orders lets the next one of the strategy pass; now where it does at once. */
  paceOpensMs(strategy: string): number;
  /** Cancels always pass. */
  cancel(order: LiveOrder): Approved<CancelDraft>;
  /**
   * The live orders that may not stay as trading stands: all while HALTED, while REDUCING those
   * that could open or turn a position; always those in a market whose data are stale for too long.
   * To be asked at least every second.
   */
  unwelcome(): readonly LiveOrder[];
  /**
   * When time alone may make live orders unwelcome next, milliseconds since the epoch; infinite:
   * never. Stale data are none of it: whoever rests on them asks every second.
   */
  unwelcomeFromMs(): number;
  /** Why one of them may not stay. */
  whyUnwelcome(order: LiveOrder): Dismissal;
}

/** Why an order may not stay. */
export interface Dismissal {
  /** The same for all orders that go for that reason. */
  readonly cause: 'HALTED' | 'REDUCING' | 'staleData' | 'blackout' | 'priceMin' | 'priceMax';
  /** In words, with the setting that says so. */
  readonly reason: string;
}

/** The gate as the engine holds it, who knows what each strategy was given. */
export interface StrategyGate extends RiskGate {
  /** From now on the strategy may trade these markets alone. Before it may trade all. */
  confine(strategy: string, markets: ReadonlySet<string>): void;
  /** Whether it has to hear what a market trades. */
  hearsTrades(market: string): boolean;
}
