import { isAdjustment, type Market, type OrderState } from '../../domain/index.ts';
import type { StrategyInstance } from '../../engine/index.ts';
import type { Executor } from '../../execution/index.ts';
import type { Logger } from '../../kernel/index.ts';
import type { PositionLedger } from '../../ledger/index.ts';
import type { TradingStateControl } from '../../risk/index.ts';
import type { Recollection } from './recall.ts';
import { isTraded, leftElsewhere, unownedIn } from './unowned.ts';

/** A run that follows earlier ones of its deployment. */
export interface Successor {
  readonly markets: ReadonlyMap<string, Market>;
  readonly strategies: readonly StrategyInstance[];
  readonly logger: Logger;
  /** What earlier runs left; undefined where there were none. */
  readonly past: Recollection | undefined;
  /** Whether a person said to trade again although an earlier run halted. Default: false. */
  readonly resume?: boolean;
}

interface Heirs {
  readonly state: TradingStateControl;
  readonly executor: Executor;
  readonly positions: PositionLedger;
}

/**
 * Hands what earlier runs left to ledger and executor, resumes trading if a person says so, and
 * warns of orders in doubt and of positions that nobody owns.
 */
export function takeOver(run: Successor, { state, executor, positions }: Heirs): void {
  const { past, markets, logger, resume = false } = run;
  if (resume && state.state === 'ACTIVE') {
    logger.info({}, 'nothing to resume: no earlier run has left trading halted or reducing');
  }
  if (past !== undefined) {
    restorePositions(past, { positions, markets });
    restoreOrders(past, run, executor);
    warnOfDoubts(run, past.liveOrders);
    goOnTrading(run, state);
  }
  warnOfUnowned(run, positions);
}

function restorePositions(
  past: Recollection,
  { positions, markets }: Pick<Heirs, 'positions'> & Pick<Successor, 'markets'>,
): void {
  for (const held of past.held) if (markets.has(held.market)) positions.restoreHeld(held);
  for (const one of past.bookings) if (markets.has(one.market)) positions.restore(one);
}

function restoreOrders(
  past: Recollection,
  { strategies }: Pick<Successor, 'strategies'>,
  executor: Executor,
): void {
  executor.restore({
    orders: past.liveOrders,
    aliveTimes: past.aliveTimes,
    isOwned: (order) => isTraded(order, strategies),
    guessedOrders: past.guessedOrders,
    recentOrders: past.recentOrders,
    endedOrders: past.endedOrders,
    requestTimes: past.requestTimes,
    pastExchangeOrderIds: [
      ...past.endedOrderIds,
      ...past.bookings.flatMap((one) => (isAdjustment(one) ? [] : [one.exchangeOrderId])),
    ],
  });
}

/** Resumes trading if a person says so; otherwise warns that it is still stopped. */
function goOnTrading({ logger, resume = false }: Successor, state: TradingStateControl): void {
  const { state: trading, reason } = state;
  if (trading === 'ACTIVE') return;
  if (resume) {
    state.reset('resumed by a person');
    return;
  }
  const what = `trading is still ${trading} since an earlier run: ${reason}`;
  logger.warn(
    { state: trading, reason },
    `${what}; once you have looked into it, start with --resume`,
  );
}

/** Warns of orders that are still in doubt: they stay so, and what they hold back waits. */
function warnOfDoubts({ markets, logger }: Successor, orders: readonly OrderState[]): void {
  for (const order of orders) {
    if (order.status !== 'unknown' || !markets.has(order.market)) continue;
    const { market, strategy, clientOrderId, side, amount, price, reason } = order;
    logger.warn(
      { market, strategy, clientOrderId, reason },
      'outcome unknown since an earlier run, the exchange is asked: ' +
        `${side} ${amount} in ${market} at ${price} by ${strategy}`,
    );
  }
}

/** Warns of positions that no strategy owns: one with another name knows nothing of them. */
function warnOfUnowned(
  { markets, strategies, logger, past }: Successor,
  positions: PositionLedger,
): void {
  for (const { market, base, strategy, amount } of past ? leftElsewhere(past, markets) : []) {
    logger.warn(
      { market, strategy, amount },
      `${strategy} holds ${amount} ${base} in ${market} since an earlier run, and this deployment ` +
        'does not trade that market: the position counts in no limit and nobody closes it, unless ' +
        '`markets` names the market again',
    );
  }
  for (const { id: market, base } of markets.values()) {
    for (const { strategy, amount } of unownedIn(market, { positions, strategies })) {
      logger.warn(
        { market, strategy, amount },
        `${strategy} holds ${amount} ${base} in ${market} since an earlier run, but no strategy of ` +
          'this name trades there now: nobody closes the position until one does',
      );
    }
  }
}
