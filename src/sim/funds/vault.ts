import type { TradingFloor } from '../trading-floor.ts';
import type { Addresses } from './addresses.ts';
import type { Catalogue } from './catalogue.ts';
import type { FundsSettings } from './config.ts';

/** What deposits and withdrawals share. */
export interface Vault extends Pick<TradingFloor, 'clock' | 'accounts' | 'publisher' | 'bills'> {
  readonly catalogue: Catalogue;
  readonly addresses: Addresses;
  readonly settings: FundsSettings;
  readonly seed: string;
  /** An id that nothing else on the exchange has. */
  readonly nextId: () => string;
}

/** Does a piece of work later and pushes what it changed. */
export function later({ clock, publisher }: Vault, delayMs: number, work: () => void): void {
  clock.schedule(() => {
    work();
    publisher.publish();
  }, delayMs);
}
