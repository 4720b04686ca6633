import { Observable } from 'rxjs';
import { Pool } from 'undici';
import type { Clock } from '../../../../kernel/index.ts';
import { checkedAddress, USER_AGENT } from '../addresses.ts';
import { Deadlines } from './deadlines.ts';
import { ResettableSockets } from './resettable-sockets.ts';
import type { HttpTransport } from './transport.ts';
import { UndiciRequest } from './undici-request.ts';

/** How to reach one address of the exchange. */
export interface UndiciOptions {
  /** `https://`, or `http://` on loopback. */
  readonly baseUrl: string;
  /** The setting with the address, for messages. */
  readonly setting: string;
  readonly clock: Clock;
  /** From the call of `get` to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Most sockets, and so most requests under way at once. */
  readonly connections: number;
}

/** Most bytes of an answer; the largest known, 1000 candles, takes some 100 kB. */
const BODY_BYTES_MAX = 8 * 2 ** 20;
/** How long an idle socket is kept if the server does not say: twice the 15 s of a heartbeat. */
const KEEP_ALIVE_MS = 30_000;

const HEADERS = ['user-agent', USER_AGENT, 'accept', 'application/json'];

/**
 * GET by undici, on sockets of its own, and never twice.
 *
 * Orders are GETs, which undici regards as repeatable. What keeps it from repeating them: a bare
 * Pool without interceptors (retry, cache, deduplicate, redirect); HTTP/1.1 only, whose client
 * fails a request that was on a lost socket (HTTP/2 may move streams to another session); one
 * request per socket (`pipelining: 1`, `idempotent: false`), so that no request fails with another.
 * undici moves only requests that still wait for a socket; should it ever put one on a second
 * socket, `UndiciRequest` ends it. Nor does the kernel repeat them: the socket of a request that
 * was given up is reset, see `ResettableSockets`.
 *
 * @throws {WireError} when the address is not one, or not encrypted.
 */
export function undiciTransport(options: UndiciOptions): HttpTransport {
  const { baseUrl, setting, clock, timeoutMs, connections } = options;
  const address = checkedAddress(setting, { url: baseUrl, protocol: 'http' });
  const prefix = address.pathname.replace(/\/$/, '');
  const sockets = new ResettableSockets(timeoutMs);
  const pool = new Pool(address.origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    connect: sockets.connect,
    // The deadlines below limit the whole request; these two would limit parts of it, less exactly.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: BODY_BYTES_MAX,
  });
  const deadlines = new Deadlines(clock, timeoutMs);
  return {
    get: (target) =>
      new Observable((subscriber) => {
        const request = new UndiciRequest(target, { subscriber, sockets });
        request.callOff = deadlines.begin(() => request.expire(timeoutMs));
        const path = prefix + target;
        pool.dispatch({ path, method: 'GET', headers: HEADERS, idempotent: false }, request);
      }),
    close: async () => {
      await pool.close();
      deadlines.close();
    },
  };
}
