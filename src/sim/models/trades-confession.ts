import type { TradesModelSettings } from './trades-config.ts';

/** When an order fills under these settings, and what is not modelled: whole sentences. */
export function tradesConfession(settings: TradesModelSettings): string[] {
  const { printCap, touchMeanTrades } = settings;
  return [
    queueOf(settings),
    'A trade at the price of a resting order, by a taker of the other side, serves that queue first ' +
      'and then own orders, first come first served. Nobody leaves the queue without a trade, and ' +
      'an order that betters the best price implied by the tape has nobody before it.',
    printCap
      ? 'A trade beyond the price of a resting order ends the queue before it and fills the order, ' +
        'up to the amount of that trade.'
      : 'A trade beyond the price of a resting order fills the order whole, however small the trade.',
    'An order that takes meets the best price that the last trade implies: that of a taker of the ' +
      'same side, else one spread away, the spread being the mean of the latest bounces between ' +
      'buyers and sellers, and 0.05 % of the price before the first.',
    `It finds ${meanOf(touchMeanTrades)} there, twice that at the next level ` +
      'half a spread further, three times at the one after, and so on; what it took is there again ' +
      'after the next trade.',
    'There is no book: strategies that look at one see one level a side, made up of the last prices ' +
      'that takers sold and bought at, with the amount of the last trade. Own orders are not in it, ' +
      'and own trades are none of those that are heard, nor in candles, as they are on an exchange.',
    'Real depth and its holes, makers that flee before a move, hidden orders and what own orders ' +
      'would have changed in the behaviour of others are not modelled.',
  ];
}

function queueOf({ queueAhead }: TradesModelSettings): string {
  if (queueAhead === 'none') {
    return 'An order that comes to rest is the first in the queue of its price: nobody is before it.';
  }
  const amount =
    'amount' in queueAhead
      ? `${queueAhead.amount} of the base currency`
      : meanOf(queueAhead.meanTrade);
  return `An order that comes to rest finds a queue of ${amount} at its price: an estimate, as trades do not tell it.`;
}

function meanOf(times: number): string {
  const mean = 'the mean amount of recent trades';
  return times === 1 ? mean : `${times} times ${mean}`;
}
