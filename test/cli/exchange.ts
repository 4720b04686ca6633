import { join } from 'node:path';
import { interval } from 'rxjs';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { ServedExchange } from '../../src/app/index.ts';
import { VirtualClock } from '../../src/kernel/index.ts';
import { served } from '../app/exchange/fixture.ts';
import { LIVELY_MARKET, scratchFile, scratchFolder } from '../app/fixture.ts';

/** The keys of a test's exchange; none of it may ever be seen in an output. */
export const KEYS = {
  ZB_ACCESS_KEY: '11111111-aaaa-4aaa-8aaa-111111111111',
  ZB_SECRET_KEY: '22222222-bbbb-4bbb-8bbb-222222222222',
};

/** An exchange on loopback whose time runs with the machine's until it is told to leap. */
export interface LeapingExchange extends ServedExchange {
  /** Moves the exchange's time ahead of everybody else's. */
  leap(durationMs: number): void;
  /** Waits until so many orders rest. */
  rests(orders: number): Promise<void>;
}

/** The file of an exchange with one lively market, and an account that those keys open. */
export function exchangeFile(): string {
  const settings = {
    markets: [LIVELY_MARKET],
    accounts: [{ name: 'main', balances: { usdt: '20000', btc: '0.3' } }],
    server: { keys: [{ accessKey: KEYS.ZB_ACCESS_KEY, secretKey: KEYS.ZB_SECRET_KEY }] },
  };
  return scratchFile('exchange.yaml', stringify(settings));
}

export async function leapingExchange(): Promise<LeapingExchange> {
  const clock = new VirtualClock(Date.now());
  let aheadMs = 0;
  const ticks = interval(5);
  const running = ticks.subscribe(() => clock.advanceTo(Date.now() + aheadMs));
  onTestFinished(() => running.unsubscribe());
  const { exchange } = await served({ file: exchangeFile(), clock });
  return {
    ...exchange,
    leap: (durationMs) => {
      aheadMs += durationMs;
      clock.advanceTo(Date.now() + aheadMs);
    },
    rests: (orders) =>
      new Promise((resolve) => {
        const looking = ticks.subscribe(() => {
          if (exchange.resting('main') !== orders) return;
          looking.unsubscribe();
          resolve();
        });
      }),
  };
}

/** A deployment on that address that rests an order far from the market on each side. */
export function steadyDeployment(dataUrl: string, overrides: object = {}): string {
  const settings = {
    name: 'steady',
    venue: {
      kind: 'zb',
      dataUrl,
      tradeUrl: dataUrl,
      pushUrl: `${dataUrl.replace('http', 'ws')}/websocket`,
      accessKey: { env: 'ZB_ACCESS_KEY' },
      secretKey: { env: 'ZB_SECRET_KEY' },
    },
    markets: ['btc_usdt'],
    strategies: [{ use: new URL('fixtures/steady.ts', import.meta.url).pathname, name: 'steady' }],
    journal: { path: join(scratchFolder(), 'steady.journal') },
    log: { level: 'debug' },
    ...overrides,
  };
  return scratchFile('steady.yaml', stringify(settings));
}
