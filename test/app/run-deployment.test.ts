import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { from, NEVER, of, Subject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src/app/errors.ts';
import { EXIT_CODES } from '../../src/app/exit-codes.ts';
import { runDeployment } from '../../src/app/run-deployment.ts';
import type { Session, StopRequest } from '../../src/app/session.ts';
import { HashJournal } from '../../src/storage/index.ts';
import {
  deploymentFile,
  deploymentSettings,
  keptLog,
  scratchFolder,
  twoTrades,
  virtualRun,
} from './fixture.ts';

const FIXTURES = new URL('../cli/fixtures/', import.meta.url).pathname;

describe('runDeployment', () => {
  it('trades until its time is over and leaves no order behind', async () => {
    const summary = await runDeployment(virtualRun({ durationMs: 30_000 }));
    expect(summary).toMatchObject({ outcome: 'success', reason: 'its time is over' });
    const { orders, fills, heartbeats } = summary.status.tally;
    expect(Math.min(orders, fills, heartbeats)).toBeGreaterThan(0);
    expect(summary.stop).toMatchObject({ verified: true, remaining: [] });
    expect(summary.embedded?.resting).toBe(0);
    expect(summary.durationMs).toBeGreaterThanOrEqual(30_000);
  });

  it('needs an end on virtual time', async () => {
    const { durationMs: _, ...endless } = virtualRun();
    await expect(runDeployment(endless)).rejects.toThrow('--for is wanted');
  });

  it.each([
    ['a real venue', { kind: 'zb' }],
    ['a followed one', { kind: 'simulated', follow: {} }],
  ])('refuses virtual time for %s', async (_what, venue) => {
    const addresses = { dataUrl: 'http://127.0.0.1:1', pushUrl: 'ws://127.0.0.1:1' };
    const key = { env: 'PATH' };
    const full =
      venue.kind === 'zb'
        ? { ...venue, ...addresses, tradeUrl: addresses.dataUrl, accessKey: key, secretKey: key }
        : { ...venue, follow: addresses };
    const run = runDeployment(virtualRun({ file: deploymentFile({ venue: full }) }));
    await expect(run).rejects.toMatchObject({ reason: 'usage' });
  });

  it('stops at once where it is asked before it has started', async () => {
    const stop = of<StopRequest>({ reason: 'asked', outcome: 'success' });
    const summary = await runDeployment(virtualRun({ stop }));
    expect(summary.reason).toBe('asked');
    expect(summary.status.tally.orders).toBe(0);
  });

  it('counts as a defect where one asked it to stop', async () => {
    const stop = of<StopRequest>({ reason: 'boom', outcome: 'defect' });
    expect((await runDeployment(virtualRun({ stop }))).outcome).toBe('defect');
  });

  it('shows its session once all is open', async () => {
    let session: Session | undefined;
    const onOpen = (opened: Session) => {
      session = opened;
    };
    await runDeployment(virtualRun({ onOpen }));
    expect(session?.name).toBe('test');
    const [market] = session!.status().markets;
    expect(market?.market.id).toBe('btc_usdt');
  });
});

describe('runDeployment, of what the exchange does not have,', () => {
  it.each([
    ['a market', { markets: ['eth_btc'] }, /Cannot trade market "eth_btc": .*one of btc_usdt/],
    ['markets', { markets: ['eth_btc', 'ltc_btc'] }, /"eth_btc".*\n.*:\d+:\d+: .*"ltc_btc"/],
    [
      'an account',
      { venue: { kind: 'simulated', account: 'me' } },
      /account": it is "me", .*one of main/,
    ],
    [
      'no account',
      { venue: { kind: 'simulated', accounts: [] } },
      /accounts": it is an empty list/,
    ],
    [
      'money',
      { venue: { kind: 'simulated', accounts: [{ name: 'a', balances: { btc: '1e-30' } }] } },
      /btc/,
    ],
  ])('refuses %s that the exchange cannot have, with code 3', async (_what, overrides, message) => {
    const run = runDeployment(virtualRun({ file: deploymentFile(overrides) }));
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.toMatchObject({ exitCode: 3 });
  });

  it('refuses a market beside a recording that alone tells its market', async () => {
    const recordings = [{ file: twoTrades() }];
    const file = deploymentFile({ venue: { kind: 'simulated', recordings } });
    const message = /^.*:\d+:\d+: Cannot trade market "btc_usdt": .*, one of xrp_eth is wanted$/;
    await expect(runDeployment(virtualRun({ file }))).rejects.toMatchObject({
      ...{ exitCode: 3, message: expect.stringMatching(message) },
    });
  });
});

describe('runDeployment, of its stop', () => {
  it('tells the position with what filled while it stopped', async () => {
    let session: Session | undefined;
    const onOpen = (opened: Session) => {
      session = opened;
    };
    const use = `${FIXTURES}late-taker.ts`;
    const latency = { requestMs: 100, answerMs: 100, pushMs: 100 };
    const { venue } = deploymentSettings() as { readonly venue: object };
    const file = deploymentFile({ strategies: [{ use }], venue: { ...venue, latency } });
    const summary = await runDeployment(virtualRun({ file, onOpen, durationMs: 10_000 }));
    const [market] = summary.status.markets;
    expect(summary.stop.filled).toBe(1);
    expect(market!.position).toEqual(session!.status().markets[0]!.position);
    expect(market!.position.amount.sign).toBe(1);
  });

  it('counts as unverified where its orders could not be shown to be gone', async () => {
    const latency = { requestMs: 100, answerMs: 100, pushMs: 100 };
    const { venue } = deploymentSettings() as { readonly venue: object };
    const endWithin = async (stopTimeoutMs: number) => {
      const file = deploymentFile({ venue: { ...venue, latency }, executor: { stopTimeoutMs } });
      const { outcome, stop } = await runDeployment(virtualRun({ file }));
      return [outcome, stop.verified, stop.remaining.length > 0];
    };
    expect(await endWithin(50)).toEqual(['unverified', false, true]);
    expect(await endWithin(30_000)).toEqual(['success', true, false]);
  });
});

describe('runDeployment, of a journal that fails behind the stop,', () => {
  it.each(['hash', 'close'] as const)('ends with code 7: at its %s', async (method) => {
    const onOpen = (session: Session) => {
      const close = session.close.bind(session);
      session.close = () => {
        const failing = vi.spyOn(HashJournal.prototype, method).mockImplementation(() => {
          throw new Error('database or disk is full');
        });
        return close().finally(() => failing.mockRestore());
      };
    };
    const summary = await runDeployment(virtualRun({ onOpen }));
    expect(summary).toMatchObject({ outcome: 'journal', journal: { hash: undefined } });
    const stop = of<StopRequest>({ reason: 'boom', outcome: 'defect' });
    expect((await runDeployment(virtualRun({ onOpen, stop }))).outcome).toBe('defect');
  });
});

/** Throws whatever is asked of it. */
const UNREADABLE = new Proxy(new Error('boom'), {
  get: () => {
    throw new Error('no field');
  },
  getPrototypeOf: () => {
    throw new Error('no prototype');
  },
});

describe('runDeployment, errors that nobody caught', () => {
  it('tells an error that nobody caught once, with its stack, where no strategy is in that', async () => {
    const log = keptLog();
    const error = new Error('boom');
    const summary = await runDeployment(virtualRun({ log, uncaught: of(error, error, 'odd') }));
    const reason = 'an error of a strategy or a library that nobody caught: boom';
    expect(summary).toMatchObject({ reason: expect.stringContaining(reason), outcome: 'defect' });
    const told = log.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(told).toMatchObject([
      { msg: expect.stringContaining(reason), stack: error.stack },
      { msg: expect.stringMatching(/nobody caught: odd; stopping in order$/) },
    ]);
  });

  it.each<[string, (uncaught: Subject<unknown>, stop: Subject<StopRequest>) => void, string]>([
    ['an error', (uncaught) => uncaught.next('first'), 'defect'],
    ['a wish', (_, stop) => stop.next({ reason: 'asked', outcome: 'success' }), 'success'],
  ])('hears errors until its end, whoever asked it to stop first: %s', async (_, ask, outcome) => {
    const log = keptLog();
    const uncaught = new Subject<unknown>();
    const stop = new Subject<StopRequest>();
    const onOpen = () => {
      ask(uncaught, stop);
      // With nobody listening, Node would end the process.
      expect(uncaught.observed).toBe(true);
      uncaught.next('last');
    };
    const summary = await runDeployment(virtualRun({ log, uncaught, stop, onOpen }));
    expect(summary.outcome).toBe(outcome);
    expect(log.lines.join('\n')).toContain('nobody caught: last; stopping in order');
    expect(uncaught.observed).toBe(false);
  });

  it.each([
    ['no text', Object.create(null)],
    ['a list as its stack', Object.assign(new Error('boom'), { stack: ['a site'] })],
    ['nothing that can be read', UNREADABLE],
  ])('stops in order for an error of %s', async (_, thrown) => {
    const summary = await runDeployment(virtualRun({ uncaught: from([thrown]) }));
    expect(summary.outcome).toBe('defect');
  });

  it('hears on virtual time what RxJS throws when a run is over', async () => {
    const uncaught = new Subject<unknown>();
    const onOpen = () => void setTimeout(() => uncaught.next('late'));
    const summary = await runDeployment(virtualRun({ uncaught, onOpen }));
    expect(summary.outcome).toBe('defect');
  });
});

describe('runDeployment, seeds', () => {
  it('gives the same journal for the same seed, another for another', async () => {
    const hashOf = async (seed: string) => (await runDeployment(virtualRun({ seed }))).journal.hash;
    const hash = await hashOf('a');
    expect(await hashOf('a')).toBe(hash);
    expect(await hashOf('b')).not.toBe(hash);
  });

  it('makes up another market for another seed of the file, and the usual one for none', async () => {
    const { venue } = deploymentSettings() as { venue: object };
    const bestBid = async (seed: string | undefined) => {
      const file = deploymentFile({ seed, venue: { ...venue, seed: undefined } });
      const summary = await runDeployment(virtualRun({ file, durationMs: 60_000 }));
      return summary.status.markets[0]!.bid;
    };
    const bids = await Promise.all([undefined, 'tradewind', 'AAA', 'BBB'].map(bestBid));
    expect(bids[0]).toBe(bids[1]);
    expect(new Set(bids).size).toBe(3);
  });

  it('logs the seed that it drew itself', async () => {
    const log = keptLog();
    await runDeployment(virtualRun({ file: deploymentFile({ seed: undefined }), log }));
    expect(log.lines[0]).toContain('seed of this run');
  });
});

describe('runDeployment with strategies that are over', () => {
  const steady = { use: `${FIXTURES}steady.ts` };

  it.each([
    ['throws', 'failed', 'it broke on purpose'],
    ['ends', 'ended', 'its stream of intents completed'],
  ])('takes back the quotes of one that %s; the others go on', async (name, status, reason) => {
    const log = keptLog();
    const strategies = [{ use: `${FIXTURES}${name}.ts` }, steady];
    const named = strategies.map((entry, at) => ({ ...entry, name: ['bad', 'good'][at] }));
    let live: string[] = [];
    const file = deploymentFile({ strategies: named, log: { level: 'debug', format: 'json' } });
    const summary = await runDeployment(
      virtualRun({
        file,
        log,
        onOpen: (session) => {
          const { stop } = session;
          session.stop = (request) => {
            const [market] = session.status().markets;
            live = [...market!.bids, ...market!.asks].map(({ strategy }) => strategy);
            return stop.call(session, request);
          };
        },
      }),
    );
    expect(summary.outcome).toBe('success');
    expect(summary.status.strategies[0]).toMatchObject({ name: 'bad', status, reason });
    expect(live).toEqual(['good', 'good']);
  });

  it('says what one holds that is over', async () => {
    const log = keptLog();
    const strategies = [{ use: `${FIXTURES}throws-holding.ts`, name: 'bad' }, steady];
    const file = deploymentFile({ strategies, log: { level: 'info', format: 'json' } });
    await runDeployment(virtualRun({ file, log, durationMs: 60_000 }));
    const told = log.lines.filter((line) => line.includes('bad is over and holds'));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('holds 0.000999 btc in btc_usdt: nothing closes this');
  });

  it.each(['throws', 'ends'])('is over with the last one that %s', async (name) => {
    const file = deploymentFile({ strategies: [{ use: `${FIXTURES}${name}.ts` }] });
    const summary = await runDeployment(virtualRun({ file }));
    expect(summary).toMatchObject({ outcome: 'strategy', reason: 'no strategy is left to run' });
    expect(summary.stop.verified).toBe(true);
    expect(EXIT_CODES[summary.outcome]).toBe(5);
  });
});

describe('runDeployment on a recording', () => {
  it('plays it on virtual time, the same each time', async () => {
    const folder = scratchFolder();
    const trades = Array.from({ length: 3_000 }, (_, i) => {
      const price = 100 + Math.sin(i / 50);
      return [1_700_000_000_000 + i * 20, `${i}`, null, i % 2 ? 'buy' : 'sell', price, 1, price];
    });
    writeFileSync(join(folder, 'XRP_ETH-trades.json.gz'), gzipSync(JSON.stringify(trades)));
    const settings = deploymentSettings({
      venue: {
        kind: 'simulated',
        markets: [{ id: 'xrp_eth', priceScale: 4, minSize: 0 }],
        accounts: [{ name: 'main', balances: { xrp: '100', eth: '10000' } }],
        recordings: [{ file: join(folder, 'XRP_ETH-trades.json.gz') }],
      },
      markets: ['xrp_eth'],
      strategies: [
        {
          use: 'market-maker',
          params: {
            amount: 1,
            positionMax: 3,
            spread: 0.0001,
            volatilityLength: 5,
            volatilityFactor: 0,
          },
        },
      ],
    });
    const run = () =>
      runDeployment(virtualRun({ file: deploymentFile(settings as Record<string, unknown>) }));
    const first = await run();
    expect(first.status.tally.fills).toBeGreaterThan(0);
    expect((await run()).journal.hash).toBe(first.journal.hash);
  });

  it('says which recording cannot be read', async () => {
    const venue = { kind: 'simulated', recordings: [{ file: 'none.json.gz' }] };
    const run = runDeployment(virtualRun({ file: deploymentFile({ venue }), stop: NEVER }));
    await expect(run).rejects.toMatchObject({ reason: 'recording' });
    await expect(run).rejects.toBeInstanceOf(AppError);
    await expect(run).rejects.toThrow(/Cannot replay .*none\.json\.gz: there is no such file/);
  });
});
