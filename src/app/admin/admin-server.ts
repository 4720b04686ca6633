import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, messageOf } from '../../kernel/index.ts';
import { AppError, asAppError } from '../errors.ts';
import { jsonOf, type Reply, refused } from './reply.ts';
import { namesIn, type Route } from './route.ts';

/** The only address that is listened on: whoever reaches the port can create money. */
const LOOPBACK = '127.0.0.1';
/** Hosts that a program of this machine names; any other came by a forged DNS answer. */
const HOSTS = ['127.0.0.1', 'localhost'];
/** Longest body that is read, in bytes. */
const BODY_MAX = 65_536;

/** The operator's port. */
export interface AdminServer {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves routes to this machine alone, as JSON over HTTP.
 *
 * Browsers are kept out: a web page anywhere could ask them to post here. They are known by
 * `Origin`, `Sec-Fetch-Site` and the host that they name.
 *
 * @throws {AppError} `exchange` when the port is in use.
 */
export async function openAdmin(
  routes: readonly Route[],
  { port: wanted, logger }: { readonly port: number; readonly logger: Logger },
): Promise<AdminServer> {
  const server = createServer((request, response) => {
    void answerTo(request, { routes, logger }).then((reply) => write(response, reply));
  });
  server.listen(wanted, LOOPBACK);
  try {
    await once(server, 'listening');
  } catch (thrown) {
    throw unopened(wanted, thrown);
  }
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${LOOPBACK}:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function unopened(port: number, thrown: unknown): AppError {
  const isInUse = (thrown as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const what = isInUse
    ? `port ${port} is in use, a free one in --admin-port or admin.port is wanted (0 finds one)`
    : `${messageOf(thrown)}, a port to listen on is wanted`;
  return new AppError('exchange', `Cannot open the admin port: ${what}`, { cause: thrown });
}

interface Desk {
  readonly routes: readonly Route[];
  readonly logger: Logger;
}

/** Never fails. */
async function answerTo(request: IncomingMessage, { routes, logger }: Desk): Promise<Reply> {
  const stranger = strangerIn(request);
  if (stranger !== undefined) return refused(403, stranger);
  const [path = '/'] = (request.url ?? '/').split('?');
  const found = routes.filter((route) => namesIn(path, route) !== undefined);
  const route = found.find(({ method }) => method === request.method);
  if (route === undefined)
    return refused(found.length > 0 ? 405 : 404, unknown(path, { found, routes }));
  try {
    const body = await bodyOf(request);
    if (body === undefined) {
      return refused(
        413,
        `Cannot read the body: it is too long, at most ${BODY_MAX} bytes are wanted`,
      );
    }
    return await route.run({ names: namesIn(path, route) ?? {}, body });
  } catch (thrown) {
    const error = asAppError(thrown);
    if (error instanceof AppError) return refused(400, error.message);
    logger.error({ path, error: messageOf(thrown) }, 'the admin port failed');
    return refused(500, messageOf(thrown));
  }
}

/** Why the caller is refused; undefined for a program of this machine. */
function strangerIn({ headers, socket }: IncomingMessage): string | undefined {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  const port = socket.localPort;
  if (!HOSTS.some((name) => host.toLowerCase() === `${name}:${port}`)) {
    return `Cannot serve the host ${JSON.stringify(host)}: 127.0.0.1:${port} is wanted`;
  }
  if (origin === undefined && (site === undefined || site === 'none')) return undefined;
  return 'Cannot serve a web page: a program of this machine, such as curl, is wanted';
}

function unknown(
  path: string,
  { found, routes }: { readonly found: readonly Route[]; readonly routes: readonly Route[] },
): string {
  const [other] = found;
  if (other !== undefined) return `Cannot use ${path} like this: ${other.method} is wanted`;
  const known = routes.map(({ method, path: one }) => `${method} ${one}`).join(', ');
  return `Cannot find ${path}: one of ${known} is wanted`;
}

/** Reads the body; undefined when it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function write(response: ServerResponse, { status, body }: Reply): void {
  const text = jsonOf(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length });
  response.end(text);
}
