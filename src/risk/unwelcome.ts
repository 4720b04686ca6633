import { type LiveOrder, SIDES, type Side } from '../domain/index.ts';
import { dateMs, SECOND_MS } from '../kernel/index.ts';
import { ADOPTED } from '../ledger/index.ts';
import { blackoutAt, nextBlackoutMs } from './blackouts.ts';
import { type MarketLimits, marketLimitPath } from './config.ts';
import { Exposure } from './exposure.ts';
import { against, dustAgainst } from './opening.ts';
import type { Dismissal } from './ports.ts';
import type { RiskView } from './review.ts';

/** How often the date for blackouts is checked where it may be set. */
const DATE_LOOK_MS = SECOND_MS;

/**
 * The live orders that must not stay: all while trading is halted, and those in `stale` markets
 * always. Of the orders that could open or turn a position, the farthest from the market first: all
 * while trading is reducing or the market is in a blackout, else those beyond its price bounds.
 */
export function unwelcomeOrders(view: RiskView, stale: ReadonlySet<string>): readonly LiveOrder[] {
  const { state, orders } = view;
  const isActive = state.state === 'ACTIVE';
  if (isActive && stale.size === 0 && !view.rules.boundOpenings) return NONE;
  const live = [...orders.allLive()];
  if (state.state === 'HALTED') return live;
  const overdue = live.filter(({ market }) => stale.has(market));
  const others = new Set(live.map(({ market }) => market).filter((market) => !stale.has(market)));
  const opening = [...others].flatMap((market) => {
    const orders = SIDES.flatMap((side) => growing(view, { market, side }));
    const isShut = !isActive || blackoutIn(view, market) !== undefined;
    return isShut ? orders : orders.filter((order) => isBeyondBounds(view, order));
  });
  return [...overdue, ...opening];
}

/**
 * When a blackout may next make live orders unwelcome, milliseconds since the epoch; infinite:
 * never.
 */
export function unwelcomeFromMs({ rules, orders, clock }: RiskView): number {
  if (!rules.haveBlackouts) return Number.POSITIVE_INFINITY;
  const nowMs = dateMs(clock);
  // A change of the date comes without notice.
  const lookMs = clock.wallMs === undefined ? Number.POSITIVE_INFINITY : DATE_LOOK_MS;
  let waitMs = Number.POSITIVE_INFINITY;
  for (const market of new Set(orders.allLive().map((order) => order.market))) {
    const { blackouts = [] } = rules.of(market)?.limits ?? {};
    if (blackouts.length === 0) continue;
    waitMs = Math.min(waitMs, lookMs, nextBlackoutMs(blackouts, nowMs) - nowMs);
  }
  return clock.now() + waitMs;
}

/** Why an unwelcome order must not stay. */
export function whyUnwelcome(
  view: RiskView,
  { order, stale }: { readonly order: LiveOrder; readonly stale: ReadonlySet<string> },
): Dismissal {
  const { market, price } = order;
  const { state } = view.state;
  const setAt = (key: keyof MarketLimits): string => marketLimitPath(view.config, { key, market });
  if (state === 'HALTED') return { cause: state, reason: 'trading is HALTED' };
  if (stale.has(market)) {
    const seconds = (view.rules.of(market)?.limits.staleRestMaxMs ?? 0) / SECOND_MS;
    const since = `its data have been stale for ${seconds} s`;
    return { cause: 'staleData', reason: `${since} (${setAt('staleRestMaxMs')})` };
  }
  if (state === 'REDUCING') return { cause: state, reason: `trading is REDUCING, ${SHRINKS}` };
  const window = blackoutIn(view, market);
  if (window !== undefined) {
    const when = `from ${window.from} to ${window.to} UTC (${setAt('blackouts')})`;
    return { cause: 'blackout', reason: `a blackout ${when}, ${SHRINKS}` };
  }
  const { priceMin = 0, priceMax } = view.rules.of(market)?.limits ?? {};
  return price < priceMin
    ? { cause: 'priceMin', reason: `a price below ${priceMin} (${setAt('priceMin')}), ${SHRINKS}` }
    : { cause: 'priceMax', reason: `a price above ${priceMax} (${setAt('priceMax')}), ${SHRINKS}` };
}

const SHRINKS = 'where nothing rests that could open a position';

function blackoutIn({ rules, clock }: RiskView, market: string) {
  return blackoutAt(rules.of(market)?.limits.blackouts ?? [], dateMs(clock));
}

function isBeyondBounds({ rules }: RiskView, { market, price }: LiveOrder): boolean {
  const { priceMin = 0, priceMax = Number.POSITIVE_INFINITY } = rules.of(market)?.limits ?? {};
  return price < priceMin || price > priceMax;
}

/**
 * The orders of a side that remain once those nearest to the market have used up the position, both
 * the market's and each strategy's own.
 */
function growing(
  view: RiskView,
  { market: id, side }: { market: string; side: Side },
): readonly LiveOrder[] {
  const nearestFirst = view.orders
    .live(id)
    .filter((order) => order.side === side)
    .sort((one, other) => (side === 'buy' ? other.price - one.price : one.price - other.price));
  const rules = view.rules.of(id);
  if (rules === undefined) return nearestFirst;
  const { market } = rules;
  const roomOf = (strategy?: string): number =>
    against(view.positions.position(id, strategy), { side, market });
  // Adopted orders belong to a person or another bot, who may be closing what this run holds.
  const ownRoomOf = (strategy: string): number =>
    strategy === ADOPTED ? Number.POSITIVE_INFINITY : roomOf(strategy);
  let roomUnits = roomOf();
  const ownRooms = new Map<string, number>();
  return nearestFirst.filter((order) => {
    const { amountUnits } = Exposure.ofLive([order], market)[side];
    const { strategy } = order;
    const ownUnits = ownRooms.get(strategy) ?? ownRoomOf(strategy);
    // An IOC order never rests: its fills count as they come.
    const isTaking = order.type === 'ioc';
    const ofAllUnits = roomUnits + dustAgainst(view, { strategy, side, rules });
    if (amountUnits > Math.min(isTaking ? ownUnits : ofAllUnits, ownUnits)) return true;
    if (!isTaking) roomUnits -= amountUnits;
    ownRooms.set(strategy, ownUnits - amountUnits);
    return false;
  });
}

const NONE: readonly LiveOrder[] = [];
