import type { Page } from '../../../domain/index.ts';
import { type Fields, fieldsOf, illegible, listOf, numberOf } from './read.ts';

/**
 * A page of records in its wrapper. Source: contract, Withdrawal record and Deposit record.
 *
 * @throws {WireError}
 */
export function pageOf<T>(
  value: unknown,
  { total, read }: { readonly total: string; readonly read: (record: Fields) => T },
): Page<T> {
  const page = fieldsOf(value, 'page');
  return {
    items: listOf(page.list, "page's list").map((record) => read(fieldsOf(record, 'record'))),
    page: countOf(page.pageIndex, "page's pageIndex"),
    pageSize: countOf(page.pageSize, "page's pageSize"),
    totalCount: countOf(page[total], `page's ${total}`),
  };
}

/** A whole number of 0 or more, as a number or its text. @throws {WireError} */
export function countOf(value: unknown, what: string): number {
  const count = numberOf(value, what);
  return Number.isSafeInteger(count) && count >= 0
    ? count
    : illegible(what, value, 'a whole number from 0 on');
}
