import { describe, expect, it } from 'vitest';
import type { StopReport } from '../../src/execution/index.ts';
import { checkGone, checkSettled } from './agreement.ts';
import { CALM, type Weather } from './faults.ts';
import { quotingWorld } from './quoting-world.ts';
import { ACCESS_KEY, type World } from './world.ts';

/** One request in six goes wrong in some way. */
const ROUGH: Weather = {
  ...CALM,
  delayMs: 40,
  requests: {
    refused: 0.02,
    resetBefore: 0.02,
    resetAfter: 0.02,
    lost: 0.01,
    silent: 0.01,
    slow: 0.02,
    truncated: 0.02,
    page: 0.02,
    busy: 0.02,
    repeated: 0.02,
  },
  pushes: { ...CALM.pushes, dropped: 0.1, repeated: 0.1, lagMs: 500, endsPerMinute: 2 },
};

/** Two minutes until nothing can be under way any more, and until a lookup has shown it. */
const LOST_MS = 160_000;

/** Ends trouble and compares the pictures. */
function expectAgreement(world: World, settleMs = 75_000): void {
  world.network.weather = CALM;
  checkSettled(world, settleMs);
}

function stopped(world: World, withinMs = 31_000): StopReport | undefined {
  let report: StopReport | undefined;
  world.stop((told) => {
    report = told;
  });
  world.advance(withinMs);
  return report;
}

describe('Ctrl-C', () => {
  it.each([1, 2, 3, 4])(
    'under faults ends with every order cancelled and verified (%i)',
    (seed) => {
      // An order that was given up may be under way for two minutes more.
      const executor = { stopTimeoutMs: 180_000 };
      const { world } = quotingWorld({ seed, levels: 3, executor });
      world.network.weather = ROUGH;
      world.advance(10_000);
      const report = stopped(world, 181_000)!;
      expect(report).toMatchObject({ verified: true, remaining: [] });
      expect(report.cancelled + report.filled + report.rejected).toBe(report.of);
      checkGone(world, report.verified);
    },
  );

  it('a second time changes nothing', () => {
    const { world } = quotingWorld();
    world.network.weather = ROUGH;
    const reports: StopReport[] = [];
    world.stop((told) => reports.push(told));
    world.advance(200);
    world.stop((told) => reports.push(told));
    world.advance(31_000);
    expect(reports).toHaveLength(2);
    expect(reports[1]).toEqual(reports[0]);
    expect(world.books.ownOpen).toEqual([]);
  });
});

describe('an order that is held on its way, for two minutes at the most', () => {
  it.each(['market-maker', 'swing'] as const)('is never sent twice (%s)', (strategy) => {
    for (const seed of ['a', 'b']) {
      const { world, of } = quotingWorld({ seed, strategy, cancelWaitMs: 60_000 });
      const worse = { text: '/api/order?', factor: 10 };
      world.network.weather = { ...CALM, requests: { stuck: 0.01 }, worse };
      world.advance(120_000);
      expect(of('order').some(({ order }) => order.status === 'unknown')).toBe(true);
      expectAgreement(world, LOST_MS);
    }
  });
});

describe('an order that is held until the timed cancel has fired, its bot killed meanwhile', () => {
  it('rests unguarded, and is taken up at the next start', () => {
    const { world } = quotingWorld({ levels: 3 });
    const worse = { text: '/api/order?', factor: 100 };
    world.network.weather = { ...CALM, requests: { stuck: 0.01 }, worse };
    world.advance(10_000);
    world.stillMarkets();
    world.kill();
    world.advance(125_000);
    expect(world.exchange.inspect('main').timedCancelsDue.size).toBe(0);
    expect(world.books.ownOpen).not.toEqual([]);
    world.network.weather = CALM;
    world.boot();
    world.advance(5_000);
    expect(world.exchange.inspect('main').timedCancelsDue.size).toBe(1);
    expectAgreement(world, LOST_MS);
  });
});

describe('a machine whose date jumps', () => {
  it.each([
    ['ten minutes ahead', 600_000],
    ['ten minutes back', -600_000],
  ])('%s, and is corrected later: cancels go out all the while', (_, aheadMs) => {
    const { world, of } = quotingWorld();
    const expired = () => world.view.server.counts().refusals[3007] ?? 0;
    world.aheadMs = aheadMs;
    world.advance(16_000);
    const refused = expired();
    expect(refused).toBeGreaterThan(0);
    world.advance(30_000);
    world.aheadMs = 0;
    world.advance(30_000);
    expect(expired()).toBe(refused);
    expect(of('order').filter(({ order }) => order.status === 'cancelled')).not.toEqual([]);
    checkGone(world, stopped(world)?.verified);
  });
});

describe('kill -9', () => {
  it('lets the exchange itself cancel everything a minute after the last heartbeat', () => {
    const { world } = quotingWorld({ levels: 3 });
    let heartbeatMs = 0;
    world.requestListeners.add((target) => {
      if (target.startsWith('/api/cancelAllOrdersAfter')) heartbeatMs = world.clock.now();
    });
    world.advance(20_000);
    world.kill();
    world.advance(2_000);
    expect(world.books.ownOpen.length).toBeGreaterThan(0);
    world.advance(heartbeatMs + 60_000 - world.clock.now());
    expect(world.books.ownOpen).toEqual([]);
    expect(world.exchange.inspect('main').timedCancelsFired).toBe(1);
  });

  it.each(Array.from({ length: 8 }, (_, at) => at * 7))(
    'at write %i of the journal loses and doubles nothing',
    (writes) => {
      const { world, restart } = quotingWorld({ seed: writes, levels: 3 });
      let left = writes;
      world.disk.beforeWrite = () => {
        if (left-- === 0) world.kill();
      };
      world.advance(60_000);
      expect(world.isAlive).toBe(false);
      world.disk.beforeWrite = () => {};
      restart();
      expectAgreement(world, LOST_MS);
    },
  );

  it('with orders on their way whose answers are lost resolves each by the exchange', () => {
    const { world, of, restart } = quotingWorld({ levels: 3 });
    world.network.weather = { ...CALM, requests: { silent: 0.5, lost: 0.3 } };
    world.advance(3_000);
    const before = of('order').filter(({ order }) => order.status === 'pending').length;
    world.network.weather = CALM;
    restart();
    expectAgreement(world, LOST_MS);
    expect(before).toBeGreaterThan(5);
  });

  it('again and again never trips the limits', () => {
    const { world, restart } = quotingWorld({ strategy: 'flood', levels: 3 });
    for (let life = 0; life < 40; life++) {
      world.advance(100 + 37 * (life % 40));
      restart(life % 3 === 0 ? 1 : 400);
    }
    expect(world.view.server.counts().refusals[4002]).toBeUndefined();
  }, 60_000);
});

describe('a flood of wishes', () => {
  it('never has 60 requests counted in a second, heartbeats and cancels first', () => {
    const { world, of } = quotingWorld({ strategy: 'flood', levels: 3, floodPeriodMs: 25 });
    world.network.weather = { ...CALM, delayMs: 15 };
    world.advance(40_000);
    const { highest, total } = world.view.server.counts().keys[ACCESS_KEY]!;
    expect(highest).toBeLessThanOrEqual(60);
    expect(total / 60).toBeGreaterThan(35);
    const waits = (operation: string) =>
      of('request').flatMap((event) => (event.operation === operation ? [event.waitedMs] : []));
    expect(Math.max(...waits('place'))).toBeGreaterThan(0);
    expect(Math.max(...waits('cancelAllAfter'))).toBeLessThanOrEqual(50);
    expect(Math.max(...waits('cancel'))).toBeLessThanOrEqual(1_100);
    const beats = of('heartbeat').map(({ sentTime }) => sentTime);
    const gaps = beats.slice(1).map((sentMs, index) => sentMs - beats[index]!);
    expect(Math.max(...gaps)).toBeLessThan(17_000);
  }, 60_000);
});

describe('a stalled event loop', () => {
  it.each([100, 1_000, 10_000, 30_000, 40_000])('of %i ms is taken in its stride', (stallMs) => {
    const { world } = quotingWorld({ seed: stallMs });
    world.stallBot(stallMs);
    expect(world.exchange.inspect('main').timedCancelsFired).toBe(0);
    expectAgreement(world);
  });

  it.each([61_000, 75_000, 120_000])(
    'of %i ms loses its orders, reads, arms, quotes',
    (stallMs) => {
      const { world, events, of } = quotingWorld({ seed: stallMs });
      world.stallBot(stallMs);
      expect(world.exchange.inspect('main').timedCancelsFired).toBe(1);
      expect(world.books.ownOpen).toEqual([]);
      const from = events.findIndex(({ kind }) => kind === 'lapse');
      expect(from).toBeGreaterThan(0);
      world.advance(20_000);
      const steps = events.slice(from).flatMap((event) => {
        if (event.kind === 'request') return event.operation === 'place' ? ['place'] : [];
        if (event.kind === 'reconciliation') return event.reason === 'lapse' ? ['truth'] : [];
        return event.kind === 'lapse' || event.kind === 'heartbeat' ? [event.kind] : [];
      });
      expect(steps.slice(0, 4)).toEqual(['lapse', 'heartbeat', 'truth', 'place']);
      expect(of('lapse')).toHaveLength(1);
      expectAgreement(world);
    },
  );
});

describe('the exchange turns the key down', () => {
  it.each([
    ['revoked', '{"code":1003,"message":"Verification does not pass"}'],
    ['without permission', '{"code":1012,"message":"Insufficient permissions"}'],
    ['expired', '{"code":3007,"message":"Request time expired"}'],
  ])('%s: the switch fires, nothing is placed, and all goes on when it is back', (_, body) => {
    const { world, of } = quotingWorld();
    world.network.intercept = (target) => (target.startsWith('/api/') ? body : undefined);
    world.advance(60_000);
    expect(world.books.ownOpen).toEqual([]);
    expect(of('lapse').length).toBeGreaterThan(0);
    const placed = of('request').filter(({ operation }) => operation === 'place').length;
    world.advance(60_000);
    const more = of('request').filter(({ operation }) => operation === 'place').length;
    expect(more).toBe(placed);
    world.network.intercept = () => undefined;
    expectAgreement(world);
  });

  it('disabled or locked: halts for a person, and cancels all the same', () => {
    const { world, of } = quotingWorld();
    let locked = true;
    world.network.intercept = (target) =>
      locked && target.startsWith('/api/') ? '{"code":4001,"message":"API locked"}' : undefined;
    world.advance(5_000);
    expect(of('tradingState').map(({ state }) => state)).toEqual(['HALTED']);
    locked = false;
    world.advance(120_000);
    expect(world.books.ownOpen).toEqual([]);
  });
});

describe('pushes', () => {
  it('of an exchange that restarts its sockets are missed, read and taken up again', () => {
    const { world, of } = quotingWorld();
    for (let i = 0; i < 5; i++) {
      world.network.restartSockets();
      world.advance(7_000);
    }
    const reasons = of('reconciliation').map(({ reason }) => reason);
    expect(reasons).toContain('the pushes were interrupted');
    expectAgreement(world);
  });

  it('that die silently cost nothing but time', () => {
    const { world } = quotingWorld();
    world.network.silenceSockets();
    expectAgreement(world);
  });
});

/** From now on the bot is told nothing of the markets. */
function blind({ network }: World): void {
  network.intercept = (target) =>
    target.startsWith('/data/') ? '{"code":1002,"message":"Internal error"}' : undefined;
  network.silenceSockets();
  network.weather = { ...CALM, pushes: { ...CALM.pushes, refused: 1 } };
}

describe('stale data', () => {
  it('stops quoting until data are fresh again', () => {
    const { world, of } = quotingWorld();
    blind(world);
    world.advance(10_000);
    expect(of('freshness').at(-1)).toMatchObject({ stream: 'depth', fresh: false });
    expect(world.books.ownOpen).toEqual([]);
    world.network.intercept = () => undefined;
    expectAgreement(world);
  });
});

describe('stale data under a strategy that says nothing', () => {
  it('take its orders off the book after a while; its wish stands until they are fresh', () => {
    const { world, of } = quotingWorld();
    world.strategiesSpeak = false;
    world.stillMarkets();
    blind(world);
    world.advance(25_000);
    expect(of('freshness').at(-1)).toMatchObject({ stream: 'depth', fresh: false });
    const resting = world.books.ownOpen.length;
    expect(resting).toBeGreaterThan(0);
    world.advance(15_000);
    expect(world.books.ownOpen).toEqual([]);
    world.network.intercept = () => undefined;
    world.network.weather = CALM;
    world.advance(30_000);
    expect(of('freshness').at(-1)).toMatchObject({ stream: 'depth', fresh: true });
    expect(world.books.ownOpen).toHaveLength(resting);
    expectAgreement(world);
  });

  it('leave its orders where they are where the setting says so', () => {
    const { world } = quotingWorld({ risk: { staleRestMaxMs: 0 } });
    world.strategiesSpeak = false;
    world.stillMarkets();
    blind(world);
    world.advance(120_000);
    expect(world.books.ownOpen.length).toBeGreaterThan(0);
  });
});

describe('an engine without a sign of life', () => {
  it('lets the switch fire, and quotes again only once it lives', () => {
    const { world, of } = quotingWorld();
    const { executor } = world.bot.sources;
    executor.signOfLife = () => {};
    // The last call is ten seconds away at most, and 25 s old at most when an order leaves on it.
    world.advance(36_000);
    const placed = () => of('request').filter(({ operation }) => operation === 'place').length;
    const before = placed();
    world.advance(39_000);
    expect(placed()).toBe(before);
    expect(world.exchange.inspect('main').timedCancelsFired).toBe(1);
    expect(world.books.ownOpen).toEqual([]);
    world.advance(60_000);
    expect(world.books.ownOpen).toEqual([]);
    Reflect.deleteProperty(executor, 'signOfLife');
    expectAgreement(world);
  });
});

describe('a full disk', () => {
  it('lets no order leave, and the stop cancels what rests', () => {
    const { world, of } = quotingWorld();
    let over = '';
    world.bot.engine.over.subscribe(({ reason }) => {
      over = reason;
    });
    world.disk.fault = () => 'refused';
    const placed = () => of('request').filter(({ operation }) => operation === 'place').length;
    world.advance(5_000);
    expect(over).toBe('journal');
    const before = placed();
    const report = stopped(world);
    expect(report).toMatchObject({ verified: true });
    expect(world.books.ownOpen).toEqual([]);
    expect(placed()).toBe(before);
  });
});
