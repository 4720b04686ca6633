import { readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadBacktest, runBacktest } from '../../../../src/app/backtest/index.ts';
import { importData, resampleData } from '../../../../src/app/history/index.ts';
import { checkDataset } from '../../../../src/history/index.ts';
import { scratchFolder } from '../../fixture.ts';
import {
  backtestFile,
  MINUTE,
  minuteColumns,
  minuteSource,
  START_MS,
  scriptedDeployment,
  sourceOf,
} from '../fixture.ts';

/** A folder with a dataset of 30 minutes of btc_usdt, its name `mine.btc_usdt.1min`. */
async function datasets(stepMs = 60_000): Promise<string> {
  const folder = scratchFolder();
  const { time, open, high, low, close, volume } = minuteColumns(
    Array.from({ length: 30 }, (_, at) => ({ close: 100 + at, at: (at * stepMs) / 60_000 })),
  );
  const columns = [time, open, high, low, close, volume];
  const rows = Array.from(time, (_, at) => columns.map((column) => column[at]));
  const file = join(folder, 'candles.json');
  writeFileSync(file, JSON.stringify(rows));
  await importData({ root: folder, files: [file], market: 'btc_usdt', source: 'mine' });
  return folder;
}

async function run(backtest: object, settings: object = {}) {
  const file = backtestFile({
    strategies: [{ use: './scripted.ts', name: 'scripted', params: { wishes: { 3: 1 } } }],
    risk: { orderValueMax: 1e6, positionValueMax: 1e6 },
    ...settings,
    backtest: { balances: { usdt: '10000' }, ...backtest },
  });
  return runBacktest({ deployment: loadBacktest(file) });
}

/** A strategy that needs no candles. */
const LOOKING = {
  strategies: [{ use: 'market-maker', params: { amount: 0.01, positionMax: 1 } }],
};

const failure = (backtest: object, settings: object = {}): Promise<string> =>
  run(backtest, settings).then(
    () => 'it ran',
    (thrown: Error) => thrown.message.replace(/^.*deployment\.yaml:/, 'deployment.yaml:'),
  );

describe('the data of a backtest', () => {
  it('are the rows of the dataset within the period', async () => {
    const dataFolder = await datasets();
    const data = { btc_usdt: 'mine.btc_usdt.1min' };
    const whole = await run({ data, dataFolder });
    expect(whole.record.coverage).toEqual([
      {
        ...{ name: 'mine.btc_usdt.1min', rows: 30, coverage: 1, findings: [] },
        ...{ from: Date.UTC(2024, 0, 1), to: Date.UTC(2024, 0, 1, 0, 30) },
      },
    ]);
    const part = await run({ data, dataFolder, from: '2024-01-01T00:10', to: '2024-01-01T00:15' });
    expect(part.record.counts.events).toBe(5);
    expect(part.inputs).toEqual(whole.inputs);
  });

  it('are refused where there is no such dataset, with the nearest name', async () => {
    const dataFolder = await datasets();
    expect(await failure({ data: { btc_usdt: 'mine.btc_usdt.1mim' }, dataFolder })).toMatch(
      /^deployment.yaml:\d+:\d+: Cannot use dataset "mine.btc_usdt.1mim": .*, did you mean "mine.btc_usdt.1min"\?$/,
    );
    expect(await failure({ data: { btc_usdt: 'x' }, dataFolder: scratchFolder() })).toContain(
      '`tradewind data import` makes one',
    );
  });

  it('are refused where the period has none of them', async () => {
    const dataFolder = await datasets();
    const data = { btc_usdt: 'mine.btc_usdt.1min' };
    const text = await failure({ data, dataFolder, from: '2025-01-01', to: '2025-02-01' });
    expect(text).toContain(
      'Cannot replay 2025-01-01 to 2025-02-01: mine.btc_usdt.1min has no data then, ' +
        'it has 2024-01-01 to 2024-01-01 00:30',
    );
    expect(await failure({ data, dataFolder, from: '2025-02-01', to: '2025-01-01' })).toContain(
      'the end is not after the beginning',
    );
  });

  it('are refused of a market that is another, not traded, or without any', async () => {
    const dataFolder = await datasets();
    const data = { btc_usdt: 'mine.btc_usdt.1min' };
    const settings = { markets: ['eth_usdt'] };
    expect(await failure({ data, dataFolder }, settings)).toContain(
      'Cannot use backtest.data of btc_usdt: the deployment does not trade it',
    );
    expect(
      await failure({ data: { eth_usdt: 'mine.btc_usdt.1min' }, dataFolder }, settings),
    ).toContain('Cannot replay mine.btc_usdt.1min as eth_usdt: it is of btc_usdt');
    expect(await failure({})).toContain('Cannot replay btc_usdt: it has no data');
  });

  it('are refused where the model wants others, or candles have an unknown length', async () => {
    const data = { btc_usdt: 'mine.btc_usdt.1min' };
    const dataFolder = await datasets();
    expect(await failure({ data, dataFolder, fill: { model: 'depth' } })).toContain(
      'Cannot fill by the model depth from mine.btc_usdt.1min: it holds candles, ' +
        'backtest.fill.model: candles is wanted',
    );
    const odd = await datasets(120_000);
    expect(await failure({ data: { btc_usdt: 'mine.btc_usdt.2min' }, dataFolder: odd })).toContain(
      'its candles of 2min are none of 1min, 3min',
    );
  });

  it('are refused beside made-up ones', async () => {
    const both = { data: { btc_usdt: 'x' }, generate: { btc_usdt: { startPrice: 1 } } };
    expect(await failure(both)).toContain('it has a dataset, one of both is wanted');
  });
});

describe('the data of a backtest that an import told something of', () => {
  it.each([
    { late: 1, told: 'In trades.json 1 row came after a later one; it was put in order.' },
    { late: 2, told: 'In trades.json 2 rows came after a later one; they were put in order.' },
  ])('tell that $late rows of trades were put in order', async ({ late, told }) => {
    const root = scratchFolder();
    const file = join(root, 'trades.json');
    // Trades in pairs, the later one first.
    const rows = Array.from({ length: 40 }, (_, at) => {
      const place = at < 2 * late ? at + (at % 2 === 0 ? 1 : -1) : at;
      return { time: START_MS + place * MINUTE, id: `${at}`, price: 100, amount: 1, side: 'buy' };
    });
    writeFileSync(file, JSON.stringify(rows));
    await importData({ root, files: [file], market: 'btc_usdt', source: 'mine' });
    const data = { btc_usdt: 'mine.btc_usdt.trades' };
    const { record } = await run({ data, dataFolder: root, fill: { model: 'trades' } }, LOOKING);
    expect(record.coverage[0]!.findings).toEqual([told]);
  });

  it('tell which rows were left out: equal ones of files, impossible ones of a dataset', async () => {
    const root = scratchFolder();
    const file = join(root, 'minutes.json');
    const rows = Array.from({ length: 40 }, (_, at) => {
      return [START_MS + at * MINUTE, 100, 101, at === 7 ? 0 : 99, 100, 1];
    });
    writeFileSync(file, JSON.stringify([...rows, rows.at(-1), rows.at(-1)]));
    const named = { market: 'btc_usdt', source: 'mine' };
    await importData({ root, files: [file], ...named, dropDuplicates: true });
    await resampleData({ root, id: 'mine.btc_usdt.1min', resolution: '5min' });
    const toldOf = async (id: string): Promise<readonly string[]> => {
      const { record } = await run({ data: { btc_usdt: id }, dataFolder: root }, LOOKING);
      return record.coverage[0]!.findings;
    };
    expect(await toldOf('mine.btc_usdt.1min')).toContain(
      'In minutes.json 2 rows that repeat another were left out.',
    );
    expect(await toldOf('mine.btc_usdt.5min')).toContain(
      'In mine.btc_usdt.1min 1 row with an impossible price was left out.',
    );
  });
});

describe('the data of a backtest whose rows an import kept as they are', () => {
  it('tell that amounts count contracts', async () => {
    const root = scratchFolder();
    const file = join(root, 'swap.csv');
    const rows = Array.from({ length: 40 }, (_, at) => {
      const stamp = `${START_MS + at * MINUTE}000`;
      return `okex-swap,BTC-USDT-SWAP,${stamp},${stamp},${at},buy,100,1\n`;
    });
    const heading = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n';
    writeFileSync(file, heading + rows.join(''));
    await importData({ root, files: [file] });
    const data = { btc_usdt: 'okex-swap.btc_usdt.trades' };
    const { record } = await run({ data, dataFolder: root, fill: { model: 'trades' } }, LOOKING);
    expect(record.coverage[0]!.findings).toEqual([
      'The amounts of okex-swap.btc_usdt.trades count contracts, not btc: fills that depend on ' +
        'amounts mean nothing.',
    ]);
  });

  it('tell of no disorder of depth, as a check does not: its rows keep their order', async () => {
    const root = scratchFolder();
    const file = join(root, 'btcusdt.txt');
    const raw = (received: number, data: object): string =>
      `${START_MS + received} ${JSON.stringify({ stream: 'btcusdt@x', data })}`;
    const symbol = { s: 'BTCUSDT' };
    const trade = { e: 'trade', ...symbol, t: 1, p: '100', q: '1', m: true };
    const change = { e: 'depthUpdate', ...symbol, b: [['100', '2']], a: [] };
    const lines = [
      raw(0, { lastUpdateId: 1, bids: [['100', '1']], asks: [['101', '1']] }),
      raw(1_000, { ...change, E: START_MS + 1_000, U: 2, u: 2 }),
      raw(1_001, { ...trade, E: START_MS + 900, T: START_MS + 900 }),
      raw(2_000, { ...change, E: START_MS + 2_000, U: 3, u: 3 }),
    ];
    writeFileSync(file, lines.join('\n'));
    const [imported] = await importData({ root, files: [file], market: 'btc_usdt' });
    const { id, sources } = imported!.dataset;
    expect(sources[0]!.outOfOrder).toBe(1);
    const backtest = { data: { btc_usdt: id }, dataFolder: root, fill: { model: 'depth' } };
    const { record } = await run(backtest, LOOKING);
    expect(record.coverage[0]!.findings).toEqual([]);
    expect((await checkDataset(imported!.dataset, { others: [] })).findings).toEqual([]);
  });
});

describe('the data of a backtest that cannot be', () => {
  it('are refused where prices and amounts are too fine, with the settings that set them', async () => {
    const dataFolder = await datasets();
    const data = { btc_usdt: 'mine.btc_usdt.1min' };
    const markets = { btc_usdt: { priceScale: 12, amountScale: 9 } };
    expect(await failure({ data, dataFolder, markets })).toMatch(
      /^deployment.yaml:\d+:\d+: Cannot open the market btc_usdt: its priceScale and amountScale add up to 21, at most 20 is wanted \(backtest\.markets\.btc_usdt\.priceScale and \.amountScale set them\)$/,
    );
    expect(await failure({ data, dataFolder, markets: { btc_usdt: { priceScale: 8 } } })).toBe(
      'it ran',
    );
  });

  it('are refused where their folder can be none', async () => {
    const dataFolder = join(scratchFolder(), 'link');
    symlinkSync('nothing', dataFolder);
    expect(await failure({ data: { btc_usdt: 'mine.btc_usdt.1min' }, dataFolder })).toMatch(
      /^deployment.yaml:19:5: Cannot read the folder of datasets: .* is a link to nothing, one to a folder is wanted$/,
    );
  });
});

describe('the data of a backtest that are damaged', () => {
  it('are told of with the file where that is damaged', async () => {
    const dataFolder = await datasets();
    const dataset = join(dataFolder, 'mine.btc_usdt.1min');
    const [part = ''] = readdirSync(dataset).filter((name) => name.endsWith('.parquet'));
    truncateSync(join(dataset, part), 100);
    const said = await failure({ data: { btc_usdt: 'mine.btc_usdt.1min' }, dataFolder });
    expect(said).toMatch(
      /^Cannot replay mine\.btc_usdt\.1min: .*\.parquet is damaged, .*and a new import or download are wanted$/,
    );
  });
});

describe('the period of a backtest', () => {
  it('is bound by the data, which says so where more was asked for', async () => {
    const data = { btc_usdt: 'mine.btc_usdt.1min' };
    const asked = { from: '2023-01-01', to: '2025-01-01' };
    const { record } = await run({ data, dataFolder: await datasets(), ...asked });
    expect(record.period.from).toBe(Date.UTC(2024, 0, 1));
    expect(record.period.to).toBe(Date.UTC(2024, 0, 1, 0, 30));
    expect(record.notes?.slice(0, 2)).toEqual([
      'The data begin at 2024-01-01 UTC, later than asked: the run is measured from then.',
      'The data end at 2024-01-01 00:30 UTC, earlier than asked: the run is measured until then.',
    ]);
    expect(record.coverage[0]!.coverage).toBe(1);
  });

  it('has no longer a warm-up than there are data for, which is told', async () => {
    const data = { btc_usdt: 'mine.btc_usdt.1min' };
    const asked = { from: '2024-01-01T00:15', warmUpHours: 5 };
    const { record } = await run({ data, dataFolder: await datasets(), ...asked });
    expect(record.notes).toContain(
      'The warm-up is 0.3 hours, not 5 as asked: the data begin at 2024-01-01 UTC.',
    );
    expect(record.coverage[0]!.coverage).toBe(1);
  });
});

describe('the section backtest', () => {
  it('lets a live deployment be replayed without keys, venue or environment', async () => {
    const key = { env: 'NO_SUCH_VARIABLE' };
    const urls = { dataUrl: 'https://a.example', tradeUrl: 'https://b.example' };
    const venue = {
      kind: 'zb',
      ...urls,
      pushUrl: 'wss://c.example',
      accessKey: key,
      secretKey: key,
    };
    const generate = { btc_usdt: { startPrice: 100 } };
    const { record } = await run({ generate, to: '2024-01-01T01:00' }, { venue });
    expect(record.counts.events).toBe(60);
  });

  it('needs no folder of datasets, and takes none from the command line or the file', () => {
    const backtest = { balances: { usdt: '1' }, generate: { btc_usdt: { startPrice: 100 } } };
    const fileOf = (section: object) =>
      backtestFile({
        strategies: [{ use: 'grid', params: { amount: 1 } }],
        backtest: { ...backtest, ...section },
      });
    const why = 'from mine: backtest.data names none, one for a market is wanted';
    const load = () => loadBacktest(fileOf({}), { dataFolder: 'mine' });
    expect(load).toThrow(`Cannot take datasets ${why}`);
    expect(load).toThrow(expect.objectContaining({ reason: 'usage' }));
    const read = () => loadBacktest(fileOf({ dataFolder: 'mine' }));
    expect(read).toThrow(new RegExp(`:\\d+:\\d+: Cannot take datasets ${why}`));
    expect(read).toThrow(expect.objectContaining({ reason: 'configuration' }));
    // The settings that a run keeps name the usual folder.
    expect(loadBacktest(fileOf({ dataFolder: 'data' })).backtest.dataFolder).toBe('data');
  });

  it('is wanted', () => {
    const file = backtestFile({
      strategies: [{ use: 'grid', params: { amount: 1 } }],
    });
    expect(() => loadBacktest(file)).toThrow(
      ': Cannot find a backtest: the deployment has no section backtest, one with balances and ',
    );
  });

  it.each([
    [{ balances: undefined }, 'Cannot use "backtest.balances": it is missing'],
    [{ from: 'yesterday' }, 'Cannot use "backtest.from": it is "yesterday", a moment in UTC'],
    [{ volumeCap: 1 }, 'Cannot use key "backtest.volumeCap": it is unknown'],
    [{ fill: { model: 'candles', at: 'nextOpn' } }, 'did you mean "nextOpen"?'],
    [{ clseAtEnd: 'open' }, 'did you mean "closeAtEnd"?'],
    [{ balances: { usd: '1' } }, 'no market of the deployment trades it, did you mean "usdt"?'],
    [{ balances: { doge: '1' } }, 'trades it, one of btc, usdt is wanted'],
    [{ report: { returnPeriod: 'hour', daysPerYear: 252 } }, 'day or week is wanted'],
  ])('says of %j what is wrong with it, and where', async (wrong, text) => {
    const message = await failure(wrong);
    expect(message).toContain(text);
    expect(message).toMatch(/^deployment.yaml:\d+:\d+: /);
  });
});

describe('the data of a market that others outlast', () => {
  it('are told with where they begin and end, and where the run does', async () => {
    const minutes = Array.from({ length: 30 }, (_, at) => ({ at, close: 100 }));
    const other = sourceOf('eth_usdt', minutes.slice(5, 20));
    const deployment = scriptedDeployment({
      ...{ script: {}, settings: { markets: ['btc_usdt', 'eth_usdt'] } },
      backtest: { from: '2024-01-01', to: '2024-01-02' },
    });
    const { record } = await runBacktest({ deployment, sources: [minuteSource(minutes), other] });
    expect(record.coverage.map(({ coverage, findings }) => [coverage, findings])).toEqual([
      [1, []],
      [
        0.5,
        [
          'The data begin at 2024-01-01 00:05 UTC, the run begins at 2024-01-01 UTC.',
          'The data end at 2024-01-01 00:20 UTC, the run ends at 2024-01-01 00:30 UTC: ' +
            'the last price stands until then.',
        ],
      ],
    ]);
  });
});
