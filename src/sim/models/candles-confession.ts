import { counted } from '../../kernel/index.ts';
import { type CandlesModelSettings, DEFAULT_PATH_STEPS } from './candles-config.ts';

/** When an order fills under these settings, and what is not modelled: whole sentences. */
export function candlesConfession(settings: CandlesModelSettings): string[] {
  const { at, limits, gaps, volumeCap } = settings;
  return [
    momentOf(settings),
    limits === 'penetration'
      ? 'A resting order fills at its own price once a candle went beyond it; where the price only ' +
        'touched it, it does not.'
      : 'A resting order fills at its own price once a candle touched it, as if it were first in ' +
        'its queue.',
    ...(gaps === 'open'
      ? ['One whose price a candle opened beyond fills at that open, however little traded there.']
      : []),
    ...(gaps === 'walked'
      ? [
          'A candle is taken to begin at the close before it: what trades on the way from there to its ' +
            'open, a stop too, trades at prices that nobody may have seen.',
        ]
      : []),
    pathOf(settings),
    volumeCap === null
      ? 'Own orders may trade any amount, more than the whole market did.'
      : `${capOf(at)}Own orders together trade at most ${volumeCap} of the volume of a candle; what is beyond ` +
        'that rests on, as a maker and without slippage even where it would take at once, or is ' +
        'cancelled where it may not rest.',
    slippageOf(settings),
    'Own orders share one queue, first come first served at a price; of the queue of others, of the ' +
      'spread, and of how own orders move the price nothing is modelled.',
    ...withinOf(settings),
    `There is no book: strategies that look at one see one level a side, made up a price step ${bookOf(settings)}.`,
  ];
}

/** What a cap at an open goes by. */
function capOf(at: CandlesModelSettings['at']): string {
  if (at === 'thisClose') return '';
  return 'How much trades at an open goes by the volume of the candle that begins, which nobody knew. ';
}

/** What becomes of orders that come, and of what happens, while a candle is under way. */
function withinOf({ at, pathSteps = DEFAULT_PATH_STEPS }: CandlesModelSettings): string[] {
  if (at === 'heardPath') {
    return [
      'An order that arrives while a candle is under way, one that a fill in it sets off too, meets ' +
        'the price that the candle has come to by then, and sees the rest of its path.',
      'A candle is taken to go from its open to high and low and on to its close without a turn ' +
        `between, each way in ${pathSteps} even ${pathSteps === 1 ? 'step' : 'steps'} of the price, ` +
        'all of them evenly over its time: when it was where, and how often, nobody knows.',
      'So the first step within a candle tells an extreme to come, and a price that turns does so at an ' +
        'extreme alone: what trades on such prices, and a trailing stop that is narrower than candles ' +
        'are high, earn here what no market gives.',
    ];
  }
  return [
    'An order that arrives while a candle is under way rests until the next one opens: of the range ' +
      'of its own it sees nothing. If it takes, it meets the last price there was: the close of the ' +
      'candle before, or the open where orders wait for that.',
    'All that happens within a candle bears the time of its close. An order that a fill in it sets ' +
      'off rests until the next one opens; if it takes, it meets the worse of the price that the ' +
      'candle was at and its close.',
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
      return `${nextOpen}; so does one made on the news of that open, and nobody could be that quick.`;
    case 'heardPath':
      return (
        `${atClose === 'thisClose' ? THIS_CLOSE : nextOpen}; one made on the news of a price within ` +
        'the candle trades at that price, and nobody could be that quick.'
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
    ? 'An order that takes meets the price itself: no spread and no slippage is charged.'
    : `An order that takes pays ${paid.join(' and ')} beyond the price it meets, no more than its limit: one that may rest pays that, any other misses.`;
}

function pathOf({ path }: CandlesModelSettings): string {
  switch (path) {
    case 'nearestFirst':
      return 'A candle is taken to have seen first whichever of high and low is nearer to its open.';
    case 'openHighLowClose':
      return 'A candle is taken to have seen its high before its low.';
    case 'openLowHighClose':
      return 'A candle is taken to have seen its low before its high.';
    case 'adverseFirst':
      return (
        'A candle is taken to have gone first against what is held behind its open: to its low ' +
        'where that is long, to its high where it is short, and where nothing is held to ' +
        'whichever is nearer to its open.'
      );
    case 'byDirection':
      return (
        'A candle is taken to have gone first against the way that it went as a whole: to its low ' +
        'where it closed at its open or above, else to its high.'
      );
    default:
      return path satisfies never;
  }
}
