import type { LiveOrder, Market, Side } from '../../domain/index.ts';
import type { ExecutorOptions } from '../ports.ts';
import type { Slots } from './slots.ts';

/** What every desk works with. */
export interface DeskOptions
  extends Pick<
    ExecutorOptions,
    'clock' | 'orders' | 'positions' | 'prices' | 'config' | 'partsFollow'
  > {
  readonly gate: Pick<ExecutorOptions['gate'], 'roomTakers'>;
  /** Whether an order may rest on though no wish asks for it: see `Grace`. */
  readonly mayRest: (order: LiveOrder) => boolean;
  /** It may rest unwished no more: an exit needs it gone. */
  readonly endGrace: (order: LiveOrder) => void;
  /**
   * Whether a strategy may open a position on that side: not while the market's orders cannot be read,
   * nor while another strategy's exit needs the room.
   */
  readonly mayOpen: (owner: DeskOwner, side: Side) => boolean;
  /** The exits that have made room, and some that need it no more: few of all desks, or none. */
  readonly roomKeepers: Set<RoomKeeper>;
}

/** An exit that keeps the room that was made for it. */
export interface RoomKeeper {
  readonly keepsRoom: boolean;
  /** Whether what opens of that desk on that side has to wait until the exit is done. */
  takesRoom(owner: DeskOwner, side: Side): boolean;
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
