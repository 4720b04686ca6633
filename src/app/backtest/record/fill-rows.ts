import type { RecordedFill } from '../../../report/index.ts';

/** Fills that are made columns at once. */
const BLOCK_FILLS = 1_024;

/** Fills as columns of one length. Times in milliseconds since the epoch; NaN and null: not known. */
export type FillRows = ReturnType<typeof rowsOf>;

/** The fills of a run as a file has them, some at a time; of none one block without rows. */
export function* fillRows(fills: Iterable<RecordedFill>): Generator<FillRows> {
  let block: RecordedFill[] = [];
  for (const fill of fills) {
    if (block.length === BLOCK_FILLS) {
      yield rowsOf(block);
      block = [];
    }
    block.push(fill);
  }
  yield rowsOf(block);
}

function rowsOf(fills: readonly RecordedFill[]) {
  const texts = <Text extends string | null>(of: (fill: RecordedFill) => Text): Text[] =>
    fills.map(of);
  const numbers = (of: (fill: RecordedFill) => number): Float64Array =>
    Float64Array.from(fills, of);
  return {
    time: numbers(({ time }) => time),
    market: texts(({ market }) => market),
    strategy: texts(({ strategy }) => strategy),
    /** The order that it is of, as in the file of orders. */
    clientOrderId: texts(({ clientOrderId }) => clientOrderId),
    side: texts(({ side }) => side),
    price: numbers(({ price }) => price),
    amount: numbers(({ amount }) => amount),
    /** Quote currency moved, before fees. */
    value: numbers(({ value }) => value.toNumber()),
    /** In `feeCurrency`. */
    fee: numbers(({ fee }) => fee.toNumber()),
    feeCurrency: texts(({ feeCurrency }) => feeCurrency),
    liquidity: texts(({ liquidity = null }) => liquidity),
    /** The price of the market when the order was made. */
    referencePrice: numbers(({ referencePrice = Number.NaN }) => referencePrice),
  };
}
