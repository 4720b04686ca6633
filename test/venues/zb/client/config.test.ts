import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { zbConfigSchema } from '../../../../src/venues/zb/client/index.ts';

const config = {
  kind: 'zb',
  dataUrl: 'https://data.example',
  tradeUrl: 'https://trade.example',
  pushUrl: 'wss://push.example/websocket',
  accessKey: { env: 'ZB_ACCESS_KEY' },
  secretKey: { env: 'ZB_SECRET_KEY' },
};

describe('zbConfigSchema', () => {
  test('fills what has a default', () => {
    expect(zbConfigSchema.parse(config)).toEqual({
      ...config,
      requestTimeoutMs: 5_000,
      connections: 16,
      urgentConnections: 4,
      timeOffsetMs: 0,
      pingIntervalMs: 5_000,
      silenceMs: 20_000,
      reconnectMinMs: 500,
      reconnectMaxMs: 30_000,
    });
  });

  test('refuses a key in plain text and says what is wanted', () => {
    const result = zbConfigSchema.safeParse({ ...config, secretKey: 'b7d1-my-secret' });
    expect(result.error?.message).toMatch(/plain text.*\{ env: NAME \}/);
    expect(result.error?.message).not.toContain('b7d1');
  });

  test('takes the name of a variable, and no key in its place', () => {
    const wrong = { ...config, secretKey: { env: 'b7d1-my-secret' } };
    const text = zbConfigSchema.safeParse(wrong).error?.message;
    expect(text).toContain('the name of an environment variable is wanted');
    const right = { ...config, secretKey: { env: '_My_KEY2' } };
    expect(zbConfigSchema.safeParse(right).success).toBe(true);
  });

  test.each([
    ['an unknown key', { retries: 3 }],
    ['an address of another kind', { tradeUrl: 'ftp://trade.example' }],
    ['a push address over http', { pushUrl: 'https://push.example' }],
    ['no address', { dataUrl: 'data' }],
    ['an address with a password', { tradeUrl: 'https://me:word@trade.example' }],
    ['an address with a query', { dataUrl: 'https://data.example/?region=eu' }],
    ['an open line to another machine', { tradeUrl: 'http://trade.example' }],
    ['an open push connection', { pushUrl: 'ws://push.example/websocket' }],
    ['another kind', { kind: 'other' }],
    ['no sockets', { connections: 0 }],
    ['half a millisecond', { silenceMs: 1000.5 }],
    ['an answer that keeps a timed cancel from being called in time', { requestTimeoutMs: 15_001 }],
  ])('refuses %s', (_name, change) => {
    expect(zbConfigSchema.safeParse({ ...config, ...change }).success).toBe(false);
  });

  test('takes open lines on this very machine', () => {
    const local = { dataUrl: 'http://127.0.0.1:1', pushUrl: 'ws://localhost:1/websocket' };
    expect(zbConfigSchema.safeParse({ ...config, ...local }).success).toBe(true);
  });
});

describe('zbConfigSchema, times', () => {
  test.each([
    [
      { silenceMs: 5_000 },
      'silenceMs',
      'it is 5000, a number of at least 5001 beside pingIntervalMs: 5000 is wanted',
    ],
    [
      { pingIntervalMs: 20_000 },
      'pingIntervalMs',
      'it is 20000, a number of at most 19999 beside silenceMs: 20000 is wanted',
    ],
    [
      { reconnectMinMs: 30_001 },
      'reconnectMinMs',
      'it is 30001, a number of at most 30000 beside reconnectMaxMs: 30000 is wanted',
    ],
    [
      { reconnectMinMs: 60, reconnectMaxMs: 50 },
      'reconnectMaxMs',
      'it is 50, a number of at least 60 beside reconnectMinMs: 60 is wanted',
    ],
  ])('refuses times that contradict each other: %j', (change, at, message) => {
    const { error } = zbConfigSchema.safeParse({ ...config, ...change });
    expect(error?.issues).toMatchObject([{ path: [at], message }]);
  });

  test('takes times that do not', () => {
    const change = {
      requestTimeoutMs: 15_000,
      silenceMs: 1_001,
      pingIntervalMs: 1_000,
      reconnectMinMs: 50,
      reconnectMaxMs: 50,
    };
    expect(zbConfigSchema.parse({ ...config, ...change })).toMatchObject(change);
  });

  test('describes every key in the JSON schema for editors', () => {
    const { properties } = z.toJSONSchema(zbConfigSchema, { io: 'input' });
    const undescribed = Object.entries(properties ?? {}).filter(
      ([, property]) => typeof property !== 'object' || property.description === undefined,
    );
    expect(undescribed).toEqual([]);
  });
});
