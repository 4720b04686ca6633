import type { BusEvent } from '../../src/kernel/index.ts';

/** An event that a bus can carry, numbered so that orders can be compared. */
export interface Note extends BusEvent {
  readonly kind: 'depth' | 'trade' | 'order';
  readonly id: number;
}

export function note(id: number, options: Partial<Omit<Note, 'id'>> = {}): Note {
  return { kind: 'depth', market: 'btc_usdt', ...options, id };
}
