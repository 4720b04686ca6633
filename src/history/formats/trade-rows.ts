import { isNumeric, numberOf, type Recogniser, timeOf } from './table.ts';

/** Rows `[ms, id, type, side, price, amount, cost]`: the trades that freqtrade writes. */
export const tradeRows: Recogniser = ({ headings, rows: [first] }) => {
  if (headings !== undefined || first?.length !== 7) return undefined;
  const [time, , , side, ...numbers] = first;
  if (!isNumeric(time) || !/^(buy|sell)$/.test(side ?? '') || !numbers.every(isNumeric)) {
    return undefined;
  }
  const columns = {
    time: timeOf('c0'),
    id: 'c1',
    price: numberOf('c4'),
    amount: numberOf('c5'),
    side: 'side_of(c3)',
  };
  return { format: 'freqtrade trades', kind: 'trades', columns };
};
