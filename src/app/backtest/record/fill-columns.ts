import type { Fill } from '../../../domain/index.ts';
import { Decimal } from '../../../kernel/index.ts';
import type { RecordedFill } from '../../../report/index.ts';

/** What is recorded of a fill beside what the ledger says of it. */
export type FillFacts = Omit<RecordedFill, Exclude<keyof Fill, 'price' | 'strategy'>>;

/** Decimals as columns of one length: what a spool can hold of them. */
interface DecimalColumns {
  readonly units: (number | bigint)[];
  readonly scale: number[];
}

/** Fills as columns of one length. Numbers that are absent are NaN. */
export interface FillColumns {
  readonly market: string[];
  readonly strategy: string[];
  readonly clientOrderId: string[];
  readonly exchangeOrderId: string[];
  readonly side: RecordedFill['side'][];
  readonly feeCurrency: string[];
  readonly liquidity: RecordedFill['liquidity'][];
  readonly completes: RecordedFill['completes'][];
  readonly rate: RecordedFill['rate'][];
  readonly time: number[];
  readonly price: number[];
  readonly amount: RecordedFill['amount'][];
  readonly referencePrice: number[];
  readonly value: DecimalColumns;
  readonly fee: DecimalColumns;
  readonly whole: Readonly<Record<'low' | 'high', number[]>>;
  readonly underWay: Readonly<Record<'from' | 'low' | 'high', number[]>>;
}

/** Columns of no fills. */
export function fillColumns(): FillColumns {
  return {
    ...{ market: [], strategy: [], clientOrderId: [], exchangeOrderId: [] },
    ...{ side: [], feeCurrency: [], liquidity: [], completes: [], rate: [] },
    ...{ time: [], price: [], amount: [], referencePrice: [] },
    ...{ value: { units: [], scale: [] }, fee: { units: [], scale: [] } },
    ...{ whole: { low: [], high: [] }, underWay: { from: [], low: [], high: [] } },
  };
}

export function addFill(
  columns: FillColumns,
  { fill, facts }: { readonly fill: Fill; readonly facts: FillFacts },
): void {
  const { passed } = facts;
  columns.market.push(fill.market);
  columns.strategy.push(facts.strategy);
  columns.clientOrderId.push(fill.clientOrderId);
  columns.exchangeOrderId.push(fill.exchangeOrderId);
  columns.side.push(fill.side);
  columns.feeCurrency.push(fill.feeCurrency);
  columns.liquidity.push(facts.liquidity);
  columns.completes.push(facts.completes);
  columns.rate.push(facts.rate);
  columns.time.push(fill.time);
  columns.price.push(facts.price);
  columns.amount.push(fill.amount);
  columns.referencePrice.push(facts.referencePrice ?? Number.NaN);
  addDecimal(columns.value, fill.value);
  addDecimal(columns.fee, fill.fee);
  columns.whole.low.push(passed.whole?.low ?? Number.NaN);
  columns.whole.high.push(passed.whole?.high ?? Number.NaN);
  columns.underWay.from.push(passed.underWay?.from ?? Number.NaN);
  columns.underWay.low.push(passed.underWay?.low ?? Number.NaN);
  columns.underWay.high.push(passed.underWay?.high ?? Number.NaN);
}

/** The fill at a place of columns. */
export function fillAt(columns: FillColumns, at: number): RecordedFill {
  return {
    market: columns.market[at]!,
    strategy: columns.strategy[at]!,
    clientOrderId: columns.clientOrderId[at]!,
    exchangeOrderId: columns.exchangeOrderId[at]!,
    side: columns.side[at]!,
    feeCurrency: columns.feeCurrency[at]!,
    liquidity: columns.liquidity[at],
    completes: columns.completes[at],
    rate: columns.rate[at],
    time: columns.time[at]!,
    price: columns.price[at]!,
    amount: columns.amount[at]!,
    referencePrice: known(columns.referencePrice[at]!),
    value: decimalAt(columns.value, at),
    fee: decimalAt(columns.fee, at),
    passed: { whole: wholeAt(columns, at), underWay: underWayAt(columns, at) },
  };
}

/** Adds to the fee of the fill at a place of columns. */
export function raiseFee(
  { fee }: FillColumns,
  { at, by }: { readonly at: number; readonly by: Decimal },
): void {
  const { whole, scale } = decimalAt(fee, at).plus(by);
  fee.units[at] = whole;
  fee.scale[at] = scale;
}

function addDecimal({ units, scale }: DecimalColumns, decimal: Decimal): void {
  units.push(decimal.whole);
  scale.push(decimal.scale);
}

function decimalAt({ units, scale }: DecimalColumns, at: number): Decimal {
  return new Decimal(units[at]!, scale[at]!);
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

function wholeAt({ whole }: FillColumns, at: number): RecordedFill['passed']['whole'] {
  const low = whole.low[at]!;
  return Number.isNaN(low) ? undefined : { low, high: whole.high[at]! };
}

function underWayAt({ underWay }: FillColumns, at: number): RecordedFill['passed']['underWay'] {
  const from = underWay.from[at]!;
  if (Number.isNaN(from)) return undefined;
  return { from, low: underWay.low[at]!, high: underWay.high[at]! };
}
