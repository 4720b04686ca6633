import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../../../src/exchange/index.ts';
import { HOUR_MS } from '../../../../../src/kernel/index.ts';
import { depthFrame, NOW_MS, zbFixture } from '../fixture.ts';

describe('connection', () => {
  test('emits the present state, opens on demand and tells every change', () => {
    const { exchange, clock, sockets, logger } = zbFixture();
    const states: Connection[] = [];
    expect(sockets.all).toHaveLength(0);
    exchange.marketFeed.connection().subscribe((state) => states.push(state));
    sockets.last.events.opened();
    sockets.last.events.closed('going away');
    clock.advanceBy(500);
    sockets.last.events.opened();
    expect(states.map(({ connected, reason }) => [connected, reason])).toEqual([
      [false, 'not opened yet'],
      [true, 'connected'],
      [false, 'going away'],
      [true, 'connected'],
    ]);
    expect(sockets.all).toHaveLength(2);
    expect(logger.lines).toEqual([
      expect.stringMatching(/^push connection lost .*"going away"/),
      'push connection is open again {}',
    ]);
  });

  test('serves market and account over one socket', () => {
    const { exchange, sockets } = zbFixture();
    exchange.marketFeed.ticker('btc_usdt').subscribe();
    exchange.accountFeed.balances().subscribe();
    exchange.accountFeed.connection().subscribe();
    expect(sockets.all).toHaveLength(1);
    expect(sockets.last.url).toBe('wss://push.example/websocket');
  });

  test('pings every 5 s while open', () => {
    const { exchange, clock, sockets } = zbFixture();
    exchange.marketFeed.connection().subscribe();
    clock.advanceBy(5_000);
    expect(sockets.last.sent).toEqual([]);
    sockets.last.events.opened();
    clock.advanceBy(10_000);
    expect(sockets.last.sent).toEqual(['ping', 'ping']);
  });
});

describe('a dead connection', () => {
  test('is noticed after 20 s of silence, and any word is a sign of life', () => {
    const { exchange, clock, sockets } = zbFixture();
    const states: Connection[] = [];
    exchange.marketFeed.connection().subscribe((state) => states.push(state));
    const socket = sockets.last;
    socket.events.opened();
    clock.advanceBy(19_000);
    socket.events.message('pong');
    clock.advanceBy(19_999);
    expect(states.at(-1)?.connected).toBe(true);
    clock.advanceBy(1);
    expect(states.at(-1)).toEqual({ connected: false, reason: 'silent for 20 s' });
    expect(socket.terminated).toBe(true);
  });

  test('is none where the date is set forth, though it has been still for a while', () => {
    const { exchange, clock, sockets, setForth } = zbFixture();
    exchange.marketFeed.connection().subscribe();
    sockets.last.events.opened();
    clock.advanceBy(5_000);
    sockets.last.events.message('pong');
    setForth(HOUR_MS);
    clock.advanceBy(19_999);
    expect(sockets.all).toHaveLength(1);
    clock.advanceBy(1_000);
    expect(sockets.all).toHaveLength(2);
  });

  test('gives up a handshake that is never answered', () => {
    const { exchange, clock, sockets } = zbFixture();
    exchange.marketFeed.connection().subscribe();
    clock.advanceBy(21_000);
    expect(sockets.all).toHaveLength(2);
    expect(sockets.all[0]!.terminated).toBe(true);
  });

  test('hears nothing from a socket that it gave up', () => {
    const { exchange, clock, sockets } = zbFixture();
    const bids: number[] = [];
    exchange.marketFeed.depth('btc_usdt').subscribe(({ bids: [best] }) => bids.push(best![0]));
    const [first] = [sockets.last];
    first.events.opened();
    clock.advanceBy(21_000);
    sockets.last.events.opened();
    first.push(depthFrame(1));
    first.events.closed('late');
    first.events.opened();
    sockets.last.push(depthFrame(2));
    expect(bids).toEqual([2]);
    expect(sockets.all).toHaveLength(2);
  });
});

/** Milliseconds between the loss of one socket and the opening of the next. */
function waits(fixture: ReturnType<typeof zbFixture>, losses: number, openMs: number): number[] {
  const { clock, sockets } = fixture;
  return Array.from({ length: losses }, () => {
    sockets.last.events.opened();
    for (let passedMs = 0; passedMs < openMs; passedMs += 1_000) {
      clock.advanceBy(1_000);
      sockets.last.events.message('pong');
    }
    const lostMs = clock.now();
    const before = sockets.all.length;
    sockets.last.events.closed('gone');
    while (sockets.all.length === before) clock.runNext();
    return clock.now() - lostMs;
  });
}

describe('reconnecting', () => {
  test('waits longer each time, within bounds, while connections do not stand', () => {
    const fixture = zbFixture();
    fixture.exchange.marketFeed.connection().subscribe();
    const fullMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];
    waits(fixture, fullMs.length, 0).forEach((waitMs, at) => {
      expect(waitMs).toBeLessThanOrEqual(fullMs[at]!);
      expect(waitMs).toBeGreaterThanOrEqual(fullMs[at]! / 2);
    });
  });

  test('starts anew after a connection that stood', () => {
    const fixture = zbFixture();
    fixture.exchange.marketFeed.connection().subscribe();
    waits(fixture, 6, 0);
    const [afterStanding] = waits(fixture, 1, 30_000);
    expect(afterStanding).toBeLessThanOrEqual(500);
  });

  test('makes no storm: a server that hangs up at once sees few attempts an hour', () => {
    const { exchange, clock, sockets } = zbFixture();
    exchange.marketFeed.connection().subscribe();
    const endMs = NOW_MS + 3_600_000;
    for (let handled = 0; clock.now() < endMs; ) {
      for (; handled < sockets.all.length; handled++) {
        sockets.all[handled]!.events.opened();
        sockets.all[handled]!.events.closed('no');
      }
      clock.advanceBy(100);
    }
    expect(sockets.all.length).toBeLessThan(260);
    expect(sockets.all.length).toBeGreaterThan(120);
  });

  test('stops for good at close', async () => {
    const { exchange, clock, sockets } = zbFixture();
    let completed = false;
    let isConnected: boolean | undefined;
    exchange.marketFeed.connection().subscribe({
      next: ({ connected }) => {
        isConnected = connected;
      },
      complete: () => {
        completed = true;
      },
    });
    sockets.last.events.opened();
    await exchange.close();
    clock.advanceBy(100_000);
    expect([sockets.all.length, sockets.last.terminated, completed]).toEqual([1, true, true]);
    expect(isConnected).toBe(false);
    expect(clock.nextDueMs).toBeUndefined();
  });
});
