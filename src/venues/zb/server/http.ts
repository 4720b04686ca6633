import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type Answer, ServerError } from './answers.ts';
import type { ZbServer } from './server.ts';

/** How long an idle connection is kept: longer than clients keep theirs, so that they end it. */
const KEEP_ALIVE_MS = 65_000;
/** Bodies are JSON whatever this says; recordings had `text/html` too. */
const CONTENT_TYPE = 'application/json;charset=UTF-8';

/** An HTTP server that answers GET requests from `zb`; it does not listen yet. */
export function httpServer(zb: Pick<ZbServer, 'handle'>): Server {
  // Nobody listens to the body of a GET: nothing is to be set up to read it.
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, optimizeEmptyRequests: true };
  const server = createServer(options, requestListener(zb));
  // Not HTTP, or gone before it was: there is nobody to answer.
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}

/** Answers each request when the exchange does; answers to those who left are dropped. */
function requestListener(zb: Pick<ZbServer, 'handle'>): RequestListener {
  return (request, response) => {
    if (request.method !== 'GET') {
      return write(response, { status: 405, body: '{"code":1001,"message":"GET wanted"}' });
    }
    zb.handle({
      target: request.url ?? '/',
      address: addressOf(request),
      userAgent: request.headers['user-agent'],
    }).subscribe({
      next: (answer) => write(response, answer),
      // Where there is no answer, not even a head is sent: the connection breaks.
      complete: () => response.headersSent || response.destroy(),
    });
  };
}

function write(
  response: ServerResponse,
  { status, body, contentType = CONTENT_TYPE }: Answer,
): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': length });
  // A text goes out in one piece with the head; bytes would be a second one.
  response.end(body);
}

/** The peer's address; IPv4 in its own form where it came over an IPv6 socket. */
export function addressOf({ socket }: IncomingMessage): string {
  const address = socket.remoteAddress ?? '';
  return address.startsWith(MAPPED_IPV4) ? address.slice(MAPPED_IPV4.length) : address;
}

/** Source: RFC 4291, 2.5.5.2. */
const MAPPED_IPV4 = '::ffff:';

/**
 * Listens; answers with the port, which `port` 0 leaves to the system.
 *
 * @throws {ServerError} when the address cannot be listened on.
 */
export function listen(
  server: Server,
  { port, address }: { readonly port: number; readonly address: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      reject(new ServerError(faultOf(error, { port, address }), { cause: error }));
    };
    server.once('error', fail);
    server.listen(port, address, () => {
      server.off('error', fail);
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}

function faultOf(
  { code, message }: NodeJS.ErrnoException,
  { port, address }: { readonly port: number; readonly address: string },
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Cannot serve the exchange: port ${port} is in use, a free one is wanted (0 finds one)`;
    case 'EACCES':
      return `Cannot serve the exchange: port ${port} is not allowed, one above 1023 is wanted`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `Cannot serve the exchange: ${address} is no address of this machine, one is wanted`;
    default:
      return `Cannot serve the exchange: ${message}, a port to listen on is wanted`;
  }
}
