import { describe, expect, it } from 'vitest';
import { METRICS } from '../../src/report/index.ts';
import { textOf } from './pages.ts';

/** Every figure with its definition, in Markdown. */
function figuresTable(): string {
  const rows = METRICS.map(
    ({ id, label, definition }) => `| ${label} | \`${id}\` | ${definition} |`,
  );
  return ['| figure | key | what it is |', '|---|---|---|', ...rows].join('\n');
}

describe('docs/backtest.md: figures', () => {
  it('have their definitions as the source has them', () => {
    const [, table] =
      /<!-- figures -->\n\n(.*)\n\n<!-- end of figures -->/s.exec(textOf('docs/backtest.md')) ?? [];
    expect(table).toBe(figuresTable());
  });
});
