import { untoldSide } from './named-sides.ts';
import { isNumeric, type Recogniser, tradeColumns } from './table.ts';

/** Rows `[ms, id, type, side, price, amount, cost]`: the trades that freqtrade writes. */
export const tradeRows: Recogniser = ({ headings, rows: [first = []] }) => {
  if (headings !== undefined || first.length < 6) return undefined;
  const [time, , , side, ...numbers] = first;
  if (
    !isNumeric(time) ||
    !/^(buy|sell)$/.test(side ?? '') ||
    !numbers.slice(0, 2).every(isNumeric)
  ) {
    return undefined;
  }
  const columns = tradeColumns({
    ...{ time: 'c0', id: 'c1', price: 'c4', amount: 'c5' },
    side: untoldSide('c3', { told: 'side_of(c3)', word: '' }),
  });
  return { format: 'freqtrade trades', kind: 'trades', columns, untoldSides: { word: '' } };
};
