import { join } from 'node:path';
import type { OrderColumns } from '../../report/index.ts';
import type { SpooledFill } from './fill-log.ts';
import { Spool } from './spool.ts';

/** What became of the orders of a run that goes on. */
export interface Spools {
  readonly orders: Spool<OrderColumns>;
  readonly fills: Spool<readonly SpooledFill[]>;
}

/** New spools, as files of a folder if one is given. Default: in memory. */
export function openSpools(folder?: string): Spools {
  const at = (name: string) => (folder === undefined ? undefined : join(folder, name));
  return { orders: new Spool(at('orders.spool')), fills: new Spool(at('fills.spool')) };
}

export function closeSpools({ orders, fills }: Spools): void {
  orders.close();
  fills.close();
}
