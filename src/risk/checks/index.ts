import type { FreeBalances } from '../free-balances.ts';
import type { LossWatch } from '../loss-watch.ts';
import type { OrderPace } from '../order-pace.ts';
import type { Check, RiskView } from '../review.ts';
import { apiErrors } from './api-errors.ts';
import { balance } from './balance.ts';
import { blackout } from './blackout.ts';
import { clientOrderId } from './client-order-id.ts';
import { collar } from './collar.ts';
import { crossedBook } from './crossed-book.ts';
import { dailyOrders } from './daily-orders.ts';
import { dailyValue } from './daily-value.ts';
import { duplicate } from './duplicate.ts';
import { exposure } from './exposure.ts';
import { fillLoss } from './fill-loss.ts';
import { freshData } from './fresh-data.ts';
import { heartbeat } from './heartbeat.ts';
import { losingStreak } from './losing-streak.ts';
import { markout } from './markout.ts';
import { maximum } from './maximum.ts';
import { minimum } from './minimum.ts';
import { openOrders } from './open-orders.ts';
import { openValue } from './open-value.ts';
import { orderRate } from './order-rate.ts';
import { orderToTrade } from './order-to-trade.ts';
import { ownSpread } from './own-spread.ts';
import { position } from './position.ts';
import { postOnly } from './post-only.ts';
import { priceBounds } from './price-bounds.ts';
import { reducing } from './reducing.ts';
import { rejects } from './rejects.ts';
import { selfCross } from './self-cross.ts';
import { shape } from './shape.ts';
import { strategyMarket } from './strategy-market.ts';
import { tradingState } from './trading-state.ts';
import { unknownOrders } from './unknown-orders.ts';
import { unpriced } from './unpriced.ts';
import { volumeShare } from './volume-share.ts';

/** State that the checks share with the gate. */
export interface Watches {
  readonly balances: FreeBalances;
  readonly losses: LossWatch;
  readonly pace: OrderPace;
}

/**
 * All checks in the order in which they are asked. The shape comes before any sums. `selfCross`
 * comes last, as own quotes give way to an exit that it refuses: they must not where another check
 * refuses.
 */
export function checksOf(view: RiskView, watches: Watches): readonly Check[] {
  const { balances, losses, pace } = watches;
  return [
    strategyMarket,
    tradingState,
    shape,
    clientOrderId,
    minimum,
    maximum,
    freshData,
    crossedBook,
    collar,
    fillLoss(view),
    priceBounds,
    postOnly,
    ownSpread(view),
    reducing,
    unpriced(losses),
    losingStreak(view),
    markout(view),
    blackout,
    volumeShare(view),
    duplicate,
    openOrders,
    openValue,
    dailyValue(view),
    position,
    exposure(view),
    balance(balances),
    unknownOrders,
    heartbeat,
    rejects(view),
    apiErrors(view),
    dailyOrders(view),
    orderToTrade(view),
    orderRate(view, pace),
    selfCross,
  ];
}
