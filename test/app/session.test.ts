import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { concat, EMPTY, ignoreElements, NEVER, throwError, timer } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EXIT_CODES } from '../../src/app/exit-codes.ts';
import { loadDeployment } from '../../src/app/load-deployment.ts';
import { createLogger } from '../../src/app/log/logging.ts';
import { openSession, Session } from '../../src/app/session.ts';
import type { Status } from '../../src/app/status/status.ts';
import { pass } from '../../src/app/time/drive.ts';
import { RehearsalClock } from '../../src/app/time/rehearsal-clock.ts';
import { Engine } from '../../src/engine/index.ts';
import { VirtualClock } from '../../src/kernel/index.ts';
import { deploymentFile, deploymentSettings, keptLog, scratchFolder } from './fixture.ts';

/** A session whose key may not trade: its start fails once the account was read. */
async function refusedSession(permissions: object = { orders: false }) {
  const clock = new RehearsalClock(Date.UTC(2024, 0, 1));
  const log = keptLog();
  const { venue } = deploymentSettings() as { readonly venue: object };
  const accounts = [{ name: 'main', balances: { usdt: '1' }, permissions }];
  const settings = { venue: { ...venue, accounts }, log: { level: 'debug' } };
  const deployment = loadDeployment(deploymentFile(settings));
  const logger = createLogger(deployment.config.log, { target: log, clock });
  const session = await openSession(deployment, { clock, logger, seed: 'a', inMemory: true });
  onTestFinished(async () => void (await session.close()));
  return { session, clock, log };
}

describe('openSession', () => {
  it('warns of limits that count in a coin and that nobody has set', async () => {
    const clock = new VirtualClock(Date.UTC(2024, 0, 1));
    const log = keptLog();
    const { venue } = deploymentSettings() as { readonly venue: { readonly markets: object[] } };
    const markets = [...venue.markets, { ...venue.markets[0], id: 'eth_btc' }];
    const settings = { venue: { ...venue, markets }, markets: ['btc_usdt', 'eth_btc'], risk: {} };
    const deployment = loadDeployment(deploymentFile(settings));
    const logger = createLogger(deployment.config.log, { target: log, clock });
    const session = await openSession(deployment, { clock, logger, seed: 'a', inMemory: true });
    const warned = log.lines.filter((line) => line.includes('nobody has set these'));
    expect(warned).toHaveLength(1);
    expect(warned[0]).toContain('limits of eth_btc count in btc');
    await session.close();
  });
});

describe('Session', () => {
  it('tells of a blackout from its start to its close', async () => {
    const clock = new VirtualClock(Date.UTC(2024, 0, 1));
    const log = keptLog();
    const risk = { blackouts: [{ from: '00:01', to: '00:02' }] };
    const deployment = loadDeployment(deploymentFile({ risk }));
    const logger = createLogger(deployment.config.log, { target: log, clock });
    const session = await openSession(deployment, { clock, logger, seed: 'a', inMemory: true });
    await session.start();
    await pass(clock, { durationMs: 90_000, until: NEVER });
    expect(session.status().markets.map((market) => market.blackoutUntil)).toEqual(['00:02 UTC']);
    await pass(clock, { durationMs: 60_000, until: NEVER });
    expect(session.status().markets[0]?.blackoutUntil).toBeUndefined();
    await session.close();
    expect(log.lines.filter((line) => line.includes(' blackout of '))).toHaveLength(2);
  });
});

describe('Session.start', () => {
  it('tells what it waits for where that takes long', async () => {
    const clock = new VirtualClock(Date.UTC(2024, 0, 1));
    const log = keptLog();
    const deployment = loadDeployment(deploymentFile());
    const logger = createLogger(deployment.config.log, { target: log, clock });
    const session = await openSession(deployment, { clock, logger, seed: 'a', inMemory: true });
    const { start } = Engine.prototype;
    const slow = (engine: Engine, accepted?: () => void) =>
      concat(timer(6_000, clock), start.call(engine, accepted), timer(6_000, clock));
    const spy = vi.spyOn(Engine.prototype, 'start').mockImplementation(function (
      this: Engine,
      accepted,
    ) {
      return slow(this, accepted).pipe(ignoreElements());
    });
    onTestFinished(() => spy.mockRestore());
    await session.start();
    const told = log.lines.filter((line) => line.includes('still '));
    expect(told).toHaveLength(2);
    expect(told[0]).toContain('still reading the account');
    expect(told[1]).toContain('still reading the orders of 1 market');
    await session.close();
  });

  it('is followed by no word in the log where it failed: its end tells why', async () => {
    const { session, clock, log } = await refusedSession();
    await expect(session.start()).rejects.toThrow('it may not place orders');
    const told = log.lines.length;
    expect(told).toBeGreaterThan(0);
    await pass(clock, { durationMs: 120_000, until: NEVER });
    expect(log.lines.slice(told)).toEqual([]);
  });

  it.each([
    ['may not place orders', { orders: false }],
    ['may withdraw funds', { withdrawals: true }],
  ])('counts as misconfigured where the key %s: a start anew finds the same', async (is, may) => {
    const { session } = await refusedSession(may);
    const failed = { exitCode: EXIT_CODES.configuration, message: expect.stringContaining(is) };
    await expect(session.start()).rejects.toMatchObject(failed);
  });

  it('takes no word from a stop that goes on while it fails', async () => {
    const hush = vi.fn();
    const engine = { start: () => throwError(() => new TypeError('late')), stop: () => NEVER };
    const venue = { description: 'a venue', warm: EMPTY };
    const parts = { clock: new VirtualClock(0), bot: { engine }, venue, hush };
    const session = new Session(parts as unknown as ConstructorParameters<typeof Session>[0]);
    session.status = () => ({ strategies: [] }) as unknown as Status;
    const stopping = session.stop({ reason: 'asked', outcome: 'success' });
    await expect(session.start()).rejects.toThrow('late');
    expect(hush).not.toHaveBeenCalled();
    await expect(stopping).rejects.toThrow('nothing is scheduled');
  });
});

describe('Session.stop', () => {
  it('counts as a journal that failed where its end could not be written', async () => {
    const clock = new RehearsalClock(Date.UTC(2024, 0, 1));
    const path = join(scratchFolder(), 'a.journal');
    const deployment = loadDeployment(deploymentFile({ journal: { path } }));
    const logger = createLogger(deployment.config.log, { target: keptLog(), clock });
    const session = await openSession(deployment, { clock, logger, seed: 'a' });
    onTestFinished(async () => void (await session.close()));
    await session.start();
    await pass(clock, { durationMs: 10_000, until: NEVER });
    renameSync(path, `${path}.moved`);
    const summary = await session.stop({ reason: 'asked', outcome: 'success' });
    expect(summary).toMatchObject({ outcome: 'journal', stop: { verified: true } });
  });
});
