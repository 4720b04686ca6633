import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createServer as createTlsServer, setDefaultCACertificates } from 'node:tls';
import { firstValueFrom } from 'rxjs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../../src/kernel/index.ts';
import { ResettableSockets } from '../../../../../src/venues/zb/client/network/resettable-sockets.ts';
import { failureOf, httpAnswer, rawServer, transportFixture } from '../fixture.ts';
import { LOCALHOST } from './certificate.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});
beforeAll(() => setDefaultCACertificates([LOCALHOST.cert]));

/** One connection, as the far side saw it. */
interface Connection {
  readonly socket: Socket;
  received: number;
  /** How it ended: `end`, or the code of an error. */
  readonly ends: string[];
  readonly isClosed: Promise<void>;
}

/** A server that records each connection, and a transport with one connection to it. */
async function createLine(
  onRequest: (connection: Connection, text: string) => void,
  { encrypted = false } = {},
) {
  const connections: Connection[] = [];
  const take = (socket: Socket) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const connection: Connection = { socket, received: 0, ends: [], isClosed: promise };
    connections.push(connection);
    socket.on('data', (bytes) => {
      connection.received += bytes.length;
      const text = bytes.toString('latin1');
      if (text.startsWith('GET /first ')) socket.write(httpAnswer('{}'));
      else onRequest(connection, text);
    });
    socket.on('end', () => connection.ends.push('end'));
    socket.on('error', (error: NodeJS.ErrnoException) => connection.ends.push(error.code ?? ''));
    socket.on('close', () => resolve());
  };
  const server = encrypted ? createTlsServer(LOCALHOST, take) : createServer(take);
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clock = new VirtualClock();
  const baseUrl = `${encrypted ? 'https' : 'http'}://localhost:${port}`;
  const http = transportFixture({ baseUrl, clock, timeoutMs: 1_000, connections: 1 });
  const close = async () => {
    // Some tests have closed it.
    await http.close().catch(() => {});
    for (const { socket } of connections) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  opened.push({ close });
  const giveUp = async () => {
    // Lets the far side finish first: a write under way would fail by the reset.
    await setImmediate();
    clock.advanceBy(1_000);
  };
  // Reads what TLS sends first, so that it is not left unread until the end.
  await firstValueFrom(http.get('/first'));
  return { http, giveUp, connections };
}

describe.each([
  ['open', false],
  ['encrypted', true],
])('ResettableSockets, %s', (_, encrypted) => {
  test('reset the connection of a request that is given up, and open another', async () => {
    const seen = Promise.withResolvers<void>();
    const answer = ({ socket }: Connection, text: string) =>
      text.includes('/order') ? seen.resolve() : socket.write(httpAnswer('{}'));
    const { http, giveUp, connections } = await createLine(answer, { encrypted });
    const failure = failureOf(http.get('/order'));
    await seen.promise;
    await giveUp();
    expect((await failure).kind).toBe('unknown');
    await connections[0]!.isClosed;
    expect(connections[0]!.ends).toEqual(['ECONNRESET']);
    expect((await firstValueFrom(http.get('/next'))).status).toBe(200);
    expect(connections).toHaveLength(2);
  });

  test('end an idle connection as usual', async () => {
    const { http, connections } = await createLine(() => {}, { encrypted });
    await http.close();
    await connections[0]!.isClosed;
    expect(connections[0]!.ends).toEqual(['end']);
  });

  test('end as usual where the answer says so', async () => {
    const last = httpAnswer('{}').replace('\r\n', '\r\nconnection: close\r\n');
    const answer = ({ socket }: Connection) => socket.write(last);
    const { http, connections } = await createLine(answer, { encrypted });
    await firstValueFrom(http.get('/order'));
    await connections[0]!.isClosed;
    expect(connections[0]!.ends).toEqual(['end']);
  });

  test('never send what the other side had no room for when the request was given up', async () => {
    const seen = Promise.withResolvers<void>();
    let isStalled = false;
    const stall = ({ socket }: Connection) => {
      if (!isStalled) socket.pause();
      isStalled = true;
      seen.resolve();
    };
    const { http, giveUp, connections } = await createLine(stall, { encrypted });
    const size = 1_500_000;
    const failure = failureOf(http.get(`/${'x'.repeat(size)}`));
    await seen.promise;
    await giveUp();
    await failure;
    connections[0]!.socket.resume();
    await connections[0]!.isClosed;
    expect(connections[0]!.received).toBeLessThan(size);
    expect(connections[0]!.ends).toEqual(['ECONNRESET']);
  });
});

describe('ResettableSockets', () => {
  test.each([
    ['http:', 80],
    ['https:', 443],
  ])('go to the usual port of %s where the address names none', async (protocol, port) => {
    const hostname = '127.0.0.1';
    const tried = await new Promise((resolve) => {
      const options = { hostname, host: hostname, protocol, port: '' };
      new ResettableSockets(1_000).connect(options, (...[failure, socket]) => {
        // Most likely nobody listens on that port: then the failure names it.
        resolve(failure ?? { port: socket?.remotePort });
        socket?.destroy();
      });
    });
    expect(tried).toMatchObject({ port });
  });

  test('close the connection where encryption fails: nothing was sent', async () => {
    const server = await rawServer((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const http = transportFixture({ baseUrl: server.baseUrl.replace('http', 'https') });
    opened.push(http, server);
    expect((await failureOf(http.get('/order'))).kind).toBe('unsent');
    const [socket] = server.sockets;
    if (!socket!.closed) await once(socket!, 'close');
    expect(socket!.destroyed).toBe(true);
  });
});
