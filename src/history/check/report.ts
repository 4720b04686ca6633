import { Decimal } from '../../kernel/index.ts';

/** What may be wrong with a dataset, and what that means. */
export const FAULT_MEANINGS = {
  gap: 'rows are missing',
  duplicate: 'rows repeat another row',
  conflict: 'rows have the time of another candle, or the id of another trade, but other values',
  disorder: 'rows came after a later one in their file; they were put in order',
  'half-formed': 'candles differ from those of another resolution: one was saved before it closed',
  mixed:
    'candles in a row are further apart than the resolution: of another one, or with equal gaps',
  'off grid': 'candles do not begin on the time grid that most candles keep',
  'zero price': 'a price is zero or less',
  crossed: 'a high is below a low, or the best bid is at or above the best ask',
  outside:
    'an open or close is outside of high and low, a volume is below zero, or a trade has no amount',
  'unknown book': 'changes of depth come before the first whole book, or there is no whole book',
  'late book': 'trades come before the first whole book: no fault by itself',
  'other unit':
    'amounts count contracts, US dollars or how many quotes came, not the base currency',
  'one-sided': 'quotes have only a bid or only an ask, 0 stands for the other: no fault by itself',
  silence: 'no quote came for an hour or more: a weekend, or rows are missing',
} as const;
export type Fault = keyof typeof FAULT_MEANINGS;

/** Findings that a market may cause by itself: a strict check does not count them as faults. */
const HARMLESS: ReadonlySet<Fault> = new Set(['late book', 'one-sided', 'silence']);

/** Whether it is a fault for sure. */
export function isFault({ fault }: Finding): boolean {
  return !HARMLESS.has(fault);
}

/** A place where something is wrong. */
export interface FaultPlace {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly detail: string;
}

/** A fault of a dataset. */
export interface Finding {
  readonly fault: Fault;
  /** How many rows are wrong; for gaps how many candles or ids are missing, else how many gaps. */
  readonly count: number;
  /** The first places, at most `PLACES_MAX`. */
  readonly places: readonly FaultPlace[];
}

/** Digits that a double keeps of a decimal; further ones are noise of binary arithmetic. */
const SIGNIFICANT_DIGITS = 15;

/** Numbers with their names, such as `high 5, low 0.00001`: plain digits, without their noise. */
export function numbersText(numbers: readonly (readonly [name: string, value: number])[]): string {
  const plain = (value: number): string =>
    Decimal.of(Number(value.toPrecision(SIGNIFICANT_DIGITS))).toString();
  return numbers.map(([name, value]) => `${name} ${plain(value)}`).join(', ');
}

/** Places that a finding names. */
export const PLACES_MAX = 100;

/** A finding with the first of its places, or none where nothing was found. */
export function finding(fault: Fault, count: number, places: readonly FaultPlace[]): Finding[] {
  return count > 0 ? [{ fault, count, places: places.slice(0, PLACES_MAX) }] : [];
}
