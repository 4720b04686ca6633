/** The order in which markets are shown where there is no room for all, lowest rank first. */
export const RANKS = { trouble: 0, held: 1, idle: 2 } as const;

/** The parts of a block, from top to bottom. */
interface Parts {
  readonly head: readonly string[];
  readonly troubles: readonly string[];
  readonly strategies: readonly string[];
  readonly markets: readonly MarketPart[];
  readonly totals: readonly string[];
}

interface MarketPart {
  readonly rank: number;
  readonly lines: readonly string[];
  /** The market on one line. */
  readonly brief: readonly string[];
}

/**
 * Fits the block into `rows`: shortens idle markets first, then other markets, then troubles and
 * strategies, and counts what is left out. If it must, it also sorts the markets by rank.
 */
export function fitted(parts: Parts, rows: number): string[] {
  const { head, troubles, strategies, markets, totals } = parts;
  const all = markets.flatMap(({ lines }) => ['', ...lines]);
  const whole = [...head, ...troubles, ...strategies, ...all, '', ...totals];
  if (whole.length <= rows) return whole;
  // Two more rows: the line that counts markets, and the blank one above the totals.
  let left = rows - head.length - totals.length - 2;
  const traders = cut(strategies, { rows: left - Math.min(1, troubles.length), of: 'strategies' });
  left -= traders.length;
  const told = cut(troubles, { rows: left, of: 'troubles' });
  left -= told.length;
  const shown = [...head, ...told, ...traders, ...marketsWithin(markets, left), '', ...totals];
  if (shown.length <= rows) return shown;
  return shown.filter((line) => line !== '').slice(-rows);
}

/**
 * Shows markets that are not idle in full, and an idle one only if every market after it still gets
 * a line. The others get one line each, and those without room for one are counted.
 */
function marketsWithin(markets: readonly MarketPart[], rows: number): string[] {
  const waiting = markets.toSorted((a, b) => a.rank - b.rank);
  const shown: string[] = [];
  for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
    const others = next.rank === RANKS.idle ? briefHeight(waiting.slice(1)) : 0;
    if (shown.length + 1 + next.lines.length + others > rows) break;
    shown.push('', ...next.lines);
    waiting.shift();
  }
  const briefs: string[] = [];
  const room = rows - shown.length - 1;
  while (waiting[0] !== undefined && briefs.length + waiting[0].brief.length <= room) {
    briefs.push(...waiting.shift()!.brief);
  }
  if (briefs.length > 0) shown.push('', ...briefs);
  if (waiting.length === 0) return shown;
  const busy = waiting.filter(({ rank }) => rank !== RANKS.idle).length;
  const what = `${waiting.length} more market${waiting.length === 1 ? '' : 's'}`;
  return [...shown, `  … ${what}, ${busy === 0 ? 'all idle' : `${busy} not idle`}`];
}

function briefHeight(markets: readonly MarketPart[]): number {
  return markets.reduce((sum, { brief }) => sum + brief.length, Math.min(1, markets.length));
}

/** As many lines as there is room for, one at least. The last one counts those left out. */
function cut(
  lines: readonly string[],
  { rows, of }: { readonly rows: number; readonly of: string },
): readonly string[] {
  const room = Math.max(Math.min(1, lines.length), rows);
  if (lines.length <= room) return lines;
  const shown = lines.slice(0, room - 1);
  return [...shown, `  … ${lines.length - shown.length} more lines of ${of}`];
}
