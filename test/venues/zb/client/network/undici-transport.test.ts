import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { firstValueFrom } from 'rxjs';
import { afterEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../../src/kernel/index.ts';
import type { HttpTransport } from '../../../../../src/venues/zb/client/index.ts';
import { failureOf, httpAnswer, rawServer, transportFixture } from '../fixture.ts';

type RawServer = Awaited<ReturnType<typeof rawServer>>;

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function serve(onRequest: Parameters<typeof rawServer>[0]): Promise<RawServer> {
  const server = await rawServer(onRequest);
  opened.push(server);
  return server;
}

function transport(options: Parameters<typeof transportFixture>[0]): HttpTransport {
  const made = transportFixture(options);
  opened.unshift(made);
  return made;
}

const ORDER = '/api/order?accesskey=secret-access&method=order&sign=0123&reqTime=1';

describe('undiciTransport answers', () => {
  test('sends one GET with the path of the address, a browser-style name and keep-alive', async () => {
    const server = await serve((socket) => socket.write(httpAnswer('{"a":"备注"}')));
    const http = transport({ baseUrl: `${server.baseUrl}/zb/` });
    expect(await firstValueFrom(http.get(ORDER))).toEqual({ status: 200, body: '{"a":"备注"}' });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toContain(`GET /zb${ORDER} HTTP/1.1`);
    expect(server.requests[0]).toMatch(/user-agent: Mozilla\/5\.0/);
    expect(server.requests[0]).toMatch(/connection: keep-alive/);
  });

  test('joins a text that comes in pieces, torn within a character', async () => {
    const bytes = Buffer.from(httpAnswer('{"message":"操作成功"}'));
    const server = await serve((socket) => {
      socket.setNoDelay(true);
      socket.write(bytes.subarray(0, bytes.length - 7), () => socket.write(bytes.subarray(-7)));
    });
    const http = transport({ baseUrl: server.baseUrl });
    expect((await firstValueFrom(http.get('/'))).body).toBe('{"message":"操作成功"}');
  });

  test('does not follow a redirect, which would be a second request', async () => {
    const server = await serve((socket) =>
      socket.write('HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n'),
    );
    const http = transport({ baseUrl: server.baseUrl });
    expect((await firstValueFrom(http.get(ORDER))).status).toBe(302);
    expect(server.requests).toHaveLength(1);
  });

  test('uses a kept socket again', async () => {
    const server = await serve((socket) => socket.write(httpAnswer('{}')));
    const http = transport({ baseUrl: server.baseUrl, connections: 1 });
    for (let i = 0; i < 5; i++) await firstValueFrom(http.get('/'));
    expect([server.requests.length, server.sockets.length]).toEqual([5, 1]);
  });

  test('sends nothing before it is subscribed to', async () => {
    const server = await serve((socket) => socket.write(httpAnswer('{}')));
    const http = transport({ baseUrl: server.baseUrl });
    http.get('/never');
    await firstValueFrom(http.get('/once'));
    expect(server.requests.map((text) => text.split(' ')[1])).toEqual(['/once']);
  });
});

describe('undiciTransport never repeats a request', () => {
  const faults: [string, (socket: import('node:net').Socket) => void][] = [
    ['closes the socket', (socket) => socket.end()],
    ['resets the socket', (socket) => socket.resetAndDestroy()],
    [
      'answers in part',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"code"'),
    ],
    ['answers a torn head', (socket) => socket.end('HTTP/1.1 200')],
    ['answers no HTTP', (socket) => socket.end('nonsense\r\n\r\n')],
  ];

  test.each(faults)('when the server %s, on a fresh socket', async (_name, fault) => {
    const server = await serve(fault);
    const http = transport({ baseUrl: server.baseUrl });
    expect((await failureOf(http.get(ORDER))).kind).toBe('unknown');
    await firstOther(http, server);
    expect(timesSeen(server, ORDER)).toBe(1);
  });

  test.each(faults)('when the server %s, on a kept socket', async (_name, fault) => {
    const server = await serve((socket, text) => {
      if (text.includes('/api/order')) fault(socket);
      else socket.write(httpAnswer('{}'));
    });
    const http = transport({ baseUrl: server.baseUrl, connections: 1 });
    await firstValueFrom(http.get('/first'));
    await firstValueFrom(http.get('/second'));
    expect((await failureOf(http.get(ORDER))).kind).toBe('unknown');
    await firstValueFrom(http.get('/third'));
    expect(timesSeen(server, ORDER)).toBe(1);
    expect(timesSeen(server, '/third')).toBe(1);
  });

  test('and requests that waited behind the fault are sent once each', async () => {
    const server = await serve((socket, text) => {
      if (text.includes('/api/order')) socket.resetAndDestroy();
      else socket.write(httpAnswer('{}'));
    });
    const http = transport({ baseUrl: server.baseUrl, connections: 1 });
    const failed = failureOf(http.get(ORDER));
    const waiting = ['/a', '/b', '/c'].map((path) => firstValueFrom(http.get(path)));
    await Promise.all([failed, ...waiting]);
    expect(server.requests).toHaveLength(4);
  });

  test('when the kept socket was closed while idle, the next request takes a fresh one', async () => {
    const server = await serve((socket) => socket.write(httpAnswer('{}')));
    const http = transport({ baseUrl: server.baseUrl, connections: 1 });
    await firstValueFrom(http.get('/first'));
    const [socket] = server.sockets;
    socket!.destroy();
    await once(socket!, 'close');
    // The far side's end may reach us before or after the request leaves; either way it goes once.
    await firstValueFrom(http.get(ORDER)).catch(() => undefined);
    await firstValueFrom(http.get('/last'));
    expect(timesSeen(server, ORDER)).toBeLessThanOrEqual(1);
  });

  /** One more request, so that a repetition of the one before would have been seen. */
  async function firstOther(http: HttpTransport, server: RawServer): Promise<void> {
    await failureOf(http.get('/other'));
    expect(timesSeen(server, '/other')).toBe(1);
  }

  function timesSeen(server: RawServer, target: string): number {
    return server.requests.filter((text) => text.includes(`GET ${target} `)).length;
  }
});

describe('undiciTransport failures', () => {
  test('is unsent where the connection is refused', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const http = transport({ baseUrl: `http://127.0.0.1:${port}` });
    const failure = await failureOf(http.get(ORDER));
    expect(failure.kind).toBe('unsent');
    expect(failure.message).toMatch(/^Cannot send GET \/api\/order.*ECONNREFUSED/);
  });

  test('shows of a signed request nothing but its path', async () => {
    const server = await serve((socket) => socket.end());
    const failure = await failureOf(transport({ baseUrl: server.baseUrl }).get(ORDER));
    expect(failure.message).toMatch(/^Cannot tell the outcome of GET \/api\/order: /);
    expect(failure.message).not.toMatch(/secret-access|0123/);
  });

  test('is unsent after close', async () => {
    const http = transport({});
    await http.close();
    opened.shift();
    expect((await failureOf(http.get(ORDER))).kind).toBe('unsent');
  });
});

describe('undiciTransport time-outs and bounds', () => {
  test('is unknown after the time-out, and the late answer is dropped', async () => {
    const clock = new VirtualClock();
    const seen = Promise.withResolvers<void>();
    const server = await serve(() => seen.resolve());
    const http = transport({ baseUrl: server.baseUrl, clock, timeoutMs: 1_000 });
    const failure = failureOf(http.get(ORDER));
    await seen.promise;
    clock.advanceBy(999);
    expect(server.requests).toHaveLength(1);
    clock.advanceBy(1);
    expect(await failure).toMatchObject({ kind: 'unknown' });
    expect((await failure).message).toMatch(/no answer within 1 s/);
  });

  test('is unknown where the body drips beyond the time-out', async () => {
    const clock = new VirtualClock();
    const server = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"co', () =>
        clock.advanceBy(1_000),
      );
    });
    const http = transport({ baseUrl: server.baseUrl, clock, timeoutMs: 1_000 });
    expect((await failureOf(http.get(ORDER))).kind).toBe('unknown');
  });

  test('is unsent where no socket came free in time, and stays unsent', async () => {
    const clock = new VirtualClock();
    const first = Promise.withResolvers<import('node:net').Socket>();
    const server = await serve((socket, text) => {
      if (text.includes('/first')) first.resolve(socket);
      else socket.write(httpAnswer('{}'));
    });
    const http = transport({ baseUrl: server.baseUrl, clock, timeoutMs: 1_000, connections: 1 });
    const stalled = failureOf(http.get('/first'));
    const late = failureOf(http.get(ORDER));
    await first.promise;
    clock.advanceBy(1_000);
    expect((await stalled).kind).toBe('unknown');
    expect((await late).kind).toBe('unsent');
    await firstValueFrom(http.get('/last'));
    expect(server.requests.some((text) => text.includes('/api/order'))).toBe(false);
  });

  test('is unknown where the answer is larger than any answer may be', async () => {
    const server = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${2 ** 30}\r\n\r\n`);
      const piece = Buffer.alloc(2 ** 20, ' ');
      for (let i = 0; i < 10; i++) socket.write(piece);
    });
    expect((await failureOf(transport({ baseUrl: server.baseUrl }).get(ORDER))).kind).toBe(
      'unknown',
    );
  });

  test('refuses an open line to another machine', () => {
    expect(() => transportFixture({ baseUrl: 'http://trade.example' })).toThrow(
      /Cannot use tradeUrl: .* https:\/\/ is wanted/,
    );
  });
});
