import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { CODES } from '../../../exchange/index.ts';
import { type Answer, refusalBody, ServerError } from './answers.ts';
import type { Dialect } from './dialect.ts';
import { TARGET_LENGTH_MAX } from './query.ts';
import type { ZbServer } from './server.ts';

/** How long an idle connection is kept: longer than clients keep it, so that they end it. */
const KEEP_ALIVE_MS = 65_000;
/** Bodies are JSON whatever this says; recordings had `text/html` too. */
const CONTENT_TYPE = 'application/json;charset=UTF-8';
/** Most bytes of a head: the longest target that is read, and as much again for the headers. */
const HEAD_BYTES_MAX = 2 * TARGET_LENGTH_MAX;

/** An HTTP server that answers GET requests from `zb`; it does not listen yet. */
export function httpServer(zb: Pick<ZbServer, 'handle'>, dialect: Dialect): Server {
  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEAD_BYTES_MAX,
    // Nobody reads the body of a GET: Node need not set up a stream for it.
    optimizeEmptyRequests: true,
    // Offers of other protocols are ignored. Source: RFC 9110, 7.8.
    shouldUpgradeCallback: ({ headers }: IncomingMessage) =>
      headers.upgrade?.toLowerCase() === 'websocket',
  };
  const server = createServer(options, requestListener(zb, dialect));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    if (code === 'HPE_HEADER_OVERFLOW' && socket.writable) {
      socket.end(headTooLong(dialect), () => socket.destroy());
    } else {
      // Not HTTP, or the client has left: there is nobody to answer.
      socket.destroy();
    }
  });
  return server;
}

/** A whole answer as text, for there is no response object without a request. */
function headTooLong(dialect: Dialect): string {
  const refusal = { code: CODES.invalidArguments, message: 'Request too long' };
  const body = refusalBody(refusal, dialect);
  return [
    'HTTP/1.1 431 Request Header Fields Too Large',
    'Connection: close',
    `Content-Type: ${CONTENT_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}\r\n`,
    body,
  ].join('\r\n');
}

/**
 * Answers each request when the exchange does; answers to clients that have left are dropped. Old
 * clients POST as a form what the contract wants in the query of a GET: that is accepted, too.
 */
function requestListener(zb: Pick<ZbServer, 'handle'>, dialect: Dialect): RequestListener {
  const notGet = refusalBody({ code: CODES.general, message: 'GET wanted' }, dialect);
  const answer = (request: IncomingMessage, response: ServerResponse, target: string) =>
    zb
      .handle({
        target,
        address: addressOf(request),
        userAgent: request.headers['user-agent'],
      })
      .subscribe({
        next: (text) => write(response, text),
        // Without an answer not even a head is sent: the connection is broken.
        complete: () => response.headersSent || response.destroy(),
      });
  return (request, response) => {
    const target = targetOf(request);
    if (request.method === 'GET') answer(request, response, target);
    else if (request.method === 'POST') {
      readForm(request, (form) => answer(request, response, withForm(target, form)));
    } else write(response, { status: 405, body: notGet });
  };
}

/** Reads a body as long as a query may be; a longer one breaks the connection. */
function readForm(request: IncomingMessage, read: (form: string) => void): void {
  if (request.readableEnded) {
    // An empty body has no `end` event: see `optimizeEmptyRequests`.
    read('');
    return;
  }
  let form = '';
  request.setEncoding('latin1');
  request.on('data', (text: string) => {
    form += text;
    if (form.length > TARGET_LENGTH_MAX) request.destroy();
  });
  request.on('end', () => read(form));
}

function withForm(target: string, form: string): string {
  if (form === '') return target;
  return `${target}${target.includes('?') ? '&' : '?'}${form}`;
}

function write(
  response: ServerResponse,
  { status, body, contentType = CONTENT_TYPE }: Answer,
): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': length });
  // A text is sent in one piece with the head; bytes would be a second piece.
  response.end(body);
}

/** Path and query of a request; an origin before them is ignored. */
export function targetOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const target = url.replace(ORIGIN, '');
  return target.startsWith('/') ? target : `/${target}`;
}

/** Source: RFC 9112, 3.2.2. */
const ORIGIN = /^(?:http|ws)s?:\/\/[^/?#]*/i;

/** The peer's address; IPv4 in its own form even if it came over an IPv6 socket. */
export function addressOf({ socket }: IncomingMessage): string {
  const address = socket.remoteAddress ?? '';
  return address.startsWith(MAPPED_IPV4) ? address.slice(MAPPED_IPV4.length) : address;
}

/** Source: RFC 4291, 2.5.5.2. */
const MAPPED_IPV4 = '::ffff:';

/** Where a server is to listen. */
interface ListenOn {
  readonly port: number;
  readonly address: string;
  /** The setting or flag of the port, for the message that it is in use. */
  readonly portSetting?: string | undefined;
}

/**
 * Listens; resolves to the port, which the system chooses if `port` is 0.
 *
 * @throws {ServerError} when the address cannot be listened on.
 */
export function listen(server: Server, at: ListenOn): Promise<number> {
  const { port, address } = at;
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      reject(new ServerError(faultOf(error, at), { cause: error }));
    };
    server.once('error', fail);
    server.listen(port, address, () => {
      server.off('error', fail);
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}

/**
 * Checks that a port can be listened on, and releases it again.
 *
 * @throws {ServerError} when it cannot.
 */
export async function tryPort(at: ListenOn): Promise<void> {
  const server = createServer();
  await listen(server, at);
  server.close();
  await once(server, 'close');
}

function faultOf(
  { code, message }: NodeJS.ErrnoException,
  { port, address, portSetting }: ListenOn,
): string {
  const by = portSetting === undefined ? '' : ` in ${portSetting}`;
  switch (code) {
    case 'EADDRINUSE':
      return `Cannot serve the exchange: port ${port} is in use, a free one${by} is wanted (0 finds one)`;
    case 'EACCES':
      return `Cannot serve the exchange: port ${port} is not allowed, one above 1023 is wanted`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `Cannot serve the exchange: ${address} is no address of this machine, one is wanted`;
    default:
      return `Cannot serve the exchange: ${message}, a port to listen on is wanted`;
  }
}
