import type {
  CancelIntent,
  Intent,
  Interval,
  LiveOrder,
  Market,
  Position,
  Refusal,
  TradingEvent,
} from '../domain/index.ts';
import type { Bus, Clock } from '../kernel/index.ts';
import type { BalanceLedger, FeeRates, OrderLedger, PositionLedger } from '../ledger/index.ts';
import type { OrderDraft } from './approved.ts';
import type { RefusalCode } from './codes.ts';
import type { RiskConfig } from './config.ts';
import type { RiskDay } from './day.ts';
import { Exposure, type WishedOrder } from './exposure.ts';
import type { MarketRules, RuleBook } from './market-rules.ts';
import type { HeartbeatView, PriceView } from './ports.ts';
import type { TradingStateControl } from './trading-state.ts';

/** Everything that checks look at. */
export interface RiskOptions {
  readonly clock: Clock;
  /** Where market data, orders and fills pass: they are watched between orders too. */
  readonly bus: Bus<TradingEvent>;
  readonly markets: ReadonlyMap<string, Market>;
  readonly orders: OrderLedger;
  readonly balances: BalanceLedger;
  readonly positions: PositionLedger;
  readonly prices: PriceView;
  readonly heartbeat: HeartbeatView;
  readonly state: TradingStateControl;
  readonly config: RiskConfig;
  /** What the exchange charges: heeded where that is more than a share of each trade. */
  readonly feeRates: FeeRates;
  /**
   * The length of the candles that tell what a market trades; of one that is not named here its
   * trades do. Default: none is.
   */
  readonly candlesOf?: ReadonlyMap<string, Interval> | undefined;
  /**
   * The positions with which the day began, where earlier runs of the day are known: what was lost
   * since then counts. Default: losses count from the first look at them.
   */
  readonly dayStart?: DayStart | undefined;
  /**
   * The exchange's codes by which it rejects an order whatever its price: of a post-only one they do
   * not say that it would trade. Default: none.
   */
  readonly plainRejects?: ReadonlySet<number>;
}

/** What was held and earned when the day began. */
export interface DayStart extends Pick<PositionLedger, 'position' | 'profit'> {
  /** The first price that a market was traded at since. Default: nobody knows any. */
  readonly firstPrice?: (market: string) => number | undefined;
}

/** The options, what was worked out of them, and what the engine has told. */
export interface RiskView extends RiskOptions {
  readonly rules: RuleBook;
  readonly day: RiskDay;
  /** The markets that a strategy may trade; of one that is not named here: all. */
  readonly marketsOf: ReadonlyMap<string, ReadonlySet<string>>;
}

/** One check. Checks are asked in the gate's order; the first refusal ends the review. */
export interface Check {
  readonly code: RefusalCode;
  /** Asked when a wish is made. */
  readonly onIntent?: (review: IntentReview) => Refusal | undefined;
  /** Asked when an order leaves. */
  readonly onOrder?: (review: OrderReview) => Refusal | undefined;
  /** Told of every order that passed all checks. */
  readonly onPassed?: (review: OrderReview) => void;
}

/** An intent that wishes for something. */
export type WishingIntent = Exclude<Intent, CancelIntent>;

/** What both kinds of review show. */
export interface Review {
  readonly view: RiskView;
  readonly rules: MarketRules;
  readonly strategy: string;
  readonly nowMs: number;
  /** The position of all strategies in the market. */
  readonly position: Position;
  /** What is asked for. Look only once the shape was checked. */
  readonly added: Exposure;
  /** What stays, or may stay, beside it: resting, in flight, being cancelled or unknown. */
  readonly resting: Exposure;
  /** The orders that this is of. */
  readonly live: readonly LiveOrder[];
  /** Whether an order takes at once that leaves now. No wish does: its orders are asked for that. */
  readonly takesAtOnce: boolean;
}

interface Reviewed {
  readonly view: RiskView;
  readonly rules: MarketRules;
  readonly strategy: string;
}

/** The review of one order that is about to leave. */
export class OrderReview implements Review {
  readonly view: RiskView;
  readonly rules: MarketRules;
  readonly strategy: string;
  readonly nowMs: number;
  readonly draft: OrderDraft;
  readonly takesAtOnce: boolean;
  #added: Exposure | undefined;

  constructor({ view, rules, strategy }: Reviewed, draft: OrderDraft) {
    this.view = view;
    this.rules = rules;
    this.strategy = strategy;
    this.nowMs = view.clock.now();
    this.draft = draft;
    this.takesAtOnce = draft.type === 'ioc';
  }

  get position(): Position {
    return this.view.positions.position(this.rules.market.id);
  }

  get added(): Exposure {
    this.#added ??= Exposure.ofWish([this.draft], this.rules.market);
    return this.#added;
  }

  get resting(): Exposure {
    return restingIn(this.view, this.rules.market);
  }

  get live(): readonly LiveOrder[] {
    return this.view.orders.live(this.rules.market.id);
  }

  /** The same review of another order. */
  of(draft: OrderDraft): OrderReview {
    return new OrderReview(this, draft);
  }
}

/** The review of an order as if some of those that live beside it had left. */
export class ReviewWithout extends OrderReview {
  readonly #gone: ReadonlySet<LiveOrder>;

  constructor(review: Reviewed, draft: OrderDraft, gone: ReadonlySet<LiveOrder>) {
    super(review, draft);
    this.#gone = gone;
  }

  override get live(): readonly LiveOrder[] {
    return super.live.filter((order) => !this.#gone.has(order));
  }

  override get resting(): Exposure {
    return Exposure.ofLive(this.live, this.rules.market);
  }

  override of(draft: OrderDraft): OrderReview {
    return new ReviewWithout(this, draft, this.#gone);
  }
}

/** The review of a wish. What the wish replaces does not count as resting beside it. */
export class IntentReview implements Review {
  readonly view: RiskView;
  readonly rules: MarketRules;
  readonly strategy: string;
  readonly nowMs: number;
  readonly intent: WishingIntent;
  /** The orders that it wishes for; none for a target. */
  readonly wish: readonly WishedOrder[];
  readonly takesAtOnce = false;
  #added: Exposure | undefined;
  #resting: Exposure | undefined;

  constructor({ view, rules, strategy }: Reviewed, intent: WishingIntent) {
    this.view = view;
    this.rules = rules;
    this.strategy = strategy;
    this.nowMs = view.clock.now();
    this.intent = intent;
    this.wish = wishOf(intent);
  }

  get position(): Position {
    return this.view.positions.position(this.rules.market.id);
  }

  get added(): Exposure {
    this.#added ??= Exposure.ofWish(this.wish, this.rules.market);
    return this.#added;
  }

  get resting(): Exposure {
    this.#resting ??= Exposure.ofLive(this.live, this.rules.market);
    return this.#resting;
  }

  get live(): readonly LiveOrder[] {
    const live = this.view.orders.live(this.rules.market.id);
    return live.length === 0 ? live : live.filter((order) => !this.#replaces(order));
  }

  /** Quotes and targets replace all that the strategy has there, an order the one of its tag. */
  #replaces({ strategy, tag }: LiveOrder): boolean {
    if (strategy !== this.strategy) return false;
    return this.intent.kind !== 'order' || this.intent.tag === tag;
  }
}

function wishOf(intent: WishingIntent): readonly WishedOrder[] {
  switch (intent.kind) {
    case 'quotes':
      return [
        ...intent.bids.map(({ price, amount }): WishedOrder => ({ side: 'buy', price, amount })),
        ...intent.asks.map(({ price, amount }): WishedOrder => ({ side: 'sell', price, amount })),
      ];
    case 'order':
      return [intent];
    case 'target':
      return [];
    default:
      return intent satisfies never;
  }
}

/** The newest list of live orders of a market, and its sums. */
const exposures = new WeakMap<Market, { live: readonly LiveOrder[]; exposure: Exposure }>();

/**
 * What all live orders of a market may still fill. The ledger hands out the same list until an order
 * changes: its sums hold as long.
 */
export function restingIn({ orders }: RiskView, market: Market): Exposure {
  const live = orders.live(market.id);
  const known = exposures.get(market);
  if (known?.live === live) return known.exposure;
  const exposure = Exposure.ofLive(live, market);
  if (known === undefined) {
    exposures.set(market, { live, exposure });
  } else {
    known.live = live;
    known.exposure = exposure;
  }
  return exposure;
}
