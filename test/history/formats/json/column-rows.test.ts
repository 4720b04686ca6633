import { describe, expect, it } from 'vitest';
import { candles, datasetOf, rowsOf } from '../../store/fixture.ts';

const NAMES = ['t', 'o', 'h', 'l', 'c', 'v'];

function columnsOf(rows: readonly (readonly number[])[], names = NAMES) {
  return Object.fromEntries(names.map((name, at) => [name, rows.map((row) => row[at])]));
}

function imported(data: unknown) {
  return datasetOf('btc_usd.json', JSON.stringify(data));
}

describe('columnRows', () => {
  // With many rows the first list is longer than the head that is read of a file.
  it.each([3, 9_000])('are those of a list for each column, %d of them', async (count) => {
    const rows = candles(0, count);
    const names = ['ticks', 'open', 'high', 'low', 'close', 'volume'];
    for (const data of [
      { s: 'ok', ...columnsOf(rows) },
      { jsonrpc: '2.0', result: { ...columnsOf(rows, names), status: 'ok' } },
    ]) {
      expect(await rowsOf(await imported(data))).toEqual(rows);
    }
  });

  it('name their market as other answers do', async () => {
    const dataset = await imported({ symbol: 'ETHUSD', ...columnsOf(candles(0, 2)) });
    expect(dataset.id).toBe('local.eth_usd.1min');
  });

  it('are refused where lists are of other lengths, or break off', async () => {
    const columns = columnsOf(candles(0, 2));
    await expect(imported({ ...columns, v: [1] })).rejects.toThrow('it holds a list for each');
    await expect(datasetOf('btc_usd.json', JSON.stringify(columns).slice(0, -1))).rejects.toThrow(
      'it breaks off, a whole file is wanted',
    );
  });
});
