import { describe, expect, it } from 'vitest';
import { rowsOf, Store } from '../store/fixture.ts';

const HEADING = 'time,open,high,low,close,volume';
const ROWS = ['2024-01-01 00:00:00,5,6,4,5.5,10', '2024-01-01 00:01:00,5.5,7,5,6,11'];
const TABLE = `${[HEADING, ...ROWS].join('\n')}\n`;

describe('openTable', () => {
  it.each([
    ['bars', TABLE.replaceAll(',', '|')],
    ['tabs', TABLE.replaceAll(',', '\t')],
    ['a line of comment', `# by hand\n${TABLE}`],
    ['blank lines above it', `\n\n${TABLE}`],
    ['blank lines above it, in the style of Windows', `\n\n${TABLE}`.replaceAll('\n', '\r\n')],
    ['blank lines all around a comment', `\n# by hand\n\n${TABLE.replace('\n', '\n\n')}`],
    ['lines that end as on an old Macintosh', TABLE.replaceAll('\n', '\r')],
    ['several lines of comment', `# by hand\n# of 2024, in UTC\n#\n${TABLE}`],
  ])('reads a table with %s as the same rows', async (_what, content) => {
    const [plain, other] = [new Store(), new Store()];
    const expected = await rowsOf(await plain.import(plain.file('btcusdt.csv', TABLE)));
    expect(expected).toHaveLength(ROWS.length);
    expect(await rowsOf(await other.import(other.file('btcusdt.csv', content)))).toEqual(expected);
  });

  it('names the line of the file where a row below comments is broken', async () => {
    const store = new Store();
    const file = store.file('btcusdt.csv', `# by hand\n# of 2024\n${TABLE.replace('5.5', 'x')}`);
    await expect(store.import(file)).rejects.toThrow('line 4: the close (column close) is "x"');
  });
});
