import type {
  CancelIntent,
  Intent,
  Interval,
  LiveOrder,
  Market,
  OrderIntent,
  OrderTerms,
  Position,
  Refusal,
  Scope,
  TargetIntent,
  TradingEvent,
} from '../domain/index.ts';
import { type Bus, type Clock, passing } from '../kernel/index.ts';
import type { BalanceLedger, FeeRates, OrderLedger, PositionLedger } from '../ledger/index.ts';
import type { OrderDraft } from './approved.ts';
import type { MarketLimits, RiskConfig } from './config.ts';
import type { RiskDay } from './day.ts';
import { Exposure, type WishedOrder } from './exposure.ts';
import type { MarketRules, RuleBook } from './market-rules.ts';
import type { HeartbeatView, PriceView } from './ports.ts';
import type { RefusalCode } from './refusal-code.ts';
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

/** Why what is asked for may not be: the limit and what was seen, printable and exact. */
export interface Objection extends Pick<Refusal, 'limit' | 'observed'> {
  /** Default: that of the check. */
  readonly scope?: Scope;
}

/** What stands against what is asked for; undefined where it may be. */
export type Ask = (review: Review) => Objection | undefined;

/** One check. Checks are asked in the gate's order; the first refusal ends the review. */
export interface Check {
  readonly code: RefusalCode;
  /** What it speaks of. */
  readonly scope: Scope;
  /** Asked of a wish when it is made, and of each order when it leaves. */
  readonly ask?: Ask;
  /** Asked of orders alone. */
  readonly onOrder?: (review: OrderReview) => Objection | undefined;
  /** Told of every order that passed all checks. */
  readonly onPassed?: (review: OrderReview) => void;
  /** Whether it hears what a market of these limits trades. Default: only what strategies listen to. */
  readonly hearsTrades?: (limits: MarketLimits) => boolean;
}

/** The refusal that an objection of a check comes to. */
export function refusalBy({ code, scope }: Check, objection: Objection): Refusal {
  const { limit, observed } = objection;
  return { code, limit, observed, scope: objection.scope ?? scope };
}

/** An intent that wishes for something. */
export type WishingIntent = Exclude<Intent, CancelIntent>;

interface Reviewed {
  readonly view: RiskView;
  readonly rules: MarketRules;
  readonly strategy: string;
}

/** What is asked for, and all that it is held against: a wish, or one order that is about to leave. */
export abstract class Review {
  readonly view: RiskView;
  readonly rules: MarketRules;
  readonly strategy: string;
  readonly nowMs: number;
  /** The orders that are asked for; none of a target. */
  abstract readonly wish: readonly WishedOrder[];
  /** The one that is asked for by itself: it leaves, or is wished by its tag. */
  abstract readonly single: Omit<OrderTerms, 'market'> | undefined;
  abstract readonly target: TargetIntent | undefined;
  /** What stays, or may stay, beside it: resting, in flight, being cancelled or unknown. */
  abstract readonly live: readonly LiveOrder[];
  abstract readonly resting: Exposure;
  /** Whether an order takes at once that leaves now. No wish does: its orders are asked for that. */
  abstract readonly takesAtOnce: boolean;
  #added: Exposure | undefined;

  constructor({ view, rules, strategy }: Reviewed) {
    this.view = view;
    this.rules = rules;
    this.strategy = strategy;
    this.nowMs = view.clock.now();
  }

  /** The position of all strategies in the market. */
  get position(): Position {
    return this.view.positions.position(this.rules.market.id);
  }

  /** What is asked for. Look only once the shape was checked. */
  get added(): Exposure {
    this.#added ??= Exposure.ofWish(this.wish, this.rules.market);
    return this.#added;
  }
}

/** The review of one order that is about to leave. */
export class OrderReview extends Review {
  readonly draft: OrderDraft;
  readonly wish: readonly WishedOrder[];
  readonly target = undefined;
  readonly takesAtOnce: boolean;

  constructor(reviewed: Reviewed, draft: OrderDraft) {
    super(reviewed);
    this.draft = draft;
    this.wish = [draft];
    this.takesAtOnce = draft.type === 'ioc';
  }

  get single(): OrderDraft {
    return this.draft;
  }

  get live(): readonly LiveOrder[] {
    return this.view.orders.live(this.rules.market.id);
  }

  get resting(): Exposure {
    return restingIn(this.view, this.rules.market);
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
export class IntentReview extends Review {
  readonly wish: readonly WishedOrder[];
  readonly single: OrderIntent | undefined;
  readonly target: TargetIntent | undefined;
  readonly takesAtOnce = false;
  #resting: Exposure | undefined;

  constructor(reviewed: Reviewed, intent: WishingIntent) {
    super(reviewed);
    this.wish = wishOf(intent);
    this.single = intent.kind === 'order' ? intent : undefined;
    this.target = intent.kind === 'target' ? intent : undefined;
  }

  get resting(): Exposure {
    this.#resting ??= Exposure.ofLive(this.live, this.rules.market);
    return this.#resting;
  }

  get live(): readonly LiveOrder[] {
    const live = this.view.orders.live(this.rules.market.id);
    return passing(live, (order) => !this.#replaces(order));
  }

  /** Quotes and targets replace all that the strategy has there, an order the one of its tag. */
  #replaces({ strategy, tag }: LiveOrder): boolean {
    return strategy === this.strategy && (this.single?.tag ?? tag) === tag;
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
