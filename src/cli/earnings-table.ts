import { type Decimal, type MarketStatus, rooms, type StrategyEarnings } from '../app/index.ts';
import { formatPosition, formatProfit } from './format.ts';
import { clip, type Paint } from './style.ts';
import { numbers, table, words } from './table.ts';

const { Decimal: Exact } = await rooms.nouns();

/** Longest strategy name that is shown in full, so that a line stays within 80 columns. */
const NAME = 20;

/** A line of the table: one strategy, or several that no longer trade. */
type Line = Omit<StrategyEarnings, 'isTrading'>;

/** Whether a market has several strategies, past ones included; else its own line is enough. */
export function hasSeveral({ ofStrategies }: MarketStatus): boolean {
  return ofStrategies.length > 1;
}

interface EarningsDrawing {
  readonly paint: Paint;
  readonly isBrief: boolean;
  readonly width: number;
}

/**
 * What each strategy holds in a market, its average entry price, and what it has earned in the
 * quote currency. If brief, strategies that no longer trade, hold nothing and paid no fees in this
 * run are summed in one line.
 */
export function earningsTable(
  status: MarketStatus,
  { paint, isBrief, width }: EarningsDrawing,
): string[] {
  const { market, hasPast, ofStrategies } = status;
  const isOver = ({ isTrading, position, runFees }: StrategyEarnings): boolean =>
    isBrief && !isTrading && position.amount.sign === 0 && runFees.sign === 0;
  const lines: Line[] = [
    ...ofStrategies.filter((one) => !isOver(one)),
    ...summed(ofStrategies.filter(isOver)),
  ];
  const earned = (profit: Decimal | undefined): string =>
    profit === undefined ? '-' : formatProfit(profit.toNumber(), market);
  const rows = lines.map(({ strategy, position, entryPrice, ...money }) => [
    ...[clip(strategy, NAME), formatPosition({ market, position })],
    entryPrice?.toNumber().toFixed(market.priceScale) ?? '-',
    earned(money.runProfit),
    ...(hasPast ? [earned(money.profit)] : []),
    money.runFees.toNumber().toFixed(Math.max(2, market.priceScale)),
  ]);
  const columns = [
    ...[words('strategy'), numbers('position'), numbers('entry')],
    ...(hasPast ? [numbers('this run'), numbers('all runs')] : [numbers('profit')]),
    numbers('fees'),
  ];
  return table(columns, { rows, paint, width });
}

/** Several strategies as one line; one alone keeps its name. */
function summed(over: readonly StrategyEarnings[]): Line[] {
  const [first, ...others] = over;
  if (first === undefined || others.length === 0) return first === undefined ? [] : [first];
  return [
    {
      ...first,
      strategy: `${over.length} that are over`,
      profit: sumOf(over.map(({ profit }) => profit)),
      runProfit: sumOf(over.map(({ runProfit }) => runProfit)),
    },
  ];
}

function sumOf(profits: readonly (Decimal | undefined)[]): Decimal | undefined {
  let sum = Exact.ZERO;
  for (const profit of profits) {
    if (profit === undefined) return undefined;
    sum = sum.plus(profit);
  }
  return sum;
}
