import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DatasetOf, DatasetWriter, openScan } from '../../../../src/history/index.ts';
import { Store } from '../fixture.ts';

const ROWS = 20_000;

/** Trades of so many months, a file each. */
async function months(count: number): Promise<DatasetOf<'trades'>> {
  const { root } = new Store();
  const key = { source: 'venue', market: 'btc_usdt', kind: 'trades' } as const;
  const writer = new DatasetWriter({ root, key, name: 'venue', format: 'record' });
  for (let month = 0; month < count; month++) {
    const begin = Date.UTC(2024, month, 1);
    const rows = Array.from({ length: ROWS }, (_, at) => [
      ...[begin + at, undefined, `${month * ROWS + at}`],
      ...[100 + Math.sin(at), 1 + Math.cos(at), 1],
    ]);
    await writer.add({ rows });
  }
  writer.close();
  return writer.dataset as DatasetOf<'trades'>;
}

describe('openScan', () => {
  it('has all rows of a time, and fails where files go while it reads', async () => {
    const dataset = await months(10);
    const span = { from: Date.UTC(2024, 0, 1) + 10, to: Date.UTC(2024, 9, 1) + 20 };
    let rows = 0;
    for await (const { time } of openScan(dataset, span)) rows += time.length;
    expect(rows).toBe(9 * ROWS + 10);
    const reading = async (): Promise<void> => {
      for await (const _ of openScan(dataset)) {
        for (const { file } of dataset.parts.slice(1)) {
          rmSync(join(dataset.folder, file), { force: true });
        }
      }
    };
    await expect(reading()).rejects.toThrow('No files found that match the pattern');
  });
});
