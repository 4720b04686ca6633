import type { LiveOrder, Market, Side } from '../../domain/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { OrderLedger, PositionLedger } from '../../ledger/index.ts';
import type { PriceView, RiskGate } from '../../risk/index.ts';
import type { ExecutionConfig } from '../config.ts';
import type { Slots } from './slots.ts';

/** What every desk works with. */
export interface DeskOptions {
  readonly clock: Clock;
  readonly orders: OrderLedger;
  readonly positions: PositionLedger;
  readonly prices: Pick<PriceView, 'depth' | 'last'>;
  readonly gate: Pick<RiskGate, 'roomTakers'>;
  readonly config: ExecutionConfig;
  /** Whether an order may rest on though no wish asks for it: see `Grace`. */
  readonly mayRest: (order: LiveOrder) => boolean;
  /**
   * Whether a strategy may open a position on that side: not while the market's orders cannot be read,
   * nor while another strategy's exit needs the room.
   */
  readonly mayOpen: (owner: DeskOwner, side: Side) => boolean;
  /** See `ExecutorOptions`. */
  readonly partsFollow?: boolean | undefined;
}

/** Whose desk it is, and where. */
export interface DeskOwner {
  readonly strategy: string;
  readonly market: Market;
}

/** What the kinds of wishes of one desk share. */
export interface DeskParts extends DeskOwner {
  readonly slots: Slots;
}
