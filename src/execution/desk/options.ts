import type { LiveOrder, Market, Side } from '../../domain/index.ts';
import type { ExecutorOptions } from '../ports.ts';
import type { Slots } from './slots.ts';

/** The dependencies of every desk. */
export interface DeskOptions
  extends Pick<
    ExecutorOptions,
    'clock' | 'orders' | 'positions' | 'prices' | 'config' | 'partsFollow'
  > {
  readonly gate: Pick<ExecutorOptions['gate'], 'roomTakers'>;
  /** Whether an order may rest on though no wish asks for it: see `Grace`. */
  readonly mayRest: (order: LiveOrder) => boolean;
  /** Ends an order's right to rest unwished: an exit needs it gone. */
  readonly endGrace: (order: LiveOrder) => void;
  /**
   * Whether a strategy may open a position on that side: not while the market's orders cannot be
   * read, nor while another strategy's exit needs the room.
   */
  readonly mayOpen: (owner: DeskOwner, side: Side) => boolean;
  /** The exits for which room was made, perhaps with some that no longer need it: few or none. */
  readonly roomKeepers: Set<RoomKeeper>;
}

/** An exit that keeps the room made for it. */
export interface RoomKeeper {
  readonly keepsRoom: boolean;
  /** Whether opening orders of that desk and side must wait until the exit is done. */
  takesRoom(owner: DeskOwner, side: Side): boolean;
}

/** The strategy and the market of a desk. */
export interface DeskOwner {
  readonly strategy: string;
  readonly market: Market;
}

/** State that one desk's kinds of wishes share. */
export interface DeskParts extends DeskOwner {
  readonly slots: Slots;
}
