import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadBacktest, runBacktest } from '../../../src/app/backtest/index.ts';
import { exportData, importData } from '../../../src/app/history/index.ts';
import { EXPORT_FORMATS } from '../../../src/history/index.ts';
import { seededRandom } from '../../../src/kernel/index.ts';
import type { DepthRow } from '../../history/store/fixture.ts';
import { scratchFolder } from '../fixture.ts';
import { backtestFile, LIMITS, START_MS } from './fixture.ts';
import { depthRows, tickDataset } from './tick-fixture.ts';

const SECONDS = 300;

const LISTENER = new URL('listener.ts', import.meta.url).pathname;
const GAPS = [{ from: START_MS + 110_000, to: START_MS + 190_000, reason: 'the line was cut' }];

/** One whole book, then changes of it and trades, and a hole in which neither was recorded. */
function recording(): DepthRow[] {
  const random = seededRandom('exported');
  const mid = (second: number) => 60_000 + Math.round(30 * Math.sin(second / 20));
  const book = (second: number, event: 'snapshot' | 'change'): DepthRow[] =>
    [1, 2, 3].flatMap((level) => {
      const amount = () => (1 + random.integer(500)) / 1_000;
      return [
        [second, event, 'buy', mid(second) - level, amount()] as const,
        [second, event, 'sell', mid(second) + level, amount()] as const,
      ];
    });
  const cleared = (second: number): DepthRow[] =>
    [0, 1, 2, 3].flatMap((level) => [
      [second, 'change', 'buy', mid(second) + level, 0] as const,
      [second, 'change', 'sell', mid(second) - level, 0] as const,
    ]);
  const rows: DepthRow[] = book(0, 'snapshot');
  for (let second = 0.5; second < SECONDS; second += 0.5) {
    if (second === 110) rows.push([second, 'gap', 'buy', 0, 0]);
    if (second >= 110 && second < 190) continue;
    if (second === 190) rows.push(...book(second, 'snapshot'));
    rows.push(...cleared(second), ...book(second, 'change'));
    const side = random.integer(2) === 0 ? 'buy' : 'sell';
    const price = mid(second) + (side === 'buy' ? 1 : -1);
    rows.push([second, 'trade', side, price, (1 + random.integer(300)) / 1_000]);
  }
  return rows;
}

interface Played {
  readonly root: string;
  readonly id: string;
  readonly fromMs: number;
}

/** A market maker over a dataset, with what latency and queues a backtest can have. */
async function played({ root, id, fromMs }: Played) {
  const params = { spread: 0.00002, volatilityFactor: 0, requote: 0.00001, amount: 0.05 };
  const file = backtestFile({
    strategies: [
      { use: 'market-maker', params: { ...params, positionMax: 0.5 } },
      { use: LISTENER, params: { intervals: ['1min'] } },
    ],
    fees: { maker: 0.0002, taker: 0.0005 },
    risk: LIMITS,
    backtest: {
      ...{ balances: { usdt: '100000', btc: '2' }, dataFolder: root, data: { btc_usdt: id } },
      ...{
        fill: { model: 'depth' },
        latency: { order: 30, answer: 20, feed: { recorded: 'refuse' } },
      },
    },
  });
  const toMs = START_MS + 250_000;
  // Only the whole recording has what happened before.
  const period = { knownFromMs: fromMs, warmFromMs: fromMs, fromMs, toMs };
  const { record, log } = await runBacktest({ deployment: loadBacktest(file), period });
  const { fills, orders, events } = record.counts;
  return { hash: record.journalHash, fills, orders, events, curve: [...record.curve], log };
}

describe('a backtest of exported depth that was imported again', () => {
  it.each(EXPORT_FORMATS.flatMap((format) => [40.25, 90].map((from) => ({ format, from }))))(
    'comes out as one of all of it, as $format from second $from',
    async ({ format, from }) => {
      const rows = depthRows(recording());
      const { root, dataset } = await tickDataset({ kind: 'depth', rows, gaps: GAPS });
      const fromMs = START_MS + 1_000 * from;
      const file = join(root, `btc_usdt.${format}`);
      const to = START_MS + 250_000;
      await exportData({ root, id: dataset.id, file, from: fromMs, to });
      const again = scratchFolder();
      const [imported] = await importData({ root: again, files: [file] });
      expect(imported!.warnings).toEqual([]);
      const whole = await played({ root, id: dataset.id, fromMs });
      const part = await played({ root: again, id: imported!.dataset.id, fromMs });
      expect(whole.fills).toBeGreaterThan(10);
      expect(part).toEqual(whole);
    },
  );
});
