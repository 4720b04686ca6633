import { untoldSide } from './named-sides.ts';
import { cellsIn, isNumeric, type Recogniser, tradeColumns } from './table.ts';

/** Rows `[ms, id, type, side, price, amount, cost]`: the trades that freqtrade writes. */
export const tradeRows: Recogniser = ({ headings, rows: [first = []], manyRows }) => {
  if (headings !== undefined || ![0, 4, 5].every((at) => isNumeric(first[at]))) return undefined;
  // The first trades may not tell their side.
  const side = cellsIn(manyRows, 'c3').find((cell) => cell !== '');
  if (side !== 'buy' && side !== 'sell') return undefined;
  const columns = tradeColumns({
    ...{ time: 'c0', id: 'c1', price: 'c4', amount: 'c5' },
    side: untoldSide('c3', { side: 'side_of(c3)', word: '' }),
  });
  return { format: 'freqtrade trades', kind: 'trades', columns, untoldSides: { word: '' } };
};
