import { untoldSide } from './named-sides.ts';
import { isNumeric, numberOf, type Recogniser, timeOf } from './table.ts';

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
  const columns = {
    time: timeOf('c0'),
    id: 'c1',
    price: numberOf('c4'),
    amount: numberOf('c5'),
    side: untoldSide('c3', { told: 'side_of(c3)', word: '' }),
  };
  return { format: 'freqtrade trades', kind: 'trades', columns, untoldSides: { word: '' } };
};
