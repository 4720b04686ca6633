import type { Analysis } from '../../analysis.ts';
import { formatNumber, formatShare } from '../../format.ts';
import { type PartFacts, partsTotal } from '../../metrics/part-facts.ts';
import { type Html, html } from '../html.ts';
import { signClass } from '../numbers.ts';
import { cell, head, row, table } from '../table.ts';

const HEADS = ['Trades', 'Won', 'Still open', 'Fees', 'Profit'] as const;

/** What each strategy did in each market, if there are several strategies or markets. */
export function parts({ facts, money }: Analysis): Html | undefined {
  if (facts.parts.length < 2) return undefined;
  const total = { ...partsTotal(facts.parts), strategy: 'All', market: '' };
  return html`<section aria-labelledby="parts-title">
<h2 id="parts-title">Strategies and markets</h2>${table({
    caption: `Closed trades, in ${money.currency}, net of fees`,
    heads: ['Strategy', head('Market', 'word'), ...HEADS],
    rows: facts.parts.map((part) => partRow(part, money.places)),
    foot: partRow(total, money.places),
    look: 'stacks',
  })}</section>`;
}

function partRow(part: PartFacts, places: number): Html {
  const { strategy, market, trades, wins, open, fees, profit } = part;
  const [ofTrades, ofWon, ofOpen, ofFees, ofProfit] = HEADS;
  const won = trades === 0 ? '' : formatShare(wins / trades);
  return row(strategy, [
    cell(market, 'word', 'Market'),
    cell(formatNumber(trades, 0), '', ofTrades),
    cell(won, '', ofWon),
    cell(formatNumber(open, 0), '', ofOpen),
    cell(formatNumber(fees, places), '', ofFees),
    cell(formatNumber(profit, places), signClass(profit), ofProfit),
  ]);
}
