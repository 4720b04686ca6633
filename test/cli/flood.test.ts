import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RequestOperation } from '../../src/domain/index.ts';
import { scratchFolder } from '../app/fixture.ts';
import { eventsIn } from '../storage/fixture.ts';
import { run, start } from './command.ts';
import { steadyDeployment } from './exchange.ts';

const FLOOD = new URL('../simulation/flood.ts', import.meta.url).pathname;
const SECONDS = 8;
/** The exchange's code for a pace beyond its limit. */
const TOO_FREQUENT = 4002;
/** The keys of config/exchange.yaml. */
const ACCESS_KEY = '7f3c1b52-1f0e-4a5b-9c61-demo00000001';
const KEYS = { ZB_ACCESS_KEY: ACCESS_KEY, ZB_SECRET_KEY: 'a9d0c6de-5d4e-4a9e-8f5b-demo00000002' };

/** What the exchange itself has counted. */
interface Counted {
  readonly accounts: {
    readonly main: { readonly openOrders: Readonly<Record<string, unknown[]>> };
  };
  readonly counts: {
    readonly refusals: Readonly<Record<string, number>>;
    readonly keys: Readonly<Record<string, { readonly total: number; readonly highest: number }>>;
  };
}

/** A strategy that moves all its quotes a hundred times a second, on an exchange of its own process. */
async function flooded() {
  const exchange = start(['exchange', '--port', '0', '--admin-port', '0']);
  const [, adminUrl] = await exchange.seen(/"adminUrl":"([^"]+)"/);
  const [, url] = await exchange.seen(/"dataUrl":"([^"]+)"/);
  const path = join(scratchFolder(), 'flood.journal');
  const plenty = 1e6;
  const params = { amount: 0.001, levels: 3, positionMax: 0.02, periodMs: 10, postOnly: false };
  const limits = { openValueMax: plenty, positionValueMax: plenty, dailyLossMax: plenty };
  const pace = { ordersPerWindowMax: 10_000, strategyOrdersPerWindowMax: 10_000 };
  const file = steadyDeployment(url!, {
    strategies: [{ use: FLOOD, name: 'flood', params }],
    risk: { ...limits, ...pace, orderValueMax: 1_000, drawdownMax: plenty },
    // So often that heartbeats compete with the flood.
    executor: { heartbeat: { refreshMs: 1_000 } },
    journal: { path, marketData: false },
    log: { level: 'warn' },
  });
  const ending = await run(['run', file, '--for', `${SECONDS}s`], { env: KEYS });
  const state = (await (await fetch(`${adminUrl}/state`)).json()) as Counted;
  return { ending, state, path };
}

/** The bot's own account: how long requests waited for the rate budget, when heartbeats left. */
function toldBy(path: string) {
  const events = eventsIn(path);
  const waits = (wanted: RequestOperation) =>
    events.flatMap((event) =>
      event.kind === 'request' && event.operation === wanted ? [event.waitedMs] : [],
    );
  const beats = events.flatMap((event) => (event.kind === 'heartbeat' ? [event.sentTime] : []));
  return { waits, beats };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

describe('a flood of wishes through tradewind run', () => {
  it('never has 60 requests counted in a second, heartbeats and cancels first', async () => {
    const { ending, state, path } = await flooded();
    const { highest, total } = state.counts.keys[ACCESS_KEY]!;
    expect(highest).toBeLessThanOrEqual(60);
    expect(total).toBeGreaterThan(25 * SECONDS);
    expect(state.counts.refusals[TOO_FREQUENT]).toBeUndefined();
    expect(ending.code).toBe(0);
    expect(ending.stdout).toMatch(/heartbeats +[1-9]\d* confirmed, 0 lapses/);
    expect(state.accounts.main.openOrders.btc_usdt ?? []).toEqual([]);

    const { waits, beats } = toldBy(path);
    expect(Math.max(...waits('place'))).toBeGreaterThan(0);
    expect(median(waits('cancel'))).toBeLessThanOrEqual(median(waits('place')));
    expect(Math.max(...waits('cancel'))).toBeLessThanOrEqual(1_100);
    expect(Math.max(...waits('cancelAllAfter'))).toBeLessThanOrEqual(50);
    const gaps = beats.slice(1).map((sentMs, at) => sentMs - beats[at]!);
    expect(gaps.length).toBeGreaterThan(2);
    expect(Math.max(...gaps)).toBeLessThan(2_000);
  });
});
