import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishRun, loadBacktest } from '../../../src/app/backtest/index.ts';
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
    expect([again.code, again.stderr]).toEqual([8, expect.stringContaining('--replace')]);
    const replaced = await line(
      `data generate ${made} --data ${root} --seed other --replace --json`,
    );
    expect(replaced.json()).toMatchObject([{ dataset: id, rows: 1_560 }]);
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
      expect.stringContaining('--to: Cannot make up data: the end is not behind the beginning'),
    ]);
  });
});
