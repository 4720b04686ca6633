import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/app/backtest/index.ts';
import { LIMITS, START_MS } from './fixture.ts';
import {
  depthRows,
  quoteRows,
  type TickData,
  tickDataset,
  tickRun,
  tradeRows,
} from './tick-fixture.ts';

/** Buys one at 99, once. */
const RESTING = `import { defineStrategy, filter, map, order, z } from '#strategy';
export default defineStrategy({
  name: 'resting',
  params: z.strictObject({}),
  run: ({ market, depth }) =>
    depth().pipe(filter((_, at) => at === 0), map(() => order(market, { tag: 'one', side: 'buy', price: 99, amount: 1 }))),
});
`;

const MINUTE = 60;
/** Prices that fall to 98 while nothing is recorded, from the first second to the minute. */
const FALLS: Readonly<Record<TickData['kind'], Pick<TickData, 'rows'>>> = {
  trades: {
    rows: tradeRows([
      [0, 'sell', 100],
      [1, 'sell', 100],
      [MINUTE, 'sell', 98],
    ]),
  },
  depth: {
    rows: depthRows([
      [0, 'snapshot', 'buy', 99.5, 5],
      [0, 'snapshot', 'sell', 100, 5],
      [1, 'change', 'buy', 99.5, 4],
      [MINUTE, 'snapshot', 'buy', 97, 5],
      [MINUTE, 'snapshot', 'sell', 98, 5],
      [MINUTE + 1, 'trade', 'sell', 98, 5],
    ]),
  },
  quotes: {
    rows: quoteRows([
      [0, 99.5, 5, 100, 5],
      [1, 99.5, 4, 100, 5],
      [MINUTE, 97, 5, 98, 5],
      [MINUTE + 1, 97, 5, 98, 6],
    ]),
  },
};
const GAP = { from: START_MS + 1_000, to: START_MS + MINUTE * 1_000, reason: 'the line was cut' };
const DEPTH_GAP = depthRows([[1, 'gap', 'buy', 0, 0]]);

async function fallen(data: TickData, risk: object = {}) {
  const { root } = await tickDataset(data);
  const strategies = [{ use: './scripted.ts', name: 'resting' }];
  const settings = { strategies, text: RESTING, risk: { ...LIMITS, ...risk } };
  const deployment = tickRun({ root, kind: data.kind }, settings);
  const period = { warmFromMs: START_MS, fromMs: START_MS, toMs: START_MS + 2 * MINUTE * 1_000 };
  const { record } = await runBacktest({ deployment, period });
  return [...record.fills].length;
}

/** The same with what each kind has in place of rows that are missing. */
function withGap(kind: TickData['kind']): TickData {
  const { rows } = FALLS[kind];
  if (kind !== 'depth') return { kind, rows, gaps: [GAP] };
  return { kind, rows: [...rows.slice(0, 3), ...DEPTH_GAP, ...rows.slice(3)] };
}

describe('a backtest whose orders rest on stale data', () => {
  const KINDS = ['trades', 'depth', 'quotes'] as const;

  it.each(KINDS)('cancels them in a gap of %s after staleRestMaxMs, as live', async (kind) => {
    const data = withGap(kind);
    expect(await fallen(data)).toBe(0);
    expect(await fallen(data, { staleRestMaxMs: 0 })).toBe(1);
    expect(await fallen(data, { staleRestMaxMs: 59_500 })).toBe(1);
  });

  it('cancels them where a recorded book says nothing for too long', async () => {
    const data = { kind: 'depth', ...FALLS.depth } as const;
    expect(await fallen(data)).toBe(0);
    expect(await fallen(data, { staleRestMaxMs: 55_000 })).toBe(1);
  });

  it('keeps them where a recorded book speaks up in between, however briefly', async () => {
    const changes = Array.from({ length: 12 }, (_, at) => {
      return [9 * (at + 1), 'change', 'buy', 99.5, 5 + (at % 2)] as const;
    });
    const rows = depthRows([
      [0, 'snapshot', 'buy', 99.5, 5],
      [0, 'snapshot', 'sell', 100, 5],
      ...changes,
      [109, 'change', 'sell', 98, 5],
      [110, 'change', 'sell', 98, 6],
    ]);
    expect(await fallen({ kind: 'depth', rows })).toBe(1);
  });
});
