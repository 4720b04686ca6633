import { describe, expect, test } from 'vitest';
import { checkedAddress } from '../../../../src/venues/zb/client/addresses.ts';

describe('checkedAddress', () => {
  const check = (url: string, protocol: 'http' | 'ws') => () =>
    checkedAddress('tradeUrl', { url, protocol });

  test.each([
    ['https://trade.example', 'http'],
    ['http://127.0.0.1:8080/zb', 'http'],
    ['http://localhost', 'http'],
    ['http://[::1]:80', 'http'],
    ['wss://push.example/websocket', 'ws'],
    ['ws://127.0.0.1:1', 'ws'],
    ['wss://push.example/websocket?region=eu', 'ws'],
  ] as const)('takes %s', (url, protocol) => {
    expect(check(url, protocol)().href).toContain(new URL(url).host);
  });

  test.each([
    ['http://trade.example', 'http'],
    ['http://127.0.0.1.example.com', 'http'],
    ['ws://push.example', 'ws'],
    ['https://push.example', 'ws'],
    ['ftp://localhost', 'http'],
    ['trade.example', 'http'],
    ['https://trade.example/?region=eu', 'http'],
    ['https://trade.example/#eu', 'http'],
    ['wss://push.example/websocket#eu', 'ws'],
    ['https://user:word@trade.example', 'http'],
    ['https://user@trade.example', 'http'],
    ['https://:word@trade.example', 'http'],
  ] as const)('refuses %s', (url, protocol) => {
    expect(check(url, protocol)).toThrow(/^Cannot use tradeUrl: it is .* wanted/);
  });

  test('does not repeat what may be secret in an address', () => {
    const path = 'user:secret@trade.example/path?key=secret';
    for (const url of [`http://${path}`, `https://${path}`]) {
      expect(check(url, 'http')).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining('secret') }),
      );
    }
  });
});
