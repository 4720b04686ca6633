import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  dictionary,
  int32,
  type Table,
  tableFromArrays,
  tableToIPC,
  utf8,
} from '@uwdata/flechette';
import { describe, expect, it } from 'vitest';
import { rewriteArrow } from '../../../../src/history/formats/arrow/rewrite.ts';
import { withDatabase } from '../../../../src/history/store/database.ts';
import { parquet } from '../../../../src/history/store/sql.ts';
import { Store } from '../../store/fixture.ts';

/** Rows as they are written; undefined where there were none. */
async function rewritten(bytes: Uint8Array) {
  const store = new Store();
  const rows = await rewriteArrow(store.file('x.arrow', bytes), { folder: store.root });
  if (rows === undefined) return undefined;
  const { file, headings } = rows;
  const select = `SELECT * FROM ${parquet([file])}`;
  return { headings, rows: await withDatabase((database) => database.rows(select)) };
}

function bytesOf(table: Table): Uint8Array {
  return tableToIPC(table, { format: 'file' })!;
}

describe('rewriteArrow', () => {
  it('writes the rows of all batches in their order, nulls and dictionaries too', async () => {
    const numbers = Array.from({ length: 1_000 }, (_, row) => row);
    const words = numbers.map((row) => (row % 7 === 0 ? null : `word ${row % 5}`));
    const table = tableFromArrays(
      { number: numbers, word: words, 'odd "name"': numbers.map((row) => row / 8) },
      { maxBatchRows: 64, types: { number: int32(), word: dictionary(utf8(), int32(), false, 1) } },
    );
    expect(await rewritten(bytesOf(table))).toEqual({
      headings: ['number', 'word', 'odd "name"'],
      rows: numbers.map((row) => ({ c0: BigInt(row), c1: words[row], c2: row / 8 })),
    });
  });

  it('writes nothing where there is no batch', async () => {
    const bytes = bytesOf(tableFromArrays({ number: [] }, { types: { number: int32() } }));
    expect((await rewritten(bytes))?.rows ?? []).toEqual([]);
  });

  it.each(['odd.feather', 'polars.arrow'])(
    'ends soon and in words, whatever length stands anywhere in %s',
    async (name) => {
      const bytes = readFileSync(new URL(`../feather/${name}`, import.meta.url));
      const store = new Store();
      for (const number of [0x7fff_ffff, -1]) {
        for (let at = 8; at <= bytes.length - 4; at += 4) {
          const changed = Buffer.from(bytes);
          changed.writeInt32LE(number, at);
          const file = store.file('x.arrow', changed);
          const told = await rewriteArrow(file, { folder: store.root }).then(
            () => 'written',
            (thrown: Error) => thrown.message,
          );
          expect(told, `${number} at ${at}`).toMatch(
            /^(written|it (is damaged|breaks off), a whole file is wanted|its numbers begin .*|a column is a dictionary .*)$/,
          );
        }
      }
    },
    60_000,
  );

  it('stops when it is told to', async () => {
    const store = new Store();
    const file = store.file('x.arrow', bytesOf(tableFromArrays({ number: [1, 2] })));
    const signal = AbortSignal.abort('SIGINT');
    await expect(rewriteArrow(file, { folder: join(store.root), signal })).rejects.toBe('SIGINT');
  });
});
