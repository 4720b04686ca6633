import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { openAdmin } from '../../../src/app/admin/index.ts';
import { done } from '../../../src/app/admin/reply.ts';
import { action, type Route, seen } from '../../../src/app/admin/route.ts';
import { silentLogger } from '../../../src/kernel/index.ts';
import { ask } from './fixture.ts';

const ROUTES: readonly Route[] = [
  seen('/things', () => done({ things: new Map([['a', 1]]) })),
  action({
    path: '/things/:name',
    body: z.strictObject({ size: z.int().default(3) }),
    act: ({ size }, { name }) => done({ name, size }),
  }),
  action({
    path: '/broken',
    act: () => {
      throw new Error('it broke');
    },
  }),
];

async function opened() {
  const admin = await openAdmin(ROUTES, { port: 0, logger: silentLogger });
  onTestFinished(() => admin.close());
  return admin;
}

describe('openAdmin', () => {
  it('shows and does what its routes say, in JSON', async () => {
    const { url } = await opened();
    expect(await ask(`${url}/things`)).toEqual({ status: 200, body: { things: { a: 1 } } });
    const named = await ask(`${url}/things/a%20b?x=1`, { body: '{"size": 5}' });
    expect(named.body).toEqual({ name: 'a b', size: 5 });
    expect((await ask(`${url}/things/x`, { body: '' })).body).toEqual({ name: 'x', size: 3 });
  });

  it.each([
    ['/nothing', undefined, 404, /^Cannot find \/nothing: one of GET \/things, POST/],
    ['/things', '{}', 405, 'Cannot use /things like this: GET is wanted'],
    ['/things/x', '{size', 400, 'Cannot read the body: it is no JSON, a JSON object is wanted'],
    ['/things/x', '{"size":"big"}', 400, /body:1:2: Cannot use "size": it is "big", a number/],
    ['/things/x', '{"sise":1}', 400, /Cannot use key "sise": it is unknown, did you mean "size"/],
    ['/things/x', '[]', 400, /Cannot use the body: it is an empty list/],
    ['/things/%', '{}', 404, /^Cannot find/],
    ['/broken', '', 500, 'it broke'],
    ['/things/x', ' '.repeat(70_000), 413, /too long, at most 65536 bytes are wanted/],
  ])('answers %s %j with an error in words', async (path, body, status, error) => {
    const { url } = await opened();
    const answer = await ask(url + path, body === undefined ? {} : { body });
    expect(answer.status).toBe(status);
    expect(answer.body.error).toEqual(
      typeof error === 'string' ? error : expect.stringMatching(error),
    );
  });

  it('serves those alone who ask for this machine by its own name', async () => {
    const { url, port } = await opened();
    const status = async (host: string) =>
      (await ask(`${url}/things`, { headers: { host } })).status;
    expect(await status(`localhost:${port}`)).toBe(200);
    expect(await status(`LOCALHOST:${port}`)).toBe(200);
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost', `127.0.0.1:1`]) {
      expect([host, await status(host)]).toEqual([host, 403]);
    }
  });

  it.each([
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin' },
  ])('serves no web page: %j', async (headers) => {
    const { url } = await opened();
    expect((await ask(`${url}/things`, { headers })).status).toBe(403);
  });

  it('listens on one address alone: not even another one of loopback reaches it', async () => {
    const { port } = await opened();
    await expect(ask(`http://127.0.0.2:${port}/things`)).rejects.toThrow();
  });

  it('says that its port is in use', async () => {
    const { port } = await opened();
    await expect(openAdmin([], { port, logger: silentLogger })).rejects.toMatchObject({
      reason: 'exchange',
      message: `Cannot open the admin port: port ${port} is in use, a free one in --admin-port or admin.port is wanted (0 finds one)`,
    });
  });
});
