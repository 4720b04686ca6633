import type { Conventions } from '../config.ts';
import type { Facts } from './facts.ts';
import { DEVIATION, type FamilyMetric, finite, type Measured, tooFew, UNPRICED } from './metric.ts';
import type { TradeFacts } from './trade-facts.ts';

/** Least number of round trips for shares and means of them. */
export const TRADES_MIN = 10;
/** Least number of round trips for SQN. Source: Van Tharp, Definitive Guide to Position Sizing. */
export const QUALITY_TRADES_MIN = 30;

interface TradeMetric
  extends Pick<FamilyMetric, 'id' | 'label' | 'unit' | 'definition'>,
    Partial<Pick<FamilyMetric, 'better'>> {
  /** Default: 1, so that the figure exists at all. */
  readonly least?: number;
  /** Whether it is worked out from sums of money, which may be unknown. Default: if it is money. */
  readonly isOfMoney?: boolean;
  of(trades: TradeFacts, conventions: Conventions): Measured;
}

function tradeMetric(metric: TradeMetric): FamilyMetric {
  const { of, least = 1, better = 'more', isOfMoney = metric.unit === 'quote', ...rest } = metric;
  const wants = least === 1 ? '' : ` Wants ${least} trades.`;
  return {
    ...rest,
    better,
    definition: `${rest.definition}${wants}`,
    measure: (facts) => gated(facts, { least, isOfMoney, of }),
  };
}

function gated(
  { trades, conventions }: Facts,
  { least, isOfMoney, of }: Required<Pick<TradeMetric, 'least' | 'isOfMoney' | 'of'>>,
): Measured {
  if (trades.count === 0) return { reason: 'no trade was closed' };
  const reason = tooFew({ count: trades.count, least, noun: 'trade' }, conventions);
  if (reason !== undefined) return { reason };
  return isOfMoney && Number.isNaN(trades.won) ? { reason: UNPRICED } : of(trades, conventions);
}

const expectancyOf = ({ won, lost, count }: TradeFacts): number => (won + lost) / count;

export const TRADE_METRICS: readonly FamilyMetric[] = [
  {
    id: 'trades',
    label: 'Trades',
    unit: 'count',
    better: 'neither',
    definition:
      'Closed trades. A trade is a round trip from flat to flat, net of all fees. A fill through ' +
      'flat ends one and begins the next.',
    measure: ({ trades }) => ({ value: trades.count }),
  },
  tradeMetric({
    id: 'winRate',
    label: 'Win rate',
    unit: 'fraction',
    least: TRADES_MIN,
    definition: 'Share of trades with a profit above zero, net of all fees.',
    of: ({ wins, count }) => ({ value: wins / count }),
  }),
  tradeMetric({
    id: 'profitFactor',
    label: 'Profit factor',
    unit: 'ratio',
    isOfMoney: true,
    least: TRADES_MIN,
    definition: 'Sum of all winning trades over the sum of all losing ones.',
    of: ({ won, lost }) => finite(won / -lost, 'no trade lost'),
  }),
  tradeMetric({
    id: 'expectancy',
    label: 'Expectancy',
    unit: 'quote',
    least: TRADES_MIN,
    definition:
      'Win rate times the mean win less loss rate times the mean loss: the mean profit of a trade.',
    of: (trades) => finite(expectancyOf(trades)),
  }),
  tradeMetric({
    id: 'expectancyRatio',
    label: 'Expectancy, per mean loss',
    unit: 'ratio',
    isOfMoney: true,
    least: TRADES_MIN,
    definition:
      'Expectancy over the mean loss: what a trade earns for each unit that a losing one costs.',
    of: (trades) => finite(expectancyOf(trades) / (-trades.lost / trades.losses), 'no trade lost'),
  }),
  tradeMetric({
    id: 'sqn',
    label: 'System quality (SQN)',
    unit: 'ratio',
    isOfMoney: true,
    least: QUALITY_TRADES_MIN,
    definition:
      'Square root of the number of trades, times the mean of their profits over the ' +
      `${DEVIATION} of these.`,
    of: ({ count, moments }, { deviation }) =>
      finite(
        (Math.sqrt(count) * moments.mean) / moments.deviationOf(deviation),
        'the profits do not vary',
      ),
  }),
  tradeMetric({
    id: 'averageTrade',
    label: 'Average trade',
    unit: 'fraction',
    definition: 'Mean of the profits, each as a fraction of what its entry was worth.',
    of: ({ meanShare }) => finite(meanShare),
  }),
  tradeMetric({
    id: 'averageWin',
    label: 'Average win',
    unit: 'quote',
    definition: 'Mean profit of the winning trades.',
    of: ({ won, wins }) => finite(won / wins, 'no trade won'),
  }),
  tradeMetric({
    id: 'averageLoss',
    label: 'Average loss',
    unit: 'quote',
    definition: 'Mean profit of the losing trades.',
    of: ({ lost, losses }) => finite(lost / losses, 'no trade lost'),
  }),
  tradeMetric({
    id: 'bestTrade',
    label: 'Best trade',
    unit: 'quote',
    definition: 'The highest profit of a trade.',
    of: ({ best }) => finite(best),
  }),
  tradeMetric({
    id: 'worstTrade',
    label: 'Worst trade',
    unit: 'quote',
    definition: 'The lowest profit of a trade.',
    of: ({ worst }) => finite(worst),
  }),
  tradeMetric({
    id: 'losingStreak',
    label: 'Longest losing streak',
    unit: 'count',
    better: 'less',
    definition: 'The most losing trades in a row, in the order in which they ended.',
    of: ({ losingStreak }) => ({ value: losingStreak }),
  }),
  tradeMetric({
    id: 'averageDuration',
    label: 'Average duration',
    unit: 'duration',
    better: 'neither',
    definition: 'Mean time from the first fill of a trade to its last.',
    of: ({ meanDurationMs }) => ({ value: meanDurationMs }),
  }),
];
