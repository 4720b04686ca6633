import { WebSocket } from 'ws';
import { USER_AGENT } from '../addresses.ts';
import type { Socket, SocketEvents, SocketTransport } from './transport.ts';

/** Most bytes of a frame; a full depth of 50 levels a side takes some 4 kB. */
const FRAME_BYTES_MAX = 4 * 2 ** 20;

/**
 * WebSocket connections by ws. Does not follow redirects, which could lead to an unencrypted one.
 */
export const wsTransport: SocketTransport = { open };

function open(url: string, events: SocketEvents): Socket {
  const socket = new WebSocket(url, {
    maxPayload: FRAME_BYTES_MAX,
    perMessageDeflate: false,
    headers: { 'user-agent': USER_AGENT },
  });
  let reason = '';
  socket.on('open', () => events.opened());
  socket.on('message', (data, isBinary) => {
    if (!isBinary) events.message(data.toString());
  });
  // An error is always followed by `close`.
  socket.on('error', (error) => {
    reason = error.message;
  });
  socket.on('close', (code, text) => events.closed(reason || text.toString() || endOf(code)));
  return {
    send: (text) => socket.send(text, ignoreFailure),
    terminate: () => socket.terminate(),
  };
}

/** How a connection ended that gave no reason, by its code. Source: RFC 6455, 7.4.1. */
function endOf(code: number): string {
  switch (code) {
    case 1000:
    case 1001:
      return 'the other side ended the connection';
    case 1005:
      return 'the other side ended the connection and did not say why';
    case 1006:
      return 'the connection was lost';
    default:
      return `the other side ended the connection with code ${code}`;
  }
}

/** A failed send needs no handling: `close` follows. */
function ignoreFailure(): void {}
