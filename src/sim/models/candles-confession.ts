import { counted } from '../../kernel/index.ts';
import { type CandlesModelSettings, DEFAULT_PATH_STEPS } from './candles-config.ts';

/** When an order fills under these settings, and what is not modelled: whole sentences. */
export function candlesConfession(settings: CandlesModelSettings): string[] {
  const { at, limits, gaps, volumeCap } = settings;
  return [
    momentOf(settings),
    limits === 'penetration'
      ? 'A resting order fills at its own price once a candle goes beyond that price; a candle ' +
        'that only touches it does not fill it.'
      : 'A resting order fills at its own price once a candle touches that price, as if it were ' +
        'first in its queue.',
    ...(gaps === 'open'
      ? [
          'If a candle opens beyond its price, a resting order fills at that open, however ' +
            'little traded there.',
        ]
      : []),
    ...(gaps === 'walked'
      ? [
          'A candle is taken to begin at the close before it: orders and stops that fill between ' +
            'that close and its open fill at prices that may never have been quoted.',
        ]
      : []),
    pathOf(settings),
    volumeCap === null
      ? 'Own orders may trade any amount, even more than the whole market traded.'
      : `Own orders together trade at most ${volumeCap} of the volume of a ` +
        `candle${capAtOpenOf(at)}. The rest of an order stays in the book as a maker, without ` +
        'slippage even if its price would take at once; if the order may not rest, it is ' +
        'cancelled.',
    slippageOf(settings),
    'Own orders share one queue, first come first served at each price. The queue of others, the ' +
      'spread and the effect of own orders on the price are not modelled.',
    ...withinOf(settings),
    'There is no book: strategies that look at one see one made-up level a side, a price step ' +
      `${bookOf(settings)}.`,
  ];
}

/** Which volume caps what trades at an open. */
function capAtOpenOf(at: CandlesModelSettings['at']): string {
  if (at === 'thisClose') return '';
  return ' (at an open: of the candle just beginning, whose volume nobody knows yet)';
}

/** What happens to orders that arrive, or are triggered, while a candle is under way. */
function withinOf({ at, pathSteps = DEFAULT_PATH_STEPS }: CandlesModelSettings): string[] {
  if (at === 'heardPath') {
    return [
      'An order that arrives while a candle is under way, even one triggered by a fill in it, ' +
        'meets the price that the candle has reached by then, and the rest of its path.',
      'A candle is taken to go from its open to its high and low and on to its close without ' +
        `turning in between, each leg in ${pathSteps} even ${pathSteps === 1 ? 'step' : 'steps'} ` +
        'of the price, spread evenly over its time: nobody knows the real path.',
      'So the first step within a candle gives away which extreme comes next, and prices turn ' +
        'only at extremes: strategies that trade on prices within candles, and trailing stops ' +
        'narrower than the height of a candle, earn here what no market gives.',
    ];
  }
  return [
    'An order that arrives while a candle is under way meets nothing of the range of that ' +
      'candle: it rests until the next one opens. If it takes, it meets the last known price: ' +
      'the close of the candle before, or the open of this one where orders wait for opens.',
    'Everything within a candle has the time of its close. An order triggered by a fill within a ' +
      'candle rests until the next one opens; if it takes, it meets the worse of two prices: ' +
      'that which the candle had reached, and its close.',
  ];
}

function bookOf({ at }: CandlesModelSettings): string {
  switch (at) {
    case 'thisClose':
    case 'nextOpen':
      return 'below and above each close, with the volume of its candle';
    case 'heardOpen':
      return 'below and above each open, with the volume of the candle before';
    case 'heardPath':
      return 'below and above each price of its path, with the volume of the candle before';
    default:
      return at satisfies never;
  }
}

const THIS_CLOSE =
  'An order made at the close of a candle trades at that close, the price that the strategy ' +
  'has just heard of';

function momentOf({ at, atClose }: CandlesModelSettings): string {
  const nextOpen =
    'An order made at the close of a candle reaches the exchange when the next candle opens, ' +
    'however long that takes, and trades at its open';
  switch (at) {
    case 'thisClose':
      return (
        `${THIS_CLOSE}; nobody could be that quick. An order under way that arrives in the ` +
        'millisecond of a later close trades at that close. An order that a timer makes between ' +
        'two closes trades at the earlier one, however long ago that was; where candles are ' +
        'missing no order leaves.'
      );
    case 'nextOpen':
      return `${nextOpen}.`;
    case 'heardOpen':
      return (
        `${nextOpen}; so does one made on the news of that open, though nobody could be ` +
        'that quick.'
      );
    case 'heardPath':
      return (
        `${atClose === 'thisClose' ? THIS_CLOSE : nextOpen}; one made on the news of a price ` +
        'within the candle trades at that price, though nobody could be that quick.'
      );
    default:
      return at satisfies never;
  }
}

function slippageOf({ slippage: { steps, basisPoints } }: CandlesModelSettings): string {
  const paid = [
    ...(steps > 0 ? [counted(steps, 'price step')] : []),
    ...(basisPoints > 0 ? [counted(basisPoints, 'basis point')] : []),
  ];
  return paid.length === 0
    ? 'An order that takes trades at the price it meets: no spread and no slippage is charged.'
    : `An order that takes pays ${paid.join(' and ')} beyond the price it meets. If that exceeds ` +
        'its limit, an order that may rest trades at its limit, and any other does not trade.';
}

function pathOf({ path }: CandlesModelSettings): string {
  switch (path) {
    case 'nearestFirst':
      return (
        'A candle is taken to have reached first whichever of high and low is nearer to its ' +
        'open.'
      );
    case 'openHighLowClose':
      return 'A candle is taken to have reached its high before its low.';
    case 'openLowHighClose':
      return 'A candle is taken to have reached its low before its high.';
    case 'adverseFirst':
      return (
        'A candle is taken to have moved first against the position held just after its open: to ' +
        'its low if that is long, to its high if it is short, and without a position to ' +
        'whichever is nearer to its open.'
      );
    case 'byDirection':
      return (
        'A candle is taken to have moved first against its own direction: to its low if it ' +
        'closed at its open or above, else to its high.'
      );
    default:
      return path satisfies never;
  }
}
