import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DatasetOf, openScan } from '../../../../src/history/index.ts';
import { Store } from '../fixture.ts';

const ROWS = 20_000;

/** Trades of so many months, a file each. */
function months(count: number): Promise<DatasetOf<'trades'>> {
  const rows = Array.from({ length: count * ROWS }, (_, at) => [
    ...[Date.UTC(2024, Math.floor(at / ROWS), 1) + (at % ROWS), undefined, `${at}`],
    ...[100 + Math.sin(at), 1 + Math.cos(at), 1],
  ]);
  return new Store().record(rows, { kind: 'trades' });
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
