import { describe, expect, it } from 'vitest';
import { rowsPath } from '../../../../src/history/formats/json/rows-path.ts';

describe('rowsPath', () => {
  it.each<[string, readonly string[]]>([
    ['{"data":[{"a":1}]}', ['data']],
    ['{ "error": [], "result": { "XXBTZUSD": [\n [1, "2"]], "last": 3 } }', ['result', 'XXBTZUSD']],
    ['{"query":{"of":{"a":1}},"rows":[[1]]}', ['rows']],
    ['{"tags":["x","y"],"rows":[[1]]}', ['rows']],
    ['{"a [{":"b\\\\\\"[[","rows":[{"c":[[1]]},{"d":2}]}', ['rows']],
    ['{"rows":[[1,2],[3', ['rows']],
    ['{"\\u0072ow\\"s":[[1]]}', ['row"s']],
    ['{"error":[],"result":{"XXBTZUSD":[],"last":"0"}}', ['result', 'XXBTZUSD']],
  ])('finds the list of rows in %s', (text, path) => {
    expect(rowsPath(text)?.path).toEqual(path);
  });

  it('finds it in answers behind each other', () => {
    const answer = '{\n "code": 0,\n "data": [[1, 2]]\n}';
    expect(rowsPath(`${answer}${answer}`)?.path).toEqual(['data']);
    expect(rowsPath('{"result":{"A":[[1]]}}\n{"result":{"A":[[2]]}}')?.path).toEqual([
      'result',
      'A',
    ]);
  });

  it('is undefined where rows are lists or lines', () => {
    expect(rowsPath('[{"a":[[1]]}]')).toBeUndefined();
    expect(rowsPath('{"a":1,"b":[[1]]}\n{"a":2,"b":[[1]]}\n')).toBeUndefined();
    expect(rowsPath('{"price":1,"fees":[{"cost":1}]}\n{"price":2,"fees":[]}\n')).toBeUndefined();
  });

  it('finds no rows in lists of columns, and names them', () => {
    expect(rowsPath('{"s":"ok","t":[1,2],"o":[1,2]}')).toEqual({ columns: ['t', 'o'] });
  });
});
