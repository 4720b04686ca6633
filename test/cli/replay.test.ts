import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../app/fixture.ts';
import { dataFile } from '../recordings.ts';
import { ALL_ENDED, run, start } from './command.ts';
import { steadyDeployment } from './exchange.ts';

/** The recording of that name, or a small one of our own where the data is not at hand. */
function recording(path: string, standIn: () => string): string {
  const file = dataFile(path);
  if (file !== undefined) return file;
  process.stderr.write(`the recording ${path} is not at hand: one of our own is played\n`);
  return standIn();
}

/** Three hundred trades of XRP/ETH, a minute apart. */
function ownTrades(): string {
  const trades = Array.from({ length: 300 }, (_, i) => {
    const price = Number((0.0014 + 0.00001 * Math.sin(i / 20)).toFixed(8));
    return [1_570_752_000_000 + i * 60_000, `${i}`, null, i % 2 ? 'buy' : 'sell', price, 50, price];
  });
  const file = join(scratchFolder(), 'XRP_ETH-trades.json.gz');
  writeFileSync(file, gzipSync(JSON.stringify(trades)));
  return file;
}

/** Two minutes of depth and trades of BTC/USDT as an exchange sends them. */
function ownDepth(): string {
  const startMs = 1_723_161_255_000;
  const lines = Array.from({ length: 1_200 }, (_, i) => {
    const timeMs = startMs + i * 100;
    const mid = 60_000 + 20 * Math.sin(i / 30);
    const level = (offset: number) => [(mid + offset).toFixed(2), '1.00000'];
    const update = {
      e: 'trade',
      E: timeMs,
      s: 'BTCUSDT',
      t: i,
      p: level(0)[0],
      q: '0.01234',
      T: timeMs,
      m: i % 2 === 0,
    };
    return `${timeMs}000000 ${JSON.stringify({ stream: 'btcusdt@trade', data: update })}`;
  });
  const file = join(scratchFolder(), 'btcusdt_20240808.gz');
  writeFileSync(file, gzipSync(`${lines.join('\n')}\n`));
  return file;
}

/** Plays a recording on an exchange of its own process while a bot of another one trades on it. */
async function played(options: {
  readonly file: string;
  readonly speed: number;
  readonly market: string;
  readonly params: object;
}) {
  const { file, speed, market, params } = options;
  const exchange = start(['exchange', '--replay', file, '--speed', `${speed}`, '--port', '0']);
  const [, url] = await exchange.seen(/"dataUrl":"([^"]+)"/);
  const deployment = steadyDeployment(url!, {
    markets: [market],
    strategies: [{ use: 'market-maker', params }],
    log: { level: 'info' },
  });
  const keys = {
    ZB_ACCESS_KEY: '7f3c1b52-1f0e-4a5b-9c61-demo00000001',
    ZB_SECRET_KEY: 'a9d0c6de-5d4e-4a9e-8f5b-demo00000002',
  };
  const ending = await run(['run', deployment, '--for', '4s'], { env: keys });
  exchange.process.kill('SIGINT');
  return { ...ending, exchange: await exchange.ended };
}

describe('tradewind run on a replay faster than real time', () => {
  it('ends with a summary on recorded depth and trades', async () => {
    const file = recording('books/binance-spot/btcusdt_20240808.gz', ownDepth);
    const params = { amount: 0.001, positionMax: 0.01, volatilityLength: 2, volatilityFactor: 0 };
    const { code, stdout, exchange } = await played({
      file,
      speed: 10,
      market: 'btc_usdt',
      params,
    });
    expect(stdout).toMatch(/quotes +[1-9]\d* orders sent/);
    expect(stdout).toMatch(ALL_ENDED);
    expect(code).toBe(0);
    expect(exchange.code).toBe(0);
  });

  it('ends with a summary on recorded trades alone', async () => {
    const file = recording('trades/XRP_ETH-trades.json.gz', ownTrades);
    const params = { amount: 10, positionMax: 100, volatilityLength: 2, volatilityFactor: 0 };
    const { code, stdout } = await played({ file, speed: 600, market: 'xrp_eth', params });
    expect(stdout).toMatch(/quotes +[1-9]\d* orders sent/);
    expect(stdout).toMatch(ALL_ENDED);
    expect(code).toBe(0);
  });
});
