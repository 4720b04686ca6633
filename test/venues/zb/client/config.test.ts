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

  test.each([
    ['an unknown key', { retries: 3 }],
    ['an address of another kind', { tradeUrl: 'ftp://trade.example' }],
    ['a push address over http', { pushUrl: 'https://push.example' }],
    ['no address', { dataUrl: 'data' }],
    ['another kind', { kind: 'other' }],
    ['no sockets', { connections: 0 }],
    ['half a millisecond', { silenceMs: 1000.5 }],
  ])('refuses %s', (_name, change) => {
    expect(zbConfigSchema.safeParse({ ...config, ...change }).success).toBe(false);
  });

  test('describes every key in the JSON schema for editors', () => {
    const { properties } = z.toJSONSchema(zbConfigSchema, { io: 'input' });
    const undescribed = Object.entries(properties ?? {}).filter(
      ([, property]) => typeof property !== 'object' || property.description === undefined,
    );
    expect(undescribed).toEqual([]);
  });
});
