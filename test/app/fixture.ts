import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NEVER } from 'rxjs';
import { stringify } from 'yaml';
import type { LogTarget } from '../../src/app/log/logging.ts';
import type { RunOptions } from '../../src/app/run-deployment.ts';
import { scratchFolder } from '../scratch-folder.ts';

export { scratchFolder };

export const ROOT = new URL('../../', import.meta.url);

/** A file in a folder of its own. */
export function scratchFile(name: string, content: string | Uint8Array): string {
  const file = join(scratchFolder(), name);
  writeFileSync(file, content);
  return file;
}

/** A named pipe to which nobody writes: to open it waits for ever. */
export function scratchPipe(): string {
  const pipe = join(scratchFolder(), 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  return pipe;
}

/** A recording of two trades of XRP/ETH, a minute apart. */
export function twoTrades(): string {
  const file = join(scratchFolder(), 'XRP_ETH-trades.json');
  const trade = (minute: number, price: number) =>
    [1_570_752_000_000 + minute * 60_000, `${minute}`, null, 'sell', price, 5, price * 5] as const;
  writeFileSync(file, JSON.stringify([trade(0, 0.0014), trade(1, 0.0015)]));
  return file;
}

/** A lively seeded market: quotes of the market maker fill within seconds. */
export const LIVELY_MARKET = {
  id: 'btc_usdt',
  priceScale: 2,
  amountScale: 5,
  synthetic: {
    startPrice: 60_000,
    tradesPerMinute: 240,
    spread: 0.0008,
    levelValue: 2_000,
    historyHours: 1,
  },
};

/** A deployment that trades within seconds, on an exchange in process. */
export function deploymentSettings(overrides: Record<string, unknown> = {}): object {
  return {
    name: 'test',
    seed: 'test',
    venue: {
      kind: 'simulated',
      transport: 'process',
      seed: 'test',
      markets: [LIVELY_MARKET],
      accounts: [{ name: 'main', balances: { usdt: '20000', btc: '0.3' } }],
      fees: { maker: 0, taker: 0.001 },
    },
    markets: ['btc_usdt'],
    strategies: [
      {
        use: 'market-maker',
        params: { amount: 0.005, positionMax: 0.03, spread: 0.0005, volatilityLength: 10 },
      },
    ],
    risk: { orderValueMax: 1000, openValueMax: 3000, positionValueMax: 5000, dailyLossMax: 200 },
    log: { format: 'json' },
    ...overrides,
  };
}

/** The settings as a file. */
export function deploymentFile(overrides: Record<string, unknown> = {}): string {
  return scratchFile('deployment.yaml', stringify(deploymentSettings(overrides)));
}

/** A log target that keeps its lines. */
export function keptLog(): LogTarget & { readonly lines: string[] } {
  const lines: string[] = [];
  return { lines, isTerminal: false, write: (text) => void lines.push(text.trimEnd()) };
}

/** A run on virtual time, ten seconds long. */
export function virtualRun(overrides: Partial<RunOptions> = {}): RunOptions {
  return {
    file: overrides.file ?? deploymentFile(),
    virtual: true,
    durationMs: 10_000,
    log: keptLog(),
    stop: NEVER,
    ...overrides,
  };
}
