import type { Bill } from '../../../domain/index.ts';
import type { Decimal } from '../../../kernel/index.ts';
import { acknowledged } from './acknowledged.ts';
import { writtenTimeOf } from './dates.ts';
import { decimalOf, fieldsOf, idOf, listOf, nameOf, textOf, timeOf } from './read.ts';

/** The answer of `getSpotBills`. Source: contract, Spot bill item. @throws {WireError} */
export function readBills(json: unknown): readonly Bill[] {
  return listOf(acknowledged(json).result, 'bills').map((value) => {
    const bill = fieldsOf(value, 'bill');
    const currency = nameOf(bill.currencyName, "bill's currencyName");
    const { date, showDate } = bill;
    return {
      id: idOf(bill.id, "bill's id"),
      currency,
      change: sumOf(bill.changeAmount, { what: "bill's changeAmount", currency }),
      // Both fields are called the balance; `total` is used if the other is missing.
      balance: sumOf(bill.balance ?? bill.total, { what: "bill's balance", currency }),
      time:
        date === undefined || date === null
          ? writtenTimeOf(showDate, "bill's showDate")
          : timeOf(date, "bill's date"),
      type: textOf(bill.typeDesc, "bill's typeDesc"),
      remark: textOf(bill.remark, "bill's remark"),
    };
  });
}

/** A plain number, then a name that begins with a letter and not like an exponent. */
const NAMED_SUM = /^([+-]?\d+(?:\.\d*)?)\s*(?!e\d)\p{L}[\p{L}\d]*$/iu;

/**
 * A sum that its currency may follow, as in `12.5USDT` or `-0.1 BTC`.
 *
 * The bill's own currency is cut off by its name, which may begin with a digit or with the `e` of
 * an exponent. Another name, for currencies were renamed, is cut off from its first letter on.
 *
 * @throws {WireError}
 */
function sumOf(
  value: unknown,
  { what, currency }: { readonly what: string; readonly currency: string },
): Decimal {
  if (typeof value !== 'string') return decimalOf(value, what);
  const text = value.trim();
  if (text.toLowerCase().endsWith(currency)) {
    return decimalOf(text.slice(0, text.length - currency.length), what);
  }
  return decimalOf(NAMED_SUM.exec(text)?.[1] ?? text, what);
}
