import type { Clock } from '../../kernel/index.ts';
import type { Accounts } from '../accounts.ts';
import type { Publisher } from '../publisher.ts';
import type { Addresses } from './addresses.ts';
import type { Bills } from './bills.ts';
import type { Catalogue } from './catalogue.ts';
import type { FundsSettings } from './config.ts';

/** What the ways of money in and out share. */
export interface Vault {
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly publisher: Publisher;
  readonly bills: Bills;
  readonly catalogue: Catalogue;
  readonly addresses: Addresses;
  readonly settings: FundsSettings;
  readonly seed: string;
  /** An id that nothing else on the exchange has. */
  readonly nextId: () => string;
}

/** Does a piece of work later and pushes what came of it. */
export function later({ clock, publisher }: Vault, delayMs: number, work: () => void): void {
  clock.schedule(() => {
    work();
    publisher.moneyMoved();
    publisher.publish();
  }, delayMs);
}
