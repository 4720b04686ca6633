import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type SocketEvents, wsTransport } from '../../../../../src/venues/zb/client/index.ts';

const servers: WebSocketServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate();
    server.close();
    await once(server, 'close');
  }
});

async function serve() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  servers.push(server);
  await once(server, 'listening');
  return { server, url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/websocket` };
}

/** The callbacks of a socket, as promises of the first call of each. */
function listener() {
  const opened = Promise.withResolvers<void>();
  const message = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<string>();
  const events: SocketEvents = {
    opened: opened.resolve,
    message: message.resolve,
    closed: closed.resolve,
  };
  return { events, opened: opened.promise, message: message.promise, closed: closed.promise };
}

describe('wsTransport', () => {
  test('carries texts both ways and names a browser', async () => {
    const { server, url } = await serve();
    const connected = once(server, 'connection');
    const heard = listener();
    const socket = wsTransport.open(url, heard.events);
    const [far, request] = await connected;
    await heard.opened;
    const received = once(far, 'message');
    socket.send('ping');
    expect(String((await received)[0])).toBe('ping');
    far.send('备注');
    expect(await heard.message).toBe('备注');
    expect(request.headers['user-agent']).toMatch(/^Mozilla/);
    expect(request.url).toBe('/websocket');
  });

  test('tells why it was closed', async () => {
    const { server, url } = await serve();
    server.on('connection', (far) => far.close(4001, 'bye'));
    const heard = listener();
    wsTransport.open(url, heard.events);
    expect(await heard.closed).toBe('bye');
  });

  test.each([
    [(far: WebSocket) => far.terminate(), 'the connection was lost'],
    [(far: WebSocket) => far.close(1000), 'the other side ended the connection'],
    [(far: WebSocket) => far.close(), 'the other side ended the connection and did not say why'],
    [(far: WebSocket) => far.close(1012), 'the other side ended the connection with code 1012'],
  ])('has words for an end without a reason: %#', async (end, words) => {
    const { server, url } = await serve();
    server.on('connection', end);
    const heard = listener();
    wsTransport.open(url, heard.events);
    expect(await heard.closed).toBe(words);
  });

  test('tells a refused connection as closed, and does not throw', async () => {
    const { server, url } = await serve();
    server.close();
    servers.pop();
    await once(server, 'close');
    const heard = listener();
    wsTransport.open(url, heard.events);
    expect(await heard.closed).toMatch(/ECONNREFUSED/);
  });

  test('closes on a frame that is larger than any frame may be', async () => {
    const { server, url } = await serve();
    server.on('connection', (far) => {
      far.on('error', () => {});
      far.send('x'.repeat(5 * 2 ** 20));
    });
    const heard = listener();
    wsTransport.open(url, heard.events);
    expect(await heard.closed).toMatch(/max payload/i);
  });

  test('terminate ends a connection that is still being made', async () => {
    const { url } = await serve();
    const heard = listener();
    wsTransport.open(url, heard.events).terminate();
    expect(await heard.closed).not.toBe('');
  });
});
