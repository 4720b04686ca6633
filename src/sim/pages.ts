import type { Page } from '../domain/index.ts';
import { invalidArguments } from './refusals.ts';

/** Items of a page by default. Source: contract, getSpotBills. */
const PAGE_SIZE = 10;

/**
 * The requested page, with its defaults. `least` and `most`: bounds of its size, both included.
 *
 * @throws {ExchangeFailure} `rejected` with 3005 for an impossible page or size.
 */
export function checkedPage(
  { page = 1, pageSize = PAGE_SIZE }: { page?: number | undefined; pageSize?: number | undefined },
  { least, most }: { least: number; most: number },
): { page: number; pageSize: number } {
  if (!Number.isSafeInteger(page) || page < 1) {
    throw wrong(`the page is ${page}, a whole number from 1 is wanted`);
  }
  if (!Number.isInteger(pageSize) || pageSize < least || pageSize > most) {
    throw wrong(`the size of a page is ${pageSize}, from ${least} to ${most} is wanted`);
  }
  return { page, pageSize };
}

/** A page, newest first, of items that stand oldest first, with the count of all items. */
export function pageOf<T, R>(
  items: readonly T[],
  query: { page: number; pageSize: number },
  show: (item: T) => R,
): Page<R> {
  const { page, pageSize } = query;
  const end = items.length - (page - 1) * pageSize;
  const found = end <= 0 ? [] : items.slice(Math.max(0, end - pageSize), end).reverse();
  return { page, pageSize, items: found.map(show), totalCount: items.length };
}

function wrong(what: string) {
  return invalidArguments(`Cannot list: ${what}`);
}
