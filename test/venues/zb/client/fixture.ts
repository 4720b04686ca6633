import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket as NetSocket, type Server } from 'node:net';
import { asyncScheduler, firstValueFrom, type Observable, of } from 'rxjs';
import type { Amount, Price } from '../../../../src/domain/index.ts';
import { ExchangeFailure, type PlaceRequest } from '../../../../src/exchange/index.ts';
import {
  type Clock,
  type Logger,
  seededRandom,
  VirtualClock,
} from '../../../../src/kernel/index.ts';
import {
  connectZb,
  type HttpTransport,
  type SocketEvents,
  type SocketTransport,
  undiciTransport,
  type ZbExchange,
} from '../../../../src/venues/zb/client/index.ts';

/** 2022-02-23 09:57:34.524 UTC, the time of a recorded order. */
export const NOW_MS = 1_645_610_254_524;
export const KEYS = { accessKey: 'test-access-key', secretKey: 'test-secret-key' };

export const ORDER: PlaceRequest = {
  market: 'btc_usdt',
  side: 'buy',
  type: 'limit',
  price: 30000.5 as Price,
  amount: 0.001 as Amount,
  clientOrderId: 'order0001',
};

/** A pushed book of btc_usdt: one level per side, a step apart. */
export function depthFrame(bid: number) {
  const levels = { asks: [[bid + 1, 1]], bids: [[bid, 1]] };
  return { ...levels, channel: 'btcusdt_depth', dataType: 'depth', timestamp: NOW_MS };
}

/** The failure that a call ends with. */
export async function failureOf(call: Observable<unknown>): Promise<ExchangeFailure> {
  try {
    await firstValueFrom(call);
  } catch (error) {
    if (error instanceof ExchangeFailure) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

/** A logger that remembers. */
function recordingLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const log = (fields: object, message: string) => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  };
  return { lines, debug: log, info: log, warn: log, error: log };
}

/** A GET transport that answers from a table of paths and remembers what was asked. */
export class FakeHttp implements HttpTransport {
  readonly targets: URL[] = [];
  answers: Record<string, string | readonly string[]> = {};

  get(target: string) {
    const url = new URL(target, 'http://fake');
    this.targets.push(url);
    const answer = this.answers[url.pathname] ?? '{"code":1001,"message":"no such path"}';
    const asked = this.targets.filter(({ pathname }) => pathname === url.pathname).length;
    const body = typeof answer === 'string' ? answer : answer[Math.min(asked, answer.length) - 1]!;
    return of({ status: 200, body });
  }

  async close(): Promise<void> {}
}

/** One socket of the fake network, as the far side sees it. */
class FakeSocket {
  readonly url: string;
  readonly sent: string[] = [];
  readonly events: SocketEvents;
  terminated = false;

  constructor(url: string, events: SocketEvents) {
    this.url = url;
    this.events = events;
  }

  send(text: string): void {
    this.sent.push(text);
  }

  terminate(): void {
    this.terminated = true;
    this.events.closed('terminated');
  }

  /** Sends a frame to the client. */
  push(frame: object): void {
    this.events.message(JSON.stringify(frame));
  }

  /** The frames that the client sent, pings left out. */
  get frames(): Record<string, string>[] {
    return this.sent.filter((text) => text !== 'ping').map((text) => JSON.parse(text));
  }
}

/** WebSocket connections that the test opens and closes. */
class FakeSockets implements SocketTransport {
  readonly all: FakeSocket[] = [];

  open(url: string, events: SocketEvents): FakeSocket {
    const socket = new FakeSocket(url, events);
    this.all.push(socket);
    return socket;
  }

  get last(): FakeSocket {
    const socket = this.all.at(-1);
    if (socket === undefined) throw new Error('no socket was opened');
    return socket;
  }
}

/** A client on fake transports and virtual time. */
export function zbFixture(options: Partial<Parameters<typeof connectZb>[0]> = {}) {
  const clock = new VirtualClock(NOW_MS);
  let aheadMs = 0;
  const machine: Clock = {
    now: () => clock.now() + aheadMs,
    elapsedMs: () => clock.now(),
    schedule: clock.schedule.bind(clock),
  };
  const http = new FakeHttp();
  const sockets = new FakeSockets();
  const logger = recordingLogger();
  const exchange: ZbExchange = connectZb({
    dataUrl: 'https://data.example',
    tradeUrl: 'https://trade.example',
    pushUrl: 'wss://push.example/websocket',
    ...KEYS,
    clock: machine,
    random: seededRandom(1),
    logger,
    http: () => http,
    sockets,
    ...options,
  });
  /** Sets the date forward; timers go by elapsed time. */
  const setForth = (byMs: number): void => {
    aheadMs += byMs;
  };
  return { exchange, clock, http, sockets, logger, setForth };
}

/** A raw TCP server on loopback: full control over every byte, and a count of requests seen. */
export async function rawServer(onRequest: (socket: NetSocket, text: string) => void) {
  const requests: string[] = [];
  const sockets: NetSocket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      requests.push(bytes.toString());
      onRequest(socket, bytes.toString());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { baseUrl: `http://127.0.0.1:${port}`, port, requests, sockets, close };
}

/** The real transport in real time. */
export function transportFixture(options: Partial<Parameters<typeof undiciTransport>[0]> = {}) {
  return undiciTransport({
    baseUrl: 'http://127.0.0.1:1',
    setting: 'tradeUrl',
    clock: asyncScheduler,
    timeoutMs: 5_000,
    connections: 2,
    ...options,
  });
}

/** An HTTP answer, byte for byte. */
export function httpAnswer(body: string, head = ''): string {
  return `HTTP/1.1 200 OK\r\n${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
