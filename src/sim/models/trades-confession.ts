import type { TradesModelSettings } from './trades-config.ts';

/** When an order fills under these settings, and what is not modelled: whole sentences. */
export function tradesConfession(settings: TradesModelSettings): string[] {
  const { printCap, touchMeanTrades } = settings;
  return [
    queueOf(settings),
    'A trade at the price of a resting order, by a taker of the other side, serves that queue ' +
      'first and then own orders, first come first served. Nobody leaves the queue without a ' +
      'trade, and an order that betters the best price implied by the tape has nobody ahead of it.',
    printCap
      ? 'A trade beyond the price of a resting order clears the queue ahead of it and fills the ' +
        'order, up to the amount of that trade.'
      : 'A trade beyond the price of a resting order fills the order whole, however small the ' +
        'trade.',
    'An order that takes meets the best price that the last trade implies: the price of that ' +
      'trade if its taker was on the same side, otherwise one spread away. The spread is the ' +
      'mean of the latest bounces between the prices of buyers and sellers; before the first ' +
      'bounce, 0.05 % of the price.',
    `It finds ${meanOf(touchMeanTrades)} there, twice that at the next level half a spread ` +
      'further, three times at the one after, and so on; what it takes is there again after the ' +
      'next trade.',
    'There is no book: strategies that look at one see one level a side, made up of the last ' +
      'prices at which takers sold and bought, with the amount of the last trade. Unlike on an ' +
      'exchange, own orders are not in it, and own trades are neither heard nor counted in ' +
      'candles.',
    'Real depth and its holes, makers that flee before a move, hidden orders and how others ' +
      'would have reacted to own orders are not modelled.',
  ];
}

function queueOf({ queueAhead }: TradesModelSettings): string {
  if (queueAhead === 'none') {
    return 'A new resting order is the first in the queue at its price: nobody is ahead of it.';
  }
  const amount =
    'amount' in queueAhead
      ? `${queueAhead.amount} of the base currency`
      : meanOf(queueAhead.meanTrade);
  return (
    `A new resting order finds a queue of ${amount} at its price: an estimate, as trades do ` +
    'not show queues.'
  );
}

function meanOf(times: number): string {
  const mean = 'the mean amount of recent trades';
  return times === 1 ? mean : `${times} times ${mean}`;
}
