import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { VirtualClock } from '../../../../src/kernel/index.ts';
import { pushSchema } from '../../../../src/venues/zb/server/config.ts';
import { type ServedZb, serveZb } from '../../../../src/venues/zb/server/index.ts';
import { DEPTH, fakeHost, KEY, keepingLogger, START_MS } from './fixture.ts';

const open: ServedZb[] = [];
const sockets: Socket[] = [];
const SUBSCRIPTION = '{"event":"addChannel","channel":"btcusdt_depth"}';

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(open.splice(0).map((zb) => zb.close()));
});

async function served(bounds: Parameters<typeof pushSchema.parse>[0] = {}) {
  const { host, feeds } = fakeHost();
  const { logger, lines } = keepingLogger();
  const clock = new VirtualClock(START_MS);
  const push = pushSchema.parse(bounds);
  const zb = await serveZb({ host, keys: [KEY], clock, logger, port: 0, push });
  open.push(zb);
  return { zb, feeds, lines };
}

/** A peer that speaks WebSocket by hand, so that it can stop reading. */
async function rawPeer(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  const head = 'Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13';
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  socket.write(`GET /websocket HTTP/1.1\r\n${head}\r\n${key}\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

/** A client's frame with a mask of zeros, shorter than 126 bytes. */
function frameOf(opcode: number, text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

/** A large depth, different each time. */
function depthAt(serial: number) {
  const asks = Array.from({ length: 2_000 }, (_, at) => [30_000 + at, serial + 1] as const);
  return { ...DEPTH, asks };
}

describe('acceptSockets', () => {
  it('cuts a peer that does not read, and keeps the others whole', async () => {
    const { zb, feeds, lines } = await served({ bufferedBytesMax: 100_000 });
    const slow = await rawPeer(zb.port);
    slow.pause();
    slow.write(frameOf(1, SUBSCRIPTION));
    const reader = new WebSocket(zb.pushUrl);
    let heard = 0;
    reader.on('message', () => heard++);
    await once(reader, 'open');
    reader.send(SUBSCRIPTION);
    await once(reader, 'message');
    let sent = 0;
    while (lines.every(({ level }) => level !== 'warn')) {
      feeds.depth.next(depthAt(sent++));
      await once(reader, 'message');
    }
    feeds.depth.next(depthAt(sent++));
    await once(reader, 'message');
    expect(heard).toBe(sent + 1);
    expect(feeds.depth.observers).toHaveLength(1);
    expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: 'push connection dropped', fields: { reason: 'it reads too slowly' } },
    ]);
    reader.terminate();
  });

  it('cuts a peer that pings and does not read', async () => {
    const { zb, lines } = await served({ bufferedBytesMax: 1_000 });
    const peer = await rawPeer(zb.port);
    peer.pause();
    const pings = Buffer.concat(Array.from({ length: 2_000 }, () => frameOf(9, 'x'.repeat(100))));
    const closed = new Promise((resolve) => peer.once('close', resolve));
    while (lines.every(({ level }) => level !== 'warn')) {
      peer.write(pings);
      await new Promise((resolve) => setImmediate(resolve));
    }
    peer.resume();
    await closed;
    expect(lines.at(-1)).toMatchObject({ fields: { reason: 'it reads too slowly' } });
  });

  it('answers protocol pings with what they carry', async () => {
    const { zb } = await served();
    const socket = new WebSocket(zb.pushUrl);
    await once(socket, 'open');
    socket.ping('abc');
    const [payload] = await once(socket, 'pong');
    expect(String(payload)).toBe('abc');
    socket.terminate();
  });

  it.each([
    ['bytes that are no UTF-8', 1, '\u00ff', 1007],
    ['a frame that must not be', 3, 'x', 1002],
  ])('ends a peer that sends %s, and serves the next', async (_name, opcode, text, code) => {
    const { zb } = await served();
    const peer = await rawPeer(zb.port);
    const frame = frameOf(opcode, 'x');
    frame[frame.length - 1] = text.charCodeAt(0);
    peer.write(frame);
    const [answer] = (await once(peer, 'data')) as [Buffer];
    expect([answer[0], answer.readUInt16BE(2)]).toEqual([0x88, code]);
    const next = new WebSocket(zb.pushUrl);
    await once(next, 'open');
    next.send('ping');
    expect(String((await once(next, 'message'))[0])).toBe('pong');
    next.terminate();
  });
});
