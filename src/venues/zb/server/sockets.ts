import type { Server } from 'node:http';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Logger } from '../../../kernel/index.ts';
import type { PushBounds } from './config.ts';
import { addressOf, targetOf } from './http.ts';
import type { PushConnection } from './push/session.ts';
import { pathOf } from './query.ts';
import type { ZbServer } from './server.ts';

/** `/websocket`, and `/websocket/<base>` for quick depth. Source: wire facts, WebSocket. */
const PATH = /^\/websocket(?:\/[A-Za-z0-9]*)?$/;

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Accepts WebSocket upgrades of an HTTP server; returns a function that ends all sockets. */
export function acceptSockets(
  server: Server,
  {
    zb,
    logger,
    bounds,
  }: {
    readonly zb: Pick<ZbServer, 'open'>;
    readonly logger: Logger;
    readonly bounds: PushBounds;
  },
): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: bounds.frameBytesMax,
    // The session answers pings: it knows whether the peer reads.
    autoPong: false,
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (!PATH.test(pathOf(targetOf(request)))) {
      socket.end(NOT_FOUND, () => socket.destroy());
      return;
    }
    const address = addressOf(request);
    sockets.handleUpgrade(request, socket, head, (peer) => {
      const session = zb.open(connectionOf(peer), address);
      peer.on('message', (data) => session.receive(textOf(data)));
      peer.on('ping', (data) => session.ping(data));
      peer.on('close', () => session.end());
      // A broken frame or connection; `close` follows.
      peer.on('error', (error) => logger.debug({ address, error: error.message }, 'push socket'));
    });
  });
  return () => {
    for (const peer of sockets.clients) peer.terminate();
  };
}

function connectionOf(peer: WebSocket): PushConnection {
  return {
    send: (text) => peer.send(text),
    pong: (data) => peer.pong(data),
    close: () => peer.terminate(),
    get bufferedBytes() {
      return peer.bufferedAmount;
    },
  };
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.from(data as Buffer).toString('utf8');
}
