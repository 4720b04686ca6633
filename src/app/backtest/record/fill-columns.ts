import { Decimal } from '../../../kernel/index.ts';
import type { RecordedFill } from '../../../report/index.ts';

/** Fills as columns of one length, in a form that a spool can hold. Absent numbers are NaN. */
export type FillColumns = ReturnType<typeof fillColumns>;

export function fillColumns(fills: readonly RecordedFill[]) {
  const column = <Value>(of: (fill: RecordedFill) => Value): Value[] => fills.map(of);
  const numbers = (of: (fill: RecordedFill) => number | undefined): number[] =>
    fills.map((fill) => of(fill) ?? Number.NaN);
  return {
    market: column(({ market }) => market),
    strategy: column(({ strategy }) => strategy),
    clientOrderId: column(({ clientOrderId }) => clientOrderId),
    exchangeOrderId: column(({ exchangeOrderId }) => exchangeOrderId),
    side: column(({ side }) => side),
    feeCurrency: column(({ feeCurrency }) => feeCurrency),
    liquidity: column(({ liquidity }) => liquidity),
    completes: column(({ completes }) => completes),
    rate: column(({ rate }) => rate),
    time: column(({ time }) => time),
    price: column(({ price }) => price),
    amount: column(({ amount }) => amount),
    referencePrice: numbers(({ referencePrice }) => referencePrice),
    value: { whole: column(({ value }) => value.whole), scale: column(({ value }) => value.scale) },
    fee: { whole: column(({ fee }) => fee.whole), scale: column(({ fee }) => fee.scale) },
    low: numbers(({ passed }) => passed.whole?.low),
    high: numbers(({ passed }) => passed.whole?.high),
    underWay: {
      from: numbers(({ passed }) => passed.underWay?.from),
      low: numbers(({ passed }) => passed.underWay?.low),
      high: numbers(({ passed }) => passed.underWay?.high),
    },
  };
}

/** The fill at an index of the columns. */
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
    value: new Decimal(columns.value.whole[at]!, columns.value.scale[at]!),
    fee: new Decimal(columns.fee.whole[at]!, columns.fee.scale[at]!),
    passed: passedAt(columns, at),
  };
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

function passedAt({ low, high, underWay }: FillColumns, at: number): RecordedFill['passed'] {
  const from = underWay.from[at]!;
  return {
    whole: Number.isNaN(low[at]!) ? undefined : { low: low[at]!, high: high[at]! },
    underWay: Number.isNaN(from)
      ? undefined
      : { from, low: underWay.low[at]!, high: underWay.high[at]! },
  };
}
