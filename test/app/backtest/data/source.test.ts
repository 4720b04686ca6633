import { expect, it } from 'vitest';
import { openSources } from '../../../../src/app/backtest/data/data.ts';
import { hasRows } from '../../../../src/app/backtest/data/source.ts';
import { START_MS } from '../fixture.ts';
import {
  depthRows,
  quoteRows,
  type TickData,
  tickDataset,
  tickRun,
  tradeRows,
} from '../tick-fixture.ts';

it.each<TickData>([
  {
    kind: 'trades',
    rows: tradeRows([
      [0, 'buy', 100],
      [9, 'buy', 100],
    ]),
  },
  {
    kind: 'depth',
    rows: depthRows([
      [0, 'snapshot', 'buy', 99, 1],
      [0, 'snapshot', 'sell', 101, 1],
      [9, 'change', 'buy', 100, 1],
    ]),
  },
  {
    kind: 'quotes',
    rows: quoteRows([
      [0, 99, 1, 101, 1],
      [9, 100, 1, 101, 1],
    ]),
  },
])('hasRows sees no $kind where nothing happens, whatever book stands', async (data) => {
  const { root } = await tickDataset(data);
  const [source] = await openSources(tickRun({ root, kind: data.kind }));
  const has = (from: number, to: number) =>
    hasRows(source!, START_MS + from * 1_000, START_MS + to * 1_000);
  expect(await has(0, 1)).toBe(true);
  expect(await has(1, 9)).toBe(false);
  expect(await has(1, 10)).toBe(true);
  expect(await has(10, 20)).toBe(false);
});
