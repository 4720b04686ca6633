import type { Balance, OrderRecord } from '../../../../domain/index.ts';
import type { BalancePush } from '../../../../exchange/index.ts';
import { type Fields, listOf, readPushedOrder, timeOf } from '../../wire/index.ts';

/** Balances with the time of their frame: its `version`, if it has one. @throws {WireError} */
export function balancePush(
  { version }: Fields,
  {
    balances,
    receivedTime,
  }: { readonly balances: readonly Balance[]; readonly receivedTime: number },
): BalancePush {
  const exchangeTime = version === undefined ? receivedTime : timeOf(version, 'version');
  return { balances, exchangeTime, receivedTime };
}

/**
 * Orders as they are pushed: one flat array for one order, a list of such arrays, or none at all.
 *
 * @throws {WireError}
 */
export function pushedRows(record: unknown, market: string): readonly OrderRecord[] {
  const rows = listOf(record ?? [], 'record');
  const list = rows.length === 0 || Array.isArray(rows[0]) ? rows : [rows];
  return list.map((row) => readPushedOrder(row, market));
}
