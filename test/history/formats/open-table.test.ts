import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../../src/history/formats/mapping.ts';
import { datasetOf, rowsOf, Store, timesOf, toldOf } from '../store/fixture.ts';

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
    ['headings that count its columns', TABLE.replace(HEADING, '0,1,2,3,4,5')],
    ['several lines of comment', `# by hand\n# of 2024, in UTC\n#\n${TABLE}`],
    ['its heading again below, as of joined files', TABLE.replace('10\n', `10\n${HEADING}\n`)],
    ['its heading again at its end', `${TABLE}${HEADING}\n`],
    ['its heading again behind a byte order mark', `\ufeff${TABLE}\ufeff${HEADING}\n`],
    ['its heading again between blanks', `${TABLE} ${HEADING.replace(',', ' , ')} \n`],
  ])('reads a table with %s as the same rows', async (_what, content) => {
    const [plain, other] = [new Store(), new Store()];
    const expected = await rowsOf(await plain.import(plain.file('btcusdt.csv', TABLE)));
    expect(expected).toHaveLength(ROWS.length);
    expect(await rowsOf(await other.import(other.file('btcusdt.csv', content)))).toEqual(expected);
  });

  it.each([
    ['a symbol', 'EURUSD,', { time: 2, open: 3, high: 4, low: 5, close: 6, volume: 7 }],
    ['a word', 'BID,', { time: 2, open: 3, high: 4, low: 5, close: 6, volume: 7 }],
  ])('takes the first line for a row if it begins with %s before numbers', async (_what, ...of) => {
    const [begin, columns] = of;
    const rows = ROWS.map((row) => `${begin}${row}\n`).join('');
    const mapping: Mapping = { kind: 'candles', market: 'eur_usd', columns };
    const dataset = await datasetOf('fx.csv', rows, { mapping });
    expect((await rowsOf(dataset)).map(([, open]) => open)).toEqual([5, 5.5]);
  });

  it('takes a date with a time behind no separators for a row', async () => {
    const rows = ROWS.map(
      (row) => `${row.replace('2024-01-01', '20240101').replace(':00,', ',')}\n`,
    );
    const mapping: Mapping = {
      ...{ kind: 'candles', market: 'eur_usd', dateFormat: 'yyyymmdd' },
      columns: { time: 1, open: 2, high: 3, low: 4, close: 5, volume: 6 },
    };
    const dataset = await datasetOf('fx.csv', rows.join(''), { mapping });
    expect((await rowsOf(dataset)).map(([, open]) => open)).toEqual([5, 5.5]);
  });

  it('takes numbers beside a name for headings, as pandas writes them', async () => {
    const text = `time,0,1,2,3,4\n${ROWS.join('\n')}\n`;
    const mapping: Mapping = {
      ...{ kind: 'candles', market: 'eur_usd' },
      columns: { time: 'time', open: '0', high: '1', low: '2', close: '3', volume: '4' },
    };
    expect((await datasetOf('fx.csv', text, { mapping })).rows).toBe(2);
  });
});

describe('openTable, of a text with rows without a word,', () => {
  const empty = TABLE.replace('10\n', '10\n,,,,,\n');

  it('leaves them to who knows its format, and says so', async () => {
    const told = await toldOf('btcusdt.csv', empty);
    expect(told).toEqual(['btcusdt.csv holds 1 of 3 candles without prices: left out']);
  });

  it('counts their lines', async () => {
    await expect(datasetOf('btcusdt.csv', empty.replace('01:00,5.5', '01:00,x'))).rejects.toThrow(
      'line 4: the open (column open) is "x"',
    );
  });
});

describe('openTable, of a text that is broken,', () => {
  it('names the line of the file where a row below comments is broken', async () => {
    await expect(
      datasetOf('btcusdt.csv', `# by hand\n# of 2024\n${TABLE.replace('5.5', 'x')}`),
    ).rejects.toThrow('line 4: the close (column close) is "x"');
  });

  it.each([
    ['in a row', TABLE.replace('10\n', '10\r\n')],
    ['behind the last row', `${TABLE.trim()}\r\n`],
    ['behind a comment', `# by hand\n${TABLE.replaceAll('\n', '\r\n')}`],
  ])('says so where a line ends as none before, %s', async (_where, content) => {
    await expect(datasetOf('btcusdt.csv', content)).rejects.toThrow(
      /: its lines end in several ways, one is wanted: `tr -d "\\r"` takes what Windows adds off$/,
    );
  });

  it('names the line where a quote is not closed', async () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => ROWS[0]!.replace('5,', `${5 + at},`));
    const content = [HEADING, ...rows, ROWS[1]!.replace('7', '"7')].join('\n');
    await expect(datasetOf('btcusdt.csv', content)).rejects.toThrow(
      /: line 3002: a quote is not closed, a closed one is wanted$/,
    );
  });

  it('names the line of the file where a row below a repeated heading is broken', async () => {
    const quoted = HEADING.replaceAll(/\w+/g, '"$&"');
    const rows = [HEADING, ROWS[0], HEADING, quoted, ROWS[1]!.replace('6,', 'x,')];
    await expect(datasetOf('btcusdt.csv', rows.join('\n'))).rejects.toThrow(
      'line 5: the close (column close) is "x"',
    );
  });
});

describe('openTable, of an object of JSON,', () => {
  const DAY_MS = 86_400_000;
  const DAYS = [0, 1].map((day) => Date.parse('2024-01-01') + day * DAY_MS);
  const rows = DAYS.map((t) => ({ v: 10, o: 5, c: 5.5, h: 6, l: 4, t, n: 3 }));

  it.each([
    ['results', { ticker: 'X:ETHUSD', queryCount: 2, adjusted: true, results: rows, status: 'OK' }],
    ['historical', { symbol: 'ETHUSD', historical: rows }],
  ])('takes the rows and the symbol that are in it: %s', async (_where, object) => {
    for (const space of [0, 2]) {
      const dataset = await datasetOf('aggregates.json', JSON.stringify(object, null, space));
      expect(dataset.id).toBe('local.eth_usd.1day');
      expect(await rowsOf(dataset)).toEqual(DAYS.map((t) => [t, 5, 6, 4, 5.5, 10]));
    }
  });

  it('takes lines for rows, whatever lists are in them', async () => {
    const lines = rows.map((row) => `${JSON.stringify({ ...row, fills: [{ price: 5 }] })}\n`);
    const dataset = await datasetOf('btc_usd.jsonl', lines.join(''));
    expect(await timesOf(dataset)).toEqual(DAYS);
  });

  it('tells of one without a list of rows what is in it, and of a cut one that it is cut', async () => {
    const store = new Store();
    const days = { 'Time Series (Daily)': { '2024-01-01': { '1. open': '5' } }, more: 1 };
    const text = JSON.stringify(days, null, 2);
    await expect(store.import(store.file('btc_usd.json', text))).rejects.toThrow(
      'its format is not known. It is JSON, seen were\n  columns Time Series (Daily), more\n',
    );
    await expect(store.import(store.file('btc_usd.json', text.slice(0, 60)))).rejects.toThrow(
      'it breaks off',
    );
  });
});
