import { NO_WISH, RunDigest, type TradedOrder } from '../../../src/app/compare/digest.ts';
import type { Amount, LateFee, Price, TradingEvent } from '../../../src/domain/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { fillEvent, makeFill, makePending } from '../../domain/fixture.ts';

let made = 0;

/** An order that traded nothing but what is said. */
export function tradedOf(
  overrides: {
    readonly side?: 'buy' | 'sell';
    readonly market?: string;
    readonly amount?: string;
    readonly value?: string;
    readonly price?: number;
    readonly fees?: Readonly<Record<string, string>>;
    /** Default: the amount that it traded. */
    readonly asked?: string;
    readonly createdTime?: number;
  } = {},
): TradedOrder {
  const { side = 'buy', market = 'btc_usdt', amount = '0', value = '0', fees = {} } = overrides;
  const { price = 100, asked = amount, createdTime = 0 } = overrides;
  return {
    ...{ side, market, strategy: 'maker', isOwn: true, createdTime, price },
    asked: Decimal.of(asked),
    ...{ clientOrderId: `order${made++}`, tag: '', wish: NO_WISH },
    ...{ amount: Decimal.of(amount), value: Decimal.of(value) },
    fees: new Map(Object.entries(fees).map(([name, fee]) => [name, Decimal.of(fee)])),
    count: 1,
    ...{ answeredMs: undefined, filledMs: undefined },
  };
}

/** A wish for one bid, at a second. */
export function wished(second: number, price: number, strategy = 'maker'): TradingEvent {
  const bids = [{ price: price as Price, amount: 1 as Amount }];
  const intent = { kind: 'quotes', market: 'btc_usdt', bids, asks: [], postOnly: true } as const;
  return { kind: 'intent', time: second * 1_000, market: 'btc_usdt', strategy, intent };
}

export interface PlacedOptions {
  readonly price?: number;
  readonly tag?: string;
  readonly side?: 'buy' | 'sell';
  readonly market?: string;
  readonly strategy?: string;
  /** What it buys where it is filled. Default: 1. */
  readonly amount?: number;
  /** Whether that is bought at its price at once. Default: false. */
  readonly filled?: boolean;
}

/** An order that is made at a second. */
export function placed(second: number, options: PlacedOptions = {}): TradingEvent[] {
  const { price = 100, tag = 'quotes/bid/0', side = 'buy', filled = false } = options;
  const { amount = 1 } = options;
  const { market = 'btc_usdt', strategy = 'maker' } = options;
  const [time, clientOrderId] = [second * 1_000, `order${made++}`];
  const terms = { market, strategy, side, tag, clientOrderId, createdTime: time };
  const order = makePending({ ...terms, price: price as Price });
  const fill = makeFill({
    ...{
      market,
      strategy,
      clientOrderId,
      exchangeOrderId: clientOrderId,
      side,
      price,
      amount,
      time,
    },
    feeCurrency: 'usdt',
  });
  return [{ kind: 'order', market, time, order }, ...(filled ? [fillEvent(fill)] : [])];
}

/** The fee of an order, told later. */
export function lateFeeOf(clientOrderId: string, fee: string): TradingEvent {
  const market = 'btc_usdt';
  const lateFee: LateFee = {
    ...{ market, strategy: 'maker', clientOrderId, exchangeOrderId: '1', side: 'buy' },
    ...{ price: 100, fee: Decimal.of(fee), feeCurrency: 'btc', value: Decimal.ZERO, time: 0 },
  };
  return { kind: 'lateFee', time: 0, market, lateFee };
}

/** A strategy is over. */
export function over(second: number, strategy = 'maker'): TradingEvent {
  const time = second * 1_000;
  return { kind: 'strategy', time, strategy, status: 'stopped', reason: 'over' };
}

/** The digest of what happened. */
export function digestOf(...events: readonly (TradingEvent | readonly TradingEvent[])[]) {
  const digest = new RunDigest();
  for (const event of events.flat()) digest.take(event as TradingEvent);
  return digest;
}
