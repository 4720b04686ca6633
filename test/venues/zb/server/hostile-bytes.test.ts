import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VirtualClock } from '../../../../src/kernel/index.ts';
import { serveZb } from '../../../../src/venues/zb/server/index.ts';
import { fakeHost, KEY, keepingLogger, ORDER, START_MS, signedTarget } from './fixture.ts';
import { hostileValue } from './hostile-requests.ts';

/** Sends bytes and ends its side; returns all that comes back until the connection ends. */
function answerTo(port: number, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => {});
  });
}

const HEAD = 'Host: x\r\nUser-Agent: x\r\n';
/** A stamp that has expired: whatever is changed in the request, it must not be executed. */
const LATE = `GET ${signedTarget('order', ORDER, { nowMs: 0 })} HTTP/1.1\r\n${HEAD}\r\n`;

const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 });
/** Random bytes; a request with bytes in the place of some of its own; hostile targets and headers. */
const message = fc.oneof(
  bytes,
  fc.tuple(bytes, fc.nat(LATE.length), fc.nat(20)).map(([put, at, taken]) => {
    return Buffer.concat([
      Buffer.from(LATE.slice(0, at)),
      put,
      Buffer.from(LATE.slice(at + taken)),
    ]);
  }),
  hostileValue.map((target) => Buffer.from(`GET ${target} HTTP/1.1\r\n${HEAD}\r\n`)),
  fc
    .tuple(fc.constantFrom('Upgrade', 'Content-Length', 'Expect', 'Connection', 'X'), hostileValue)
    .map(([name, value]) =>
      Buffer.from(
        `GET /websocket HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\n${name}: ${value}\r\n\r\n`,
      ),
    ),
);

it('serveZb answers or ends every connection, whatever bytes come over it, and goes on', async () => {
  const { host, called } = fakeHost();
  const { logger, lines } = keepingLogger();
  const clock = new VirtualClock(START_MS);
  const zb = await serveZb({ host, keys: [KEY], clock, logger, port: 0 });
  await fc.assert(
    fc.asyncProperty(message, async (sent) => {
      expect(await answerTo(zb.port, sent)).toMatch(/^(?:|HTTP\/1\.1 [1-4]\d\d .*)$/s);
    }),
    { seed: 14, numRuns: 300 },
  );
  const good = `GET ${signedTarget('order', ORDER)} HTTP/1.1\r\n${HEAD}\r\n`;
  expect(await answerTo(zb.port, Buffer.from(good))).toContain('"code":1000');
  expect(called('place')).toHaveLength(1);
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  await zb.close();
});
