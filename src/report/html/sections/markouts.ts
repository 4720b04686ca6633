import { formatDuration } from '../../../kernel/index.ts';
import type { Analysis } from '../../analysis.ts';
import { formatNumber } from '../../format.ts';
import type { Markout } from '../../record.ts';
import { type Html, html } from '../html.ts';
import { signClass } from '../numbers.ts';
import { cell, head, row, table } from '../table.ts';

const BASIS_POINTS = 10_000;
const PLACES = 2;
const KINDS = { maker: 'Maker', taker: 'Taker', unknown: 'Not known' } as const;

/** What the market did after fills: it shows quotes that trade just before they are run over. */
export function markouts({ record }: Analysis): Html | undefined {
  const { markouts: all } = record;
  if (all.length === 0) return undefined;
  const times = [...new Set(all.map(({ afterMs }) => afterMs))].sort((a, b) => a - b);
  const lines = Map.groupBy(all, ({ market, liquidity }) => `${market} ${liquidity}`);
  return html`<section aria-labelledby="markouts-title">
<h2 id="markouts-title">After the fills</h2>
<p class="muted">How much fills had gained some time later, in basis points of what they traded: bought
below the price at that time, or sold above it. Fees are left out, and so are fills whose time is past
the end of the run: a number in brackets is that of the fills that are left.</p>${table({
    caption: 'Basis points, by value',
    heads: ['Market', head('As', 'word'), 'Fills', ...times.map(formatDuration)],
    rows: Array.from(lines.values(), (line) => lineRow(line, times)),
    look: 'stacks',
  })}</section>`;
}

function lineRow(line: readonly Markout[], times: readonly number[]): Html {
  const { market, liquidity } = line[0]!;
  const fills = Math.max(...line.map((one) => one.fills));
  return row(market, [
    cell(KINDS[liquidity], 'word', 'As'),
    cell(formatNumber(fills, 0), '', 'Fills'),
    ...times.map((time) => {
      const found = line.find(({ afterMs }) => afterMs === time);
      if (found === undefined) return cell('', '', formatDuration(time));
      const points = (BASIS_POINTS * found.gained) / found.value;
      const left =
        found.fills < fills && html`<span class="muted">(${formatNumber(found.fills, 0)})</span> `;
      const shown = html`${left || undefined}${formatNumber(points, PLACES)}`;
      return cell(shown, signClass(points), formatDuration(time));
    }),
  ]);
}
