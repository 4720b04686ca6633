import type { Amount, DataStream, OrderState, OrderType, Price, Side } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import { type Scripted, type ScriptedEvent, scriptedMarket } from './script.ts';

type Of<K extends ScriptedEvent['kind']> = Extract<ScriptedEvent, { readonly kind: K }>;

export interface ScriptedOrderOptions extends Scripted {
  readonly tag: string;
  readonly side: Side;
  readonly price: number;
  readonly amount: number;
  /** Default: `open`. */
  readonly status?: OrderState['status'];
  /** Default: `limit`. */
  readonly type?: OrderType;
  /** Default: all of a filled order, nothing of others. */
  readonly filledAmount?: number;
  /** Default: the tag. */
  readonly clientOrderId?: string;
  /** Why it is rejected or unknown. Default: `scripted`. */
  readonly reason?: string;
}

/** A step of the strategy's own order: it is placed, rests, fills, is cancelled or rejected. */
export function scriptedOrder(options: ScriptedOrderOptions): Of<'order'> {
  const { time, market = scriptedMarket.id, tag, status = 'open', reason = 'scripted' } = options;
  const { amount, price, filledAmount = status === 'filled' ? amount : 0 } = options;
  const { side, type = 'limit', clientOrderId = tag } = options;
  const order = {
    ...{ market, side, type, price: price as Price, amount: amount as Amount },
    ...{ clientOrderId, strategy: 'scripted', tag, createdTime: time, changedTime: time },
    filledAmount: filledAmount as Amount,
    filledValue: Decimal.of(price).times(Decimal.of(filledAmount)),
    ...{ evidence: 'answer', status, ...stateOf(status, { time, reason }) },
  };
  return { kind: 'order', time, market, order: order as OrderState };
}

/** The fields that only some states have. */
function stateOf(status: OrderState['status'], told: { time: number; reason: string }) {
  if (status === 'pending') return {};
  if (status === 'rejected') return { reason: told.reason };
  if (status === 'unknown') return { reason: told.reason, unknownSince: told.time };
  return { exchangeOrderId: '1' };
}

/** A change of the account's balance of a currency. Default of `frozen`: 0. */
export function scriptedBalance(options: {
  readonly time: number;
  readonly currency: string;
  readonly available: number;
  readonly frozen?: number;
}): Of<'balance'> {
  const { time, currency, available, frozen = 0 } = options;
  const balance = { currency, available: Decimal.of(available), frozen: Decimal.of(frozen) };
  return { kind: 'balance', time, balances: [balance] };
}

/** A refusal of a wish by risk. Defaults: limit and observed empty, scope `order`, no tag. */
export function scriptedRefusal(
  options: Scripted & { readonly code: string; readonly tag?: string } & Partial<
      Of<'refusal'>['refusal']
    >,
): Of<'refusal'> {
  const { time, market = scriptedMarket.id, code, tag } = options;
  const { limit = '', observed = '', scope = 'order' } = options;
  const refusal = { code, limit, observed, scope };
  const strategy = 'scripted';
  return { kind: 'refusal', time, market, strategy, ...(tag !== undefined && { tag }), refusal };
}

/** One of a market's streams goes stale, or is fresh again. Default of `stream`: `depth`. */
export function scriptedFreshness(
  options: Scripted & { readonly fresh: boolean; readonly stream?: DataStream },
): Of<'freshness'> {
  const { time, market = scriptedMarket.id, fresh, stream = 'depth' } = options;
  return { kind: 'freshness', time, market, stream, fresh, ageMs: fresh ? 0 : 60_000 };
}
