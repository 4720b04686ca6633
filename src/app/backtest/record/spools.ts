import { join } from 'node:path';
import { ByteSpool } from './byte-spool.ts';
import type { FillColumns } from './fill-columns.ts';
import type { OrderColumns } from './order-columns.ts';
import { Spool } from './spool.ts';

/** What became of the orders and the account of a run that goes on. */
export interface Spools {
  readonly orders: Spool<OrderColumns>;
  readonly fills: Spool<FillColumns>;
  readonly samples: ByteSpool;
}

/** New spools, as files of a folder if one is given. Default: in memory. */
export function openSpools(folder?: string): Spools {
  const at = (name: string) => (folder === undefined ? undefined : join(folder, name));
  return {
    orders: new Spool(at('orders.spool')),
    fills: new Spool(at('fills.spool')),
    samples: new ByteSpool(at('samples.spool')),
  };
}

export function closeSpools(spools: Spools): void {
  for (const spool of [spools.orders, spools.fills, spools.samples]) spool.close();
}
