import { isClientOrderId, type Market, type Side } from '../../../domain/index.ts';
import { ACCOUNT_TYPES, type AccountType, CODES } from '../../../exchange/index.ts';
import { readWrittenTime } from '../wire/dates.ts';
import { sideOf } from '../wire/fields.ts';
import { refuse } from './answers.ts';
import type { Markets } from './markets.ts';
import { readSum } from './money.ts';
import { newNameOf } from './renamed.ts';

/** Turns a parameter's text into a value. Refuses what is not of the type. */
export type Reader<T> = (text: string, name: string, markets: Markets) => T;

/** A parameter of an operation. */
export interface Parameter<T> {
  readonly required: boolean;
  /** Whether a given text means that the value is left out. */
  readonly isLeftOut: (text: string) => boolean;
  readonly read: Reader<T>;
  /** The value if it is absent. */
  readonly absent: T;
}

/** The parameters of an operation by name, in the order in which they are checked. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The values that were read. */
export type Values<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

/** A parameter that must be there: empty or missing is code 3005. */
export function required<T>(read: Reader<T>): Parameter<T> {
  return { required: true, isLeftOut: isEmpty, read, absent: undefined as T };
}

/** A parameter that may be missing; words such as `None` mean that it is. */
export function optional<T>(read: Reader<T>): Parameter<T | undefined> {
  return defaulting<T | undefined>(read, undefined);
}

/** A parameter that may be missing, and whose value may be any word, `None` too. */
export function optionalWord<T>(read: Reader<T>): Parameter<T | undefined> {
  return { required: false, isLeftOut: isEmpty, read, absent: undefined };
}

/** A parameter with a default; words such as `None` mean that it is missing. */
export function defaulting<T>(read: Reader<T>, absent: T): Parameter<T> {
  return { required: false, isLeftOut: isNothing, read, absent };
}

/** What clients in scripting languages send for a value that they leave out. */
const NOTHING: ReadonlySet<string> = new Set(['', 'None', 'null', 'undefined']);

function isNothing(text: string): boolean {
  return NOTHING.has(text);
}

function isEmpty(text: string): boolean {
  return text === '';
}

/** Refuses a parameter. @throws {ExchangeFailure} with code 3005. */
export function invalid(name: string, wanted: string): never {
  return refuse(CODES.invalidArguments, `Invalid ${name}: ${wanted} wanted`);
}

/** Any text. */
export const text: Reader<string> = (value) => value;

/** A market by its identifier, in any case. Unknown ones are code 1001, "Error Market". */
export const market: Reader<Market> = (value, _name, markets) => markets.named(value);

/** A currency by its name in lower case; any case is read, old names are refused. */
export const currency: Reader<string> = (value, name) => {
  const lower = value.toLowerCase();
  if (!/^[a-z0-9]{1,20}$/.test(lower)) return invalid(name, 'the name of a currency');
  const renamed = newNameOf(lower);
  return renamed === undefined ? lower : invalid(name, `${lower} is now ${renamed}, that is`);
};

/** 1 buy, 0 sell. Source: contract, `tradeType`. */
export const side: Reader<Side> = (value, name) =>
  sideOf(value) ?? invalid(name, '1 (buy) or 0 (sell)');

/** 0, 1 or 2. Source: contract, `acctType`. */
export const accountType: Reader<AccountType> = (value, name) =>
  ACCOUNT_TYPES.find((type) => String(type) === value) ?? invalid(name, '0, 1 or 2');

/** `true` or `false`; the contract calls it an int too, so 1 and 0 are taken. */
export const flag: Reader<boolean> = (value, name) => {
  if (isSet(value)) return true;
  return UNSET.has(value) ? false : invalid(name, 'true or false');
};

/** Whether the text of a flag says yes. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && SET.has(value);
}

/** True and false as the contract writes them, and as scripting languages do. */
const SET: ReadonlySet<string> = new Set(['true', '1', 'True']);
const UNSET: ReadonlySet<string> = new Set(['false', '0', 'False']);

/** A whole number between two bounds, both included. */
export function integer(least: number, most: number): Reader<number> {
  return (value, name) => {
    const number = isDigits(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    return invalid(name, `a whole number from ${least} to ${most}`);
  };
}

/** The highest page that may be asked for. */
const PAGE_MAX = 1_000_000;
/** Default number of items on a page. Source: contract, getSpotBills. */
const PAGE_SIZE = 10;

/** `pageIndex`, from 1. Default: 1. */
export const pageIndex = defaulting(integer(1, PAGE_MAX), 1);

/** `pageSize` between two bounds, both included. Default: 10. */
export function pageSize(least: number, most: number): Parameter<number> {
  return defaulting(integer(least, most), PAGE_SIZE);
}

/** A time written as `yyyy-MM-dd HH:mm:ss`, in milliseconds since the epoch. */
export const date: Reader<number> = (value, name) =>
  readWrittenTime(value) ?? invalid(name, 'yyyy-MM-dd HH:mm:ss');

/** A number above zero, in plain digits or as scripting languages write a float. */
export const positive: Reader<number> = (value, name) => {
  const number = Number(readSum(value)?.toString() ?? 0);
  return number > 0 ? number : invalid(name, 'a number above zero');
};

/** A long integer, kept as text, such as an order id: a float would lose digits. */
export const digits: Reader<string> = (value, name) =>
  isDigits(value) && value.length <= DIGITS_MAX ? value : invalid(name, 'digits');

/** 4 to 36 letters or digits. Source: contract, `customerOrderId`. */
export const customerOrderId: Reader<string> = (value, name) =>
  isClientOrderId(value) ? value : invalid(name, '4 to 36 letters or digits');

/** One of the given words. */
export function oneOf<const T extends string>(words: readonly T[]): Reader<T> {
  return (value, name) =>
    words.find((word) => word === value) ?? invalid(name, `one of ${words.join(', ')}`);
}

/** Characters of the longest id that is read. */
const DIGITS_MAX = 30;

/** Whether a text is one digit or more, and nothing else. */
function isDigits(value: string): boolean {
  return /^\d+$/.test(value);
}
