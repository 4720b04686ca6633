import type { RecordedFill } from '../../../report/index.ts';

/** Fills in a block of columns. */
const BLOCK_FILLS = 1_024;

/** Fills as columns of one length. Times: milliseconds since the epoch; NaN and null: unknown. */
export type FillRows = ReturnType<typeof rowsOf>;

/** The fills of a run as its file has them, block by block; without fills, one empty block. */
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
    /** The fill's order, by its id in the file of orders. */
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
