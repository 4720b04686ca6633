import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishRun, generateData, loadBacktest } from '../../../src/app/backtest/index.ts';
import { backtestFile } from '../../app/backtest/fixture.ts';
import { scratchFolder } from '../../app/fixture.ts';
import { line } from './fixture.ts';

const PERIOD = { from: '2024-01-02', to: '2024-01-03', balances: { usdt: '10000' } };

function fileOf(data: object): string {
  return backtestFile({
    ...{ name: 'test', venue: { kind: 'simulated' }, markets: ['btc_usdt'] },
    strategies: [{ use: 'ema-cross', params: { amount: 0.002, interval: '5min' } }],
    backtest: { ...PERIOD, warmUpHours: 2, markets: { btc_usdt: { amountScale: 5 } }, ...data },
  });
}

/** The trades of a backtest, as it writes them. */
async function tradesOf(file: string): Promise<string> {
  const out = join(scratchFolder(), 'run');
  await finishRun({ deployment: loadBacktest(file, { report: false }), out });
  return readFileSync(join(out, 'trades.csv'), 'utf8');
}

describe('tradewind data generate', () => {
  it('keeps what a backtest makes up: one of the dataset trades alike', async () => {
    const root = join(scratchFolder(), 'data');
    const made = fileOf({ generate: { btc_usdt: { startPrice: 30_000 } } });
    const { code, stdout } = await line(`data generate ${made} --data ${root}`);
    const id = 'made-up.btc_usdt.1min';
    const span = '2024-01-01T22:00:00.000Z to 2024-01-02T23:59:00.000Z';
    expect([code, stdout]).toEqual([0, `${id}: 1,560 rows, ${span}\n`]);
    const kept = fileOf({ data: { btc_usdt: id }, dataFolder: root });
    const [a, b] = [await tradesOf(made), await tradesOf(kept)];
    expect(a.split('\n').length).toBeGreaterThan(5);
    expect(b).toBe(a);
    const again = await line(`data generate ${made} --data ${root}`);
    const has = `Cannot generate ${id}: ${root} has 2024-01-01 22:00 to 2024-01-02 23:59 of it`;
    expect([again.code, again.stderr]).toEqual([8, expect.stringContaining(has)]);
    const replaced = await line(
      `data generate ${made} --data ${root} --seed other --replace --json`,
    );
    expect(replaced.json()).toMatchObject([{ dataset: id, rows: 1_560 }]);
  });

  it('writes no market where there is another one in the place of a second', async () => {
    const root = join(scratchFolder(), 'data');
    const generate = { btc_usdt: { startPrice: 30_000 }, eth_usdt: { startPrice: 2_000 } };
    const second = fileOf({ generate: { eth_usdt: { startPrice: 2_000 } } });
    const both = fileOf({ generate });
    await line(`data generate ${second} --data ${root}`);
    const { code, stderr } = await line(`data generate ${both} --seed other --data ${root}`);
    expect([code, stderr]).toEqual([
      8,
      expect.stringContaining('Cannot generate made-up.eth_usdt'),
    ]);
    expect(readdirSync(root)).not.toContain('made-up.btc_usdt.1min');
  });

  it('tells an interruption with the datasets that were written before it', async () => {
    const deployment = loadBacktest(fileOf({ generate: { btc_usdt: { startPrice: 30_000 } } }));
    const root = join(scratchFolder(), 'data');
    const choice = { root, overlap: 'refuse', signal: AbortSignal.abort('SIGINT') } as const;
    await expect(generateData(deployment, choice)).rejects.toThrow(
      'Interrupted by SIGINT: nothing was generated',
    );
  });

  it('refuses a backtest that makes nothing up', async () => {
    const file = fileOf({ data: { btc_usdt: 'one.btc_usdt.1min' } });
    const { code, stderr } = await line(`data generate ${file} --data ${scratchFolder()}`);
    expect(code).toBe(3);
    expect(stderr).toContain('Cannot make up data: backtest.generate names no market, one is');
    const made = fileOf({ generate: { btc_usdt: { startPrice: 30_000 } } });
    const empty = await line(`data generate ${made} --to 2023-12-31 --data ${scratchFolder()}`);
    expect([empty.code, empty.stderr]).toEqual([
      3,
      expect.stringContaining('--to: Cannot make up data: the end is not after the beginning'),
    ]);
    const short = `--from 2024-01-01T00:00:00 --to 2024-01-01T00:00:50 --set backtest.warmUpHours=0`;
    const { stderr: told } = await line(`data generate ${made} ${short} --data ${scratchFolder()}`);
    expect(told).toContain(
      '2024-01-01 00:00:50 is less than a candle of btc_usdt, one at least is',
    );
  });
});

describe('tradewind data generate, of a dataset that is there,', () => {
  it('goes on with the same prices, and mixes no others with them unasked', async () => {
    const root = join(scratchFolder(), 'data');
    const generate = { btc_usdt: { startPrice: 30_000 } };
    const run = (flags: string): ReturnType<typeof line> =>
      line(`data generate ${fileOf({ generate })} --data ${root} ${flags}`);
    const id = 'made-up.btc_usdt.1min';
    await run('');
    const longer = await run('--to 2024-01-04 --append');
    const span = '2024-01-01T22:00:00.000Z to 2024-01-03T23:59:00.000Z';
    expect([longer.code, longer.stdout]).toEqual([0, `${id}: 3,000 rows, ${span}\n`]);
    const others = [
      '--seed other --to 2024-01-05 --append',
      '--from 2024-01-05 --to 2024-01-06',
      '--seed other --replace',
      '--set backtest.generate.btc_usdt.volatility=1 --to 2024-01-05 --append',
    ];
    for (const flags of others) {
      const { code, stderr } = await run(flags);
      expect([flags, code, stderr]).toEqual([
        ...[flags, 8],
        expect.stringContaining(
          `Cannot generate ${id}: its rows were made up with another seed, beginning or settings`,
        ),
      ]);
    }
    expect((await run('--seed other --to 2024-01-05 --append --mix')).code).toBe(0);
    // All rows go, and with them their origin.
    expect((await run('--seed other --to 2024-01-06 --replace')).code).toBe(0);
    expect((await run('--seed other --to 2024-01-07 --append')).code).toBe(0);
  });
});
