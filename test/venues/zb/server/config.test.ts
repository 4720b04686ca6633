import { describe, expect, it } from 'vitest';
import { serverSchema } from '../../../../src/venues/zb/server/index.ts';

describe('serverSchema', () => {
  it('fills in the limits of the contract', () => {
    expect(serverSchema.parse({})).toEqual({
      port: 8710,
      address: '127.0.0.1',
      dialect: 'documented',
      keys: [],
      limits: {
        enforced: true,
        requestsPerSecond: 60,
        requestsPerMinute: 10_000,
        candleIntervalMs: 1_000,
        lockMs: 3_600_000,
      },
      push: { frameBytesMax: 65_536, bufferedBytesMax: 4_194_304, channelsMax: 1_000 },
    });
  });

  it('gives a key no right to withdraw unless it is told to', () => {
    const { keys } = serverSchema.parse({ keys: [{ accessKey: 'a', secretKey: 's' }] });
    expect(keys[0]).toMatchObject({
      account: 'main',
      disabled: false,
      permissions: { assets: true, orders: true, withdrawals: false, margin: false },
    });
  });

  it.each([
    { prot: 1 },
    { port: 65_536 },
    { dialect: 'spoken' },
    { keys: [{ accessKey: 'a' }] },
    { keys: [{ accessKey: 'a', secretKey: 's', permissions: { fly: true } }] },
    { limits: { requestsPerSecond: 0 } },
    { push: { channelsMax: 0 } },
  ])('refuses %j', (config) => expect(serverSchema.safeParse(config).success).toBe(false));
});
