import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { ReplaySubject, Subscription } from 'rxjs';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { recordingSchema } from '../../../src/app/config/exchange.ts';
import { AppError } from '../../../src/app/errors.ts';
import { namedRecording, openRecording } from '../../../src/app/exchange/recordings.ts';
import type { StopRequest } from '../../../src/app/session.ts';
import { DatasetWriter, type Gap, importFiles } from '../../../src/history/index.ts';
import { silentLogger } from '../../../src/kernel/index.ts';
import { START_MS } from '../backtest/fixture.ts';
import { depthRows, type TickData, tickDataset, tradeRows } from '../backtest/tick-fixture.ts';
import { scratchFile, scratchFolder, twoTrades } from '../fixture.ts';

const TRADES: TickData = {
  kind: 'trades',
  rows: tradeRows([
    [0, 'buy', 100],
    [2, 'sell', 99.5],
  ]),
};

/** Lives as long as the tests of this file. */
const alive = new Subscription();
afterAll(() => alive.unsubscribe());

/** The dataset of ticks of btc_usdt in a folder, to be played. */
function played(dataFolder: string, kind: string) {
  const config = recordingSchema.parse({ dataset: `venue.btc_usdt.${kind}`, dataFolder });
  return openRecording(config, { resolveFile: (file) => file, alive, logger: silentLogger });
}

describe('openRecording, of a dataset,', () => {
  it('tells what it is, and gives its trades as often as they are asked for', async () => {
    const { root } = await tickDataset(TRADES);
    const { records, ...facts } = await played(root, 'trades');
    expect(facts).toEqual({
      ...{ name: 'venue.btc_usdt.trades', marketId: 'btc_usdt', firstPrice: 100 },
      ...{ priceScale: 1, spanMs: 2_000, amountScale: 0, warnings: [] },
    });
    const trades = [
      { kind: 'trade', id: '1', time: START_MS, takerSide: 'buy', price: 100, amount: 2 },
      { kind: 'trade', id: '2', time: START_MS + 2_000, takerSide: 'sell', price: 99.5, amount: 2 },
    ];
    expect([await Array.fromAsync(records), await Array.fromAsync(records)]).toEqual([
      trades,
      trades,
    ]);
  });

  it('makes one record of the rows of an update of depth', async () => {
    const { root } = await tickDataset({
      kind: 'depth',
      rows: depthRows([
        [1, 'snapshot', 'buy', 99, 1],
        [1, 'snapshot', 'buy', 100, 2],
        [1, 'snapshot', 'sell', 102, 3],
        [1, 'snapshot', 'sell', 101, 4],
        [2, 'change', 'buy', 100, 0],
        [2, 'change', 'sell', 101, 5],
        [3, 'trade', 'sell', 99, 6],
        [3.5, 'trade', 'buy', 102, 1],
        [4, 'gap', 'buy', 0, 0],
      ]),
    });
    const stampsOf = (second: number) => {
      const time = START_MS + second * 1_000;
      return { time, receivedTime: time + 5 };
    };
    const { records, firstPrice } = await played(root, 'depth');
    expect(firstPrice).toBe(100);
    expect(await Array.fromAsync(records)).toEqual([
      {
        ...{ kind: 'book', ...stampsOf(1) },
        ...{
          bids: [
            [100, 2],
            [99, 1],
          ],
          asks: [
            [101, 4],
            [102, 3],
          ],
        },
      },
      {
        kind: 'levels',
        ...stampsOf(2),
        changes: [
          ['buy', 100, 0],
          ['sell', 101, 5],
        ],
      },
      { kind: 'trade', id: '3', ...stampsOf(3), takerSide: 'sell', price: 99, amount: 6 },
      { kind: 'trade', id: '4', ...stampsOf(3.5), takerSide: 'buy', price: 102, amount: 1 },
      { kind: 'gap', ...stampsOf(4), reason: 'depth is missing in the dataset' },
    ]);
  });
});

/** A folder with a dataset of quotes: their second, then bid and ask, each with its amount. */
async function quotes(
  rows: readonly (readonly number[])[],
  gaps: readonly Gap[] = [],
): Promise<string> {
  const root = scratchFolder();
  const key = { source: 'venue', market: 'btc_usdt', kind: 'quotes' } as const;
  const writer = new DatasetWriter({ root, key, name: 'venue', format: 'record' });
  const recorded = rows.map(([second, bid, bidAmount, ask, askAmount]) => {
    return [START_MS + second! * 1_000, undefined, bid!, bidAmount!, ask!, askAmount!] as const;
  });
  await writer.add({ rows: recorded, gaps });
  writer.close();
  return root;
}

describe('openRecording, of quotes,', () => {
  it('plays a book of one level a side, and what changes in it', async () => {
    const root = await quotes([
      [0, 100, 1, 101, 2],
      [1, 100, 1, 101, 2],
      [2, 100.5, 3, 101, 2],
      [2, 100.5, 3, 102, 4],
      [3, 0, 0, 102, 4],
    ]);
    const { records, firstPrice, priceScale } = await played(root, 'quotes');
    expect({ firstPrice, priceScale }).toEqual({ firstPrice: 100, priceScale: 1 });
    const at = (second: number) => ({ time: START_MS + second * 1_000 });
    const levels = (second: number, ...changes: readonly (readonly unknown[])[]) => {
      return { kind: 'levels', ...at(second), changes };
    };
    expect(await Array.fromAsync(records)).toEqual([
      { kind: 'book', ...at(0), bids: [[100, 1]], asks: [[101, 2]] },
      levels(2, ['buy', 100.5, 3], ['buy', 100, 0]),
      levels(2, ['sell', 102, 4], ['sell', 101, 0]),
      levels(3, ['buy', 100.5, 0]),
    ]);
  });

  it('tells a gap, and begins with a whole book behind it', async () => {
    const [from, to] = [START_MS, START_MS + 5_000];
    const rows = [
      [0, 100, 1, 101, 2],
      [5, 100, 1, 101, 2],
    ];
    const { records } = await played(await quotes(rows, [{ from, to, reason: 'lost' }]), 'quotes');
    expect((await Array.fromAsync(records)).map(({ kind, time }) => [kind, time])).toEqual([
      ['book', from],
      ['gap', from],
      ['book', to],
    ]);
  });

  it('takes them of a file', async () => {
    const content = `time,bid,bidAmount,ask,askAmount\n${START_MS},100,1,101,2\n`;
    const { records } = await opened(scratchFile('btc_usdt.csv', content));
    expect(await Array.fromAsync(records)).toMatchObject([{ kind: 'book', bids: [[100, 1]] }]);
  });
});

describe('openRecording, of amounts in another unit,', () => {
  it('says what they count, of a file and of its dataset', async () => {
    const root = scratchFolder();
    const heading = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n';
    const file = scratchFile('a.csv', `${heading}bitmex,XBTUSD,1583020803145000,,,buy,8532,600\n`);
    const [imported] = await importFiles({ root, files: [file] });
    const { id } = imported!.dataset;
    const options = { resolveFile: (path: string) => path, alive, logger: silentLogger };
    const config = recordingSchema.parse({ dataset: id, dataFolder: root });
    const ofDataset = await openRecording(config, options);
    const note = (name: string) => [
      expect.stringContaining(`the amounts of ${name} count US dollars, not the base currency`),
    ];
    expect(ofDataset.warnings).toEqual(note('bitmex.xbt_usd.trades'));
    expect((await opened(file)).warnings).toEqual(note('a.csv'));
  });
});

describe('openRecording, of a dataset that is none to play,', () => {
  it('refuses one of gaps alone', async () => {
    const { root } = await tickDataset({
      kind: 'depth',
      rows: depthRows([[1, 'gap', 'buy', 0, 0]]),
    });
    await expect(played(root, 'depth')).rejects.toThrow(
      'it holds no price, at least one is wanted',
    );
  });

  it('refuses candles, and says what replays those', async () => {
    const root = scratchFolder();
    const key = {
      source: 'venue',
      market: 'btc_usdt',
      kind: 'candles',
      resolution: '1min',
    } as const;
    const writer = new DatasetWriter({ root, key, name: 'venue', format: 'record' });
    await writer.add({ rows: [[START_MS, 1, 1, 1, 1, 1]] });
    writer.close();
    await expect(played(root, '1min')).rejects.toMatchObject({
      reason: 'recording',
      message:
        'Cannot replay venue.btc_usdt.1min: it holds candles of 1min; trades, depth or quotes are ' +
        'wanted (`tradewind backtest` replays candles)',
    });
  });

  it('refuses quotes without amounts, and says what replays those', async () => {
    const root = await quotes([[0, 1, 0, 2, 0]]);
    await expect(played(root, 'quotes')).rejects.toThrow(
      'Cannot replay venue.btc_usdt.quotes: its quotes do not say how much stands at their prices, ' +
        'some that do are wanted (`tradewind backtest` replays these, by `fill.size`)',
    );
  });
});

function opened(
  file: string,
  market?: string,
  options: Partial<Parameters<typeof openRecording>[1]> = {},
) {
  const config = recordingSchema.parse({ file, market });
  const resolveFile = () => file;
  return openRecording(config, { resolveFile, alive, logger: silentLogger, ...options });
}

describe('openRecording, of a file,', () => {
  it('refuses what is no file', async () => {
    const what = 'Cannot replay /dev/null: it is no file, a file is wanted';
    await expect(opened('/dev/null')).rejects.toThrow(what);
  });

  const TRADES_OF_ALL = [1, 2].map((at) => ({
    ...{ kind: 'trade', id: `${at}`, time: START_MS + at * 1_000 },
    ...{ takerSide: at === 1 ? 'buy' : 'sell', price: 10 + at / 8, amount: at },
  }));
  const rows = TRADES_OF_ALL.map(({ time, takerSide, price, amount }) => [
    ...[time, '7', null, takerSide, price, amount, 1],
  ]);
  const table = ['time,side,price,amount', ...rows.map((row) => [0, 3, 4, 5].map((at) => row[at]))];
  const objects = TRADES_OF_ALL.map(({ time, takerSide: side, price, amount }) =>
    JSON.stringify({ time, side, price, amount }),
  );
  it.each([
    ['rows of JSON', JSON.stringify(rows)],
    ['rows of JSON over many lines', JSON.stringify(rows, null, 2)],
    ['a row of JSON a line', rows.map((row) => JSON.stringify(row)).join('\n')],
    ['objects', `[${objects}]`],
    ['an object a line', objects.join('\r\n')],
    ['CSV', table.join('\n')],
    ['a gzip', gzipSync(table.join('\n'))],
    ['semicolons and a mark', `\uFEFF${table.join('\n').replaceAll(',', ';')}`],
  ])('plays trades of any form that an import reads: %s', async (_form, content) => {
    const recording = await opened(scratchFile('btc_usdt', content));
    expect(recording).toMatchObject({
      priceScale: 3,
      amountScale: 0,
      firstPrice: 10.125,
      spanMs: 1_000,
    });
    const { records } = recording;
    expect([await Array.fromAsync(records), await Array.fromAsync(records)]).toEqual([
      TRADES_OF_ALL,
      TRADES_OF_ALL,
    ]);
  });

  it('plays a raw recording, of the market in its records', async () => {
    const trade = { e: 'trade', s: 'BTCUSDT', t: 7, p: '2.5', q: '3', T: START_MS, m: true };
    const file = scratchFile('any.gz', gzipSync(`${START_MS}000000 ${JSON.stringify(trade)}\n`));
    const { records, ...facts } = await opened(file);
    expect(facts).toMatchObject({ name: file, marketId: 'btc_usdt', firstPrice: 2.5 });
    expect(await Array.fromAsync(records)).toMatchObject([
      { kind: 'trade', takerSide: 'sell', price: 2.5 },
    ]);
  });

  it('says of the file what its import warns of', async () => {
    const rows = ['1,5,1', '3,0,1', '2,5,1'].map((row) => `171452160${row}\n`);
    const content = `time,price,amount\n${rows.join('')}`;
    const { warnings } = await opened(scratchFile('btc_usdt.csv', content));
    expect(warnings).toEqual([
      expect.stringContaining('btc_usdt.csv has no column that is known to tell sides'),
      '1 trade of btc_usdt.csv cannot be, the first in btc_usdt.csv at ' +
        '2024-05-01T00:00:03.000Z: price 0, amount 1',
      expect.stringMatching(/^btc_usdt\.csv has .*1 row in disorder .*\)$/),
    ]);
  });
});

describe('openRecording, of a file of depth without a whole book,', () => {
  it('says so of the file, and nothing of backtests', async () => {
    const heading = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount\n';
    const row = (second: number, price: number): string =>
      `binance,BTCUSDT,171452160${second}000000,171452160${second}000000,false,bid,${price},1\n`;
    const file = scratchFile('depth.csv', `${heading}${row(0, 100)}${row(1, 101)}`);
    expect((await opened(file)).warnings).toEqual([
      'the book of depth.csv is never known: its rows hold no whole book, but 2 changes',
    ]);
  });
});

describe('openRecording, of a file that is imported first,', () => {
  it('leaves nothing behind', async () => {
    const file = twoTrades();
    const folder = temporaryFolder();
    const life = new Subscription();
    await opened(file, undefined, { alive: life });
    expect(readdirSync(folder)).toHaveLength(1);
    life.unsubscribe();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is imported no further once it was asked to stop', async () => {
    const file = twoTrades();
    const stop = new ReplaySubject<StopRequest>();
    stop.next({ reason: 'SIGINT asked for it', outcome: 'success' });
    await expect(opened(file, undefined, { stop })).rejects.toMatchObject({
      reason: 'success',
      message: `Cannot go on reading ${file}: SIGINT asked for it`,
    });
    expect(stop.observed).toBe(false);
  });

  it('says what is wrong with the folder for temporary files', async () => {
    const file = twoTrades();
    const folder = temporaryFolder();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    await expect(opened(file)).rejects.toThrow(`: ${folder} is no folder, one is wanted`);
  });
});

/** The folder for temporary files, for one test. */
function temporaryFolder(): string {
  const folder = scratchFolder();
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

describe('openRecording, of a file that is none to play,', () => {
  it('wants a price in a raw recording', async () => {
    const empty = { lastUpdateId: 5, bids: [], asks: [] };
    const file = scratchFile('btcusdt.gz', `1723161254087896568 ${JSON.stringify(empty)}`);
    const what = `Cannot replay ${file}: no row of it can be kept: it has neither trades nor depth`;
    await expect(opened(file)).rejects.toThrow(what);
  });

  it('says what makes a dataset of a file whose format is not known', async () => {
    await expect(opened(scratchFile('btc_usdt.csv', 'a,b,c\n1,2,3\n'))).rejects.toThrow(
      '(`tradewind data import --mapping`, which makes a dataset that can be replayed)',
    );
  });

  it('reads the market from its name', async () => {
    const file = twoTrades();
    expect(await opened(file)).toMatchObject({ name: file, marketId: 'xrp_eth' });
  });

  it('refuses candles, whatever stands for them', async () => {
    const files = [
      scratchFile('a.json', '[[1618951500000,56833.57,56927.67,56811.0,56927.13,195.96]]'),
      scratchFile(
        'b.json',
        '[[1618951500000,"56833.57","56927.67","56811.0","56927.13","195.96"]]',
      ),
      scratchFile('c.csv', 'time,open,high,low,close,volume\n2024-05-01T00:00:00Z,1,1,1,1,1\n'),
    ];
    for (const file of files) {
      await expect(opened(file)).rejects.toThrow(
        /it holds candles; trades, depth or quotes are wanted$/,
      );
    }
  });

  it('says once what cannot be played, and where', async () => {
    const file = scratchFile('btc_usdt.json', '[]');
    await expect(opened(file)).rejects.toThrow(
      new AppError('recording', `Cannot replay ${file}: it holds no row, at least one is wanted`),
    );
    const broken = scratchFile('eth_usdt.csv', 'time,price,amount\n1570752000000,1,a\n');
    await expect(opened(broken)).rejects.toThrow(
      `Cannot replay ${broken}: line 2: the amount (column amount) is "a", a number is wanted`,
    );
    const stamp = '1723161254087896568';
    const raw = scratchFile('eth_usdt.gz', gzipSync(`${stamp} {}\n${stamp} {"e":"trade"}\n`));
    await expect(opened(raw)).rejects.toThrow(`Cannot replay ${raw}:2: the `);
  });

  it('wants the market of one that does not tell it', async () => {
    const file = scratchFile('a.json', '[[1570752000000,"1",null,"sell",0.0014,5,0.007]]');
    await expect(opened(file)).rejects.toThrow(
      'tell the market, which is wanted: `--market btc_usdt`, or `market: btc_usdt` in a mapping, ' +
        'or beside the file in a configuration',
    );
    expect(await opened(file, 'ltc_usdt')).toMatchObject({ marketId: 'ltc_usdt' });
  });
});

it('openRecording names the file that is near one which there is not', async () => {
  const file = twoTrades();
  await expect(opened(`${file}s`)).rejects.toThrow(
    `Cannot replay ${file}s: there is no such file, did you mean "${file}"?`,
  );
});

describe('namedRecording', () => {
  it('is a file, or else a dataset of that name', async () => {
    const { root } = await tickDataset(TRADES);
    const file = twoTrades();
    expect(namedRecording(file, root)).toEqual({ file });
    const dataset = 'venue.btc_usdt.trades';
    expect(namedRecording(dataset, root)).toEqual({ dataset });
  });

  it('says of others what they are, and what is near', async () => {
    const { root } = await tickDataset(TRADES);
    const refused = (name: string) => () => namedRecording(name, root);
    expect(refused('venue.btc_usdt.trade')).toThrow(
      'Cannot replay venue.btc_usdt.trade: there is no such file, did you mean "venue.btc_usdt.trades"?',
    );
    await importFiles({
      ...{ root, source: 'venue', market: 'btc_usdt', kinds: ['candles'] },
      files: [scratchFile('c.csv', `time,open,high,low,close,volume\n${START_MS},1,1,1,1,1\n`)],
      resolution: '1min',
    });
    // The dataset of candles has a nearer name, but would be refused.
    expect(refused('venue.btc_usdt.min')).toThrow('did you mean "venue.btc_usdt.trades"?');
    const file = twoTrades();
    expect(refused(`${file}s`)).toThrow(`${file}s: there is no such file, did you mean "${file}"?`);
    const wanted = `a recording, or the name of a dataset in the folder ${root}, is wanted`;
    expect(refused('other.gz')).toThrow(`Cannot replay other.gz: there is no such file, ${wanted}`);
    expect(refused(root)).toThrow(`Cannot replay ${root}: it is a folder, ${wanted}`);
  });
});

describe('recordingSchema', () => {
  it('takes the folder of a dataset', () => {
    const value = { dataset: 'b', dataFolder: 'c' };
    expect(recordingSchema.parse(value)).toMatchObject(value);
  });

  it.each([
    [
      { file: 'a', dataFolder: 'b' },
      'it is the folder of datasets, and a file is played, `dataset` is wanted instead of `file`',
    ],
    [{}, 'it has neither file nor dataset, one of both is wanted'],
    [{ file: 'a', dataset: 'b' }, 'it has both file and dataset, one of both is wanted'],
  ])('refuses %j', (value, message) => {
    expect(recordingSchema.safeParse(value).error?.issues).toMatchObject([{ message }]);
  });
});
