import { join } from 'node:path';
import { ByteSpool } from './byte-spool.ts';
import type { FillColumns } from './fill-columns.ts';
import type { OrderColumns } from './order-columns.ts';
import { Spool } from './spool.ts';

/** Where a run keeps its orders, fills and samples while it goes on. */
export interface Spools {
  readonly orders: Spool<OrderColumns>;
  readonly fills: Spool<FillColumns>;
  readonly samples: ByteSpool;
}

/** Opens new spools, as files in a folder. Default: in memory. */
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
