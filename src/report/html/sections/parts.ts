import type { Analysis } from '../../analysis.ts';
import { formatNumber, formatShare } from '../../format.ts';
import type { PartFacts } from '../../metrics/part-facts.ts';
import { type Html, html } from '../html.ts';
import { signClass, typographic } from '../numbers.ts';
import { cell, head, row, table } from '../table.ts';

/** What each strategy did in each market, where there are several of one or the other. */
export function parts({ facts, money }: Analysis): Html | undefined {
  if (facts.parts.length < 2) return undefined;
  return html`<section aria-labelledby="parts-title">
<h2 id="parts-title">Strategies and markets</h2>${table({
    caption: `Closed trades, in ${money.currency}, net of fees`,
    heads: ['Strategy', head('Market', 'word'), 'Trades', 'Won', 'Still open', 'Fees', 'Profit'],
    rows: facts.parts.map((part) => partRow(part, money.places)),
  })}</section>`;
}

function partRow(part: PartFacts, places: number): Html {
  const { strategy, market, trades, wins, open, fees, profit } = part;
  return row(strategy, [
    cell(market, 'word'),
    formatNumber(trades, 0),
    trades === 0 ? '' : typographic(formatShare(wins / trades)),
    formatNumber(open, 0),
    typographic(formatNumber(fees, places)),
    cell(typographic(formatNumber(profit, places)), signClass(profit)),
  ]);
}
