import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { splitObject } from '../../../../src/history/formats/json/split-object.ts';
import { scratchFolder } from '../../../scratch-folder.ts';
import { sourceOf } from '../../fixture.ts';

const ODD = 'a "quoted" [text] {of} \\ signs: é, 価';

/** The rows of an object and what is around them, read some bytes at a time. */
async function split(text: string, path: readonly string[], chunkBytes = 7) {
  const folder = scratchFolder();
  const { file, ...objects } = await splitObject(sourceOf(text, chunkBytes), { path, folder });
  return { rows: JSON.parse(readFileSync(file, 'utf8')) as unknown, ...objects };
}

describe('splitObject', () => {
  it.each([1, 2, 7, 1000])(
    'parts rows from what is around them, %i bytes at a time',
    async (by) => {
      const rows = [[1, ODD, [[2]]], { [ODD]: { rows: [[3]] } }];
      const object = { [ODD]: ODD, rows: 1, a: { b: [[4]], [ODD]: rows, c: null }, d: ['x'] };
      const found = await split(JSON.stringify(object, null, 1), ['a', ODD], by);
      expect(found.rows).toEqual(rows);
      expect(found.around).toEqual({ ...object, rows: '1', a: { b: [['4']], [ODD]: [], c: null } });
    },
  );

  it('keeps the digits of numbers around rows', async () => {
    const { around } = await split('{"index":[1706695200000000001],"data":[[1]]}', ['data']);
    expect(around).toEqual({ index: ['1706695200000000001'], data: [] });
  });

  it('puts the rows of several objects together', async () => {
    const found = await split('{"a":1,"data":[[1],[2]]}\n{"a":2,"data":[[3]]}\n', ['data']);
    const around = { a: '1', data: [] };
    expect(found).toEqual({ rows: [[1], [2], [3]], around, others: [{ a: '2', data: [] }] });
  });

  it.each([1, 7, 1000])(
    'passes over lists without a row between others, %i bytes at a time',
    async (by) => {
      const lists = ['[]', '[ ]', '[[1], [2]]', '[\n]', '[[3]]', '[]'];
      const found = await split(lists.map((list) => `{"data":${list}}\n`).join(''), ['data'], by);
      expect(found.rows).toEqual([[1], [2], [3]]);
    },
  );

  it.each([
    ['{"a":1,"data":[[1],[2', 'it breaks off'],
    ['{"a":1,"data":[[1]]', 'it breaks off'],
    ['{"a":1,"data":[[1]],}', 'around its rows it is no JSON'],
    ['{"a":"NaN","b":[-Infinity],"data":[[1]]}', 'around its rows it holds -Infinity (behind "'],
    ['{"a":1,"data":[[1]]} x', 'around its rows it is no JSON'],
    ['{"a":1,"data":[[1]]} "x"', 'around its rows it is no JSON'],
    ['{"a":1,"data":[[1]}}', 'around its rows it is no JSON'],
    [`{"data":[[1]],"a":"${'x'.repeat(33_554_432)}"}`, 'more than 32 MB beside its rows ("data")'],
  ])('refuses %.30s', async (text, message) => {
    await expect(split(text, ['data'], 65_536)).rejects.toThrow(message);
  });
});
