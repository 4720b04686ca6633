import type { Subscription } from 'rxjs';
import type { TradingEvent } from '../domain/index.ts';
import type { Bus, Logger } from '../kernel/index.ts';

/** Tells the log what a person running the bot wants to know; all else is in the journal. */
export function logEvents(bus: Bus<TradingEvent>, logger: Logger): Subscription {
  return bus.all.subscribe((event) => logEvent(event, logger));
}

function logEvent(event: TradingEvent, logger: Logger): void {
  switch (event.kind) {
    case 'fill': {
      const { market, strategy, side, amount, price, clientOrderId } = event.fill;
      logger.info({ market, strategy, side, amount, price, clientOrderId }, 'filled');
      return;
    }
    case 'refusal': {
      const { market, strategy, refusal } = event;
      logger.warn({ market, strategy, ...refusal }, `refused by risk: ${refusal.code}`);
      return;
    }
    case 'order':
      logOrder(event.order, logger);
      return;
    case 'strategy': {
      const { strategy, status, reason } = event;
      const level = status === 'failed' ? 'error' : 'info';
      logger[level]({ strategy, reason }, `strategy ${status}`);
      return;
    }
    case 'lapse':
      logger.error({ market: event.market, reason: event.reason }, 'the heartbeat lapsed');
      return;
    case 'gap': {
      const { market, stream, after, before, reason } = event;
      logger.warn({ market, stream, after, before, reason }, 'gap in the data');
      return;
    }
    case 'freshness': {
      const { market, stream, fresh, ageMs } = event;
      if (fresh) logger.info({ market, stream }, 'data is fresh again');
      else logger.warn({ market, stream, ageMs }, 'data is stale');
      return;
    }
    default:
      logRun(event, logger);
  }
}

function logOrder(order: Extract<TradingEvent, { kind: 'order' }>['order'], logger: Logger): void {
  const { market, strategy, clientOrderId, side, price, amount, status } = order;
  const fields = { market, strategy, clientOrderId, side, price, amount };
  if (order.status === 'rejected') {
    logger.warn({ ...fields, reason: order.reason, code: order.code }, 'order rejected');
  } else if (order.status === 'unknown') {
    logger.warn({ ...fields, reason: order.reason }, 'order outcome unknown: asking the exchange');
  } else {
    logger.debug({ ...fields, filledAmount: order.filledAmount }, `order ${status}`);
  }
}

function logRun(event: TradingEvent, logger: Logger): void {
  switch (event.kind) {
    case 'connection': {
      const { channel, connected, reason } = event;
      const level = connected ? 'info' : 'warn';
      logger[level]({ channel, reason }, connected ? 'connected' : 'disconnected');
      return;
    }
    case 'tradingState':
      logger.warn({ reason: event.reason }, `trading state ${event.state}`);
      return;
    case 'reconciliation': {
      const { market, reason, open, adopted, resolved } = event;
      logger.info({ market, reason, open, adopted, resolved }, 'reconciled with the exchange');
      return;
    }
    case 'run':
      logger.info({ reason: event.reason }, event.status);
      return;
    case 'heartbeat':
      logger.debug({ market: event.market, sentTime: event.sentTime }, 'heartbeat confirmed');
      return;
    default:
      return;
  }
}
