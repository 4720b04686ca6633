import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BehaviorSubject, filter, firstValueFrom } from 'rxjs';
import { onTestFinished } from 'vitest';

/** A request that an address was sent. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | undefined;
  readonly body: string;
}

export interface Hook {
  readonly url: string;
  /** All that came, in order. */
  readonly received: readonly Received[];
  /** Waits until so many have come. */
  readonly reached: (count: number) => Promise<readonly Received[]>;
  /** Waits until one has come that says so. */
  readonly heard: (what: RegExp) => Promise<readonly Received[]>;
}

/** A service that takes alerts on this machine; `answer` gives the status of each. Default: 200. */
export async function hookFixture(answer: (path: string) => number = () => 200): Promise<Hook> {
  const received = new BehaviorSubject<readonly Received[]>([]);
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const { method = '', url: path = '', headers } = request;
      const status = answer(path);
      response.writeHead(status).end(status === 200 ? 'ok' : 'no such hook');
      const one = { method, path, contentType: headers['content-type'], body };
      received.next([...received.value, one]);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    get received() {
      return received.value;
    },
    reached: (count) => firstValueFrom(received.pipe(filter((all) => all.length >= count))),
    heard: (what) =>
      firstValueFrom(received.pipe(filter((all) => all.some(({ body }) => what.test(body))))),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Sets environment variables until the test is over. */
export function environmentFixture(values: Readonly<Record<string, string>>): void {
  Object.assign(process.env, values);
  onTestFinished(() => {
    for (const name of Object.keys(values)) delete process.env[name];
  });
}

/** What was told to a logger, level and sentence. */
export function toldFixture() {
  const told: string[] = [];
  const write = (level: string) => (_fields: object, text: string) =>
    void told.push(`${level} ${text}`);
  const logger = {
    ...{ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
  };
  return { logger, told };
}
