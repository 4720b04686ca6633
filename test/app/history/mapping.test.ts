import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/app/errors.ts';
import { importData, openDatasets } from '../../../src/app/history/index.ts';
import { scratchFolder } from '../fixture.ts';

const HEADING = 'When,Last,Size\n';
const ROW = '2024-01-31 10:00,2300,1\n';
const COLUMNS = 'columns: { time: When, price: Last, amount: Size }\n';

/** What is said of a mapping, a line each, without the folder that it is in. */
async function saidOf(mapping: string, table = HEADING + ROW): Promise<string[]> {
  const folder = scratchFolder();
  const [map, file] = [join(folder, 'map.yaml'), join(folder, 'mine.csv')];
  writeFileSync(map, mapping);
  writeFileSync(file, table);
  const choice = { root: join(folder, 'data'), files: [file], mapping: map };
  const thrown: unknown = await importData(choice).then(
    ([result]) => result?.dataset.id,
    (error) => error,
  );
  if (!(thrown instanceof AppError)) return [String(thrown)];
  expect(thrown.exitCode).toBe(3);
  expect(openDatasets(choice.root).datasets).toEqual([]);
  return thrown.message.replaceAll(`${folder}/`, '').split('\n');
}

const A_COLUMN = 'the heading of a column, or its number from 1, is wanted';

const A_TIME =
  'the heading of a column, or its number from 1, or two of a date and of a time, is wanted';

/** What is wrong, the mapping, what is said. */
const FAULTS: readonly [string, string, string][] = [
  [
    'an unknown key',
    `kind: trades\nmarkt: eth_usdt\n${COLUMNS}`,
    '2:1: Cannot use key "markt": it is unknown, did you mean "market"?',
  ],
  [
    'an unknown kind',
    `kind: trade\n${COLUMNS}`,
    '1:1: Cannot use "kind": it is "trade", one of candles, trades, quotes, depth is wanted, did you mean "trades"?',
  ],
  [
    'an unknown column of the dataset',
    'kind: trades\ncolumns: { time: When, price: Last, amount: Size, sude: Last }',
    '2:51: Cannot use key "columns.sude": it is unknown, did you mean "side"?',
  ],
  [
    'a column of another kind',
    'kind: trades\ncolumns: { time: When, price: Last, amount: Size, open: Last }',
    '2:51: Cannot use key "columns.open": it is unknown here, it belongs to another kind',
  ],
  [
    'a column left out',
    'kind: trades\ncolumns: { time: When, price: Last }',
    `2:1: Cannot use "columns.amount": it is missing, ${A_COLUMN}`,
  ],
  [
    'a wrong type',
    'kind: trades\ncolumns: { time: [1], price: Last, amount: Size }',
    `2:12: Cannot use "columns.time": it is a list, ${A_TIME}`,
  ],
  [
    'a form of dates that is not known',
    `kind: trades\ndateFormat: dd/mm/yyyy\n${COLUMNS}`,
    '2:1: Cannot use "dateFormat": it is "dd/mm/yyyy", one of dd-mm-yyyy, mm-dd-yyyy, yyyy-mm-dd, yyyymmdd is wanted, did you mean "dd-mm-yyyy"?',
  ],
  [
    'a source that would lead out of the folder',
    `kind: trades\nsource: ../mine\n${COLUMNS}`,
    '2:1: Cannot use "source": it is "../mine", a name of a-z, 0-9, dots, dashes and underscores is wanted',
  ],
  [
    'a market that is none',
    `kind: trades\nmarket: ETH/USDT\n${COLUMNS}`,
    '2:1: Cannot use "market": it is "ETH/USDT", a market such as btc_usdt is wanted',
  ],
];

/** What is told of a column of the mapping that the file lacks: its key, name, headings, what. */
const LACKING: readonly [string, string | number, string, string][] = [
  ['time', 'Wen', HEADING, 'a column of mine.csv is wanted, did you mean "When"?'],
  ['amount', 'qqqq', HEADING, "one of mine.csv's columns When, Last, Size is wanted"],
  ['price', 4, HEADING, 'a number from 1 to 3 is wanted: so many columns has mine.csv'],
  ['time', 'When', '', 'a number from 1 to 3 is wanted: the columns of mine.csv have no headings'],
];

describe('importData, by a mapping,', () => {
  it('imports what that says', async () => {
    expect(await saidOf(`kind: trades\nmarket: eth_usdt\n${COLUMNS}`)).toEqual([
      'local.eth_usdt.trades',
    ]);
  });

  it.each(FAULTS)('tells the place of %s', async (_what, mapping, said) => {
    expect(await saidOf(mapping)).toEqual([`map.yaml:${said}`]);
  });

  it('tells the place of what is no YAML', async () => {
    const [line] = await saidOf('kind: trades\ncolumns: { time: [1, price: 2');
    expect(line).toMatch(/^map\.yaml:\d+:\d+: Cannot read YAML: /);
  });

  it.each(LACKING)('tells the place of %s: %j that is no column', async (...fault) => {
    const [key, name, heading, wanted] = fault;
    const columns = Object.entries({ time: 1, price: 2, amount: 3, [key]: name });
    const lines = columns.map(([one, column]) => `  ${one}: ${column}`);
    const mapping = ['kind: trades', 'market: eth_usdt', 'columns:', ...lines].join('\n');
    const line = 4 + columns.findIndex(([one]) => one === key);
    const said = `Cannot use "columns.${key}": it is ${JSON.stringify(name)}, ${wanted}`;
    expect(await saidOf(mapping, heading + ROW)).toEqual([`map.yaml:${line}:3: ${said}`]);
  });

  it('tells the place of one of two columns of a time that is none', async () => {
    const columns = 'columns: { time: [When, Wen], price: Last, amount: Size }\n';
    expect(await saidOf(`kind: trades\nmarket: eth_usdt\n${columns}`)).toEqual([
      'map.yaml:3:25: Cannot use "columns.time.1": it is "Wen", a column of mine.csv is wanted, did you mean "When"?',
    ]);
  });

  it('tells the place of a symbol that is no column', async () => {
    const [line] = await saidOf(`kind: trades\n${COLUMNS}symbol: Siz\n`);
    expect(line).toBe(
      'map.yaml:3:1: Cannot use "symbol": it is "Siz", a column of mine.csv is wanted, did you mean "Size"?',
    );
  });

  it('says that it is a folder', async () => {
    const mapping = join(scratchFolder(), 'mapping');
    mkdirSync(mapping);
    await expect(importData({ root: scratchFolder(), files: [], mapping })).rejects.toThrow(
      `Cannot read ${mapping}: it is a folder, the file of a mapping is wanted`,
    );
  });
});
