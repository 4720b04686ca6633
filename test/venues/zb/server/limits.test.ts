import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../../src/venues/zb/server/config.ts';
import { Limiter } from '../../../../src/venues/zb/server/limits.ts';
import { KEY, ORDER, serverFixture } from './fixture.ts';

const KLINE = '/data/v1/kline?market=btc_usdt';
const OTHER = { ...KEY, accessKey: 'other' };

describe('Limiter on the wire', () => {
  it('executes 60 requests of a key in a second, and no more', () => {
    const { call, called, server, clock } = serverFixture();
    const codes = Array.from({ length: 70 }, () => call('order', ORDER).code);
    expect(codes.filter((code) => code === 1000)).toHaveLength(60);
    expect(codes.slice(60)).toEqual(Array(10).fill(4002));
    expect(called('place')).toHaveLength(60);
    expect(server.counts().keys[KEY.accessKey]).toEqual({ total: 70, highest: 70 });
    expect(server.counts().refusals).toEqual({ 4002: 10 });
    clock.advanceBy(999);
    expect(call('order', ORDER).code).toBe(4002);
    clock.advanceBy(1);
    expect(call('order', ORDER).code).toBe(1000);
  });

  it('looks at every trailing second, wherever it starts', () => {
    const { call, clock } = serverFixture();
    clock.advanceBy(900);
    for (let sent = 0; sent < 60; sent++) expect(call('order', ORDER).code).toBe(1000);
    clock.advanceBy(200);
    expect(call('order', ORDER).code).toBe(4002);
  });

  it('counts keys apart, and queries with orders', () => {
    const { call } = serverFixture({ keys: [KEY, OTHER] });
    for (let sent = 0; sent < 60; sent++) call('getAccountInfo');
    expect(call('order', ORDER).code).toBe(4002);
    expect(call('order', ORDER, { accessKey: 'other' }).code).toBe(1000);
  });

  it('counts what has a wrong signature against the key', () => {
    const { call } = serverFixture();
    for (let sent = 0; sent < 60; sent++) call('order', ORDER, { sign: 'x' });
    expect(call('order', ORDER).code).toBe(4002);
  });

  it('locks an address for an hour after 10 000 requests in a minute, and says so once', () => {
    const { call, clock, lines, server } = serverFixture({ keys: [KEY, OTHER] });
    for (let sent = 0; sent < 10_000; sent++) {
      if (sent % 50 === 0) clock.advanceBy(299);
      call('getOrder', {}, { sign: 'x' });
    }
    expect(call('order', ORDER).code).toBe(4001);
    const elsewhere = { address: '10.0.0.2', accessKey: 'other' };
    expect(call('order', ORDER, elsewhere).code).toBe(1000);
    clock.advanceBy(3_599_999);
    expect(call('order', ORDER).code).toBe(4001);
    clock.advanceBy(1);
    expect(call('order', ORDER).code).toBe(1000);
    expect(lines.map(({ message }) => message)).toEqual(['too many requests: locked']);
    expect(server.counts().addresses['10.0.0.1']).toEqual({ total: 10_003, highest: 10_001 });
  });

  it('does not lock at 10 000 spread over more than a minute', () => {
    const { call, clock } = serverFixture();
    for (let sent = 0; sent < 10_500; sent++) {
      if (sent % 50 === 0) clock.advanceBy(301);
      expect(call('getOrder', {}, { sign: 'x' }).code).not.toBe(4001);
    }
  });
});

describe('Limiter on the wire, apart from orders', () => {
  it('gives candles once a second and address, and counts them', () => {
    const { ask, clock, server } = serverFixture();
    expect(ask(KLINE).data).toHaveLength(1);
    clock.advanceBy(999);
    expect(ask(KLINE).code).toBe(4002);
    expect(ask(KLINE, { address: '10.0.0.2' }).data).toHaveLength(1);
    clock.advanceBy(1);
    expect(ask(KLINE).data).toHaveLength(1);
    expect(server.counts().candles['10.0.0.1']).toEqual({ total: 3, highest: 2 });
  });

  it('does not count market data against the address', () => {
    const { ask, server } = serverFixture();
    ask('/data/v1/ticker?market=btc_usdt');
    expect(server.counts()).toMatchObject({ requests: 1, addresses: {} });
  });

  it('refuses nothing when lifted, and counts all the same', () => {
    const limits = { ...DEFAULT_LIMITS, enforced: false, requestsPerMinute: 50 };
    const { call, ask, server } = serverFixture({ limits });
    for (let sent = 0; sent < 100; sent++) expect(call('order', ORDER).code).toBe(1000);
    for (let sent = 0; sent < 3; sent++) expect(ask(KLINE).data).toHaveLength(1);
    expect(server.counts().keys[KEY.accessKey]?.highest).toBe(100);
  });
});

describe('Limiter', () => {
  it('forgets silent addresses but no locked one', () => {
    const limiter = new Limiter({ ...DEFAULT_LIMITS, requestsPerMinute: 1 });
    expect([limiter.arrive('bad', 0), limiter.arrive('bad', 0)]).toEqual([false, true]);
    for (let at = 0; at < 3_000; at++) limiter.arrive(`a${at}`, at * 1_000);
    expect(limiter.isLocked('bad', 3_599_999)).toBe(true);
  });

  it('forgets none whose minute or candle is not over, however many others come', () => {
    const limiter = new Limiter({ ...DEFAULT_LIMITS, requestsPerMinute: 1 });
    limiter.arrive('busy', 0);
    limiter.takeCandles('candles', 59_000);
    for (let at = 0; at < 3_000; at++) limiter.arrive(`a${at}`, 59_000);
    expect(limiter.takeCandles('candles', 59_999)).toBe(false);
    expect(limiter.arrive('busy', 59_999)).toBe(true);
  });
});
