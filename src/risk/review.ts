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

/** Everything that checks may look at. */
export interface RiskOptions {
  readonly clock: Clock;
  /** Carries market data, orders and fills, which are watched between orders too. */
  readonly bus: Bus<TradingEvent>;
  readonly markets: ReadonlyMap<string, Market>;
  readonly orders: OrderLedger;
  readonly balances: BalanceLedger;
  readonly positions: PositionLedger;
  readonly prices: PriceView;
  readonly heartbeat: HeartbeatView;
  readonly state: TradingStateControl;
  readonly config: RiskConfig;
  /**
   * The exchange's fees; looked at where orders are charged more than a percentage of each trade.
   */
  readonly feeRates: FeeRates;
  /**
   * Length of the candles that tell a market's volume; for a market not named here its trades do.
   * Default: none is named.
   */
  readonly candlesOf?: ReadonlyMap<string, Interval> | undefined;
  /**
   * The positions at the start of the day, if earlier runs of the day are known: losses since then
   * count. Default: losses count from the first look at them.
   */
  readonly dayStart?: DayStart | undefined;
  /**
   * The exchange's codes for rejections that do not depend on the price: a post-only order rejected
   * with one of them would not have traded. Default: none.
   */
  readonly plainRejects?: ReadonlySet<number>;
}

/** Positions and profits at the start of the day. */
export interface DayStart extends Pick<PositionLedger, 'position' | 'profit'> {
  /** The first price traded in a market since then. Default: not known. */
  readonly firstPrice?: (market: string) => number | undefined;
}

/** The options, data derived from them, and what the engine has told. */
export interface RiskView extends RiskOptions {
  readonly rules: RuleBook;
  readonly day: RiskDay;
  /** The markets that a strategy may trade; a strategy not named here may trade all. */
  readonly marketsOf: ReadonlyMap<string, ReadonlySet<string>>;
}

/** An objection to what is asked for: the limit and the value observed, printable and exact. */
export interface Objection extends Pick<Refusal, 'limit' | 'observed'> {
  /** Default: the scope of the check. */
  readonly scope?: Scope;
}

/** The objection to what is asked for; undefined if there is none. */
export type Ask = (review: Review) => Objection | undefined;

/** One check. Checks are asked in the gate's order; the first refusal ends the review. */
export interface Check {
  readonly code: RefusalCode;
  /** What its refusals apply to. */
  readonly scope: Scope;
  /** Asked of a wish when it is made, and of each order when it leaves. */
  readonly ask?: Ask;
  /** Asked only of orders that leave. */
  readonly onOrder?: (review: OrderReview) => Objection | undefined;
  /** Told of every order that passed all checks. */
  readonly onPassed?: (review: OrderReview) => void;
  /**
   * Whether it needs the trades of a market with these limits. Default: no; it hears only trades
   * that strategies listen to.
   */
  readonly hearsTrades?: (limits: MarketLimits) => boolean;
}

/** The refusal made of a check's objection. */
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

/** A wish, or one order about to leave, with all that it is compared with. */
export abstract class Review {
  readonly view: RiskView;
  readonly rules: MarketRules;
  readonly strategy: string;
  readonly nowMs: number;
  /** The orders asked for; none for a target. */
  abstract readonly wish: readonly WishedOrder[];
  /** The single order asked for: one about to leave, or one wished by its tag. */
  abstract readonly single: Omit<OrderTerms, 'market'> | undefined;
  abstract readonly target: TargetIntent | undefined;
  /**
   * Live orders that stay, or may stay, beside it: resting, in flight, being cancelled or unknown.
   */
  abstract readonly live: readonly LiveOrder[];
  abstract readonly resting: Exposure;
  /**
   * Whether it is an IOC order leaving now. False for wishes: their orders are asked as they leave.
   */
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

  /** The sums over the orders asked for. Valid only after the check of the shape. */
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

/** The review of an order as if some live orders beside it were gone. */
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

/** The review of a wish. Orders that the wish replaces do not count as resting beside it. */
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

  /**
   * Quotes and targets replace all orders of the strategy in the market, a single order the one of
   * its tag.
   */
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

/** By market, the newest list of live orders and its sums. */
const exposures = new WeakMap<Market, { live: readonly LiveOrder[]; exposure: Exposure }>();

/**
 * The open amounts of a market's live orders. The sums are kept as long as the ledger returns the
 * same list, which it does until an order changes.
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
