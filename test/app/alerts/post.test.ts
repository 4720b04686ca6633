import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postTo, retries } from '../../../src/app/alerts/post.ts';
import { hookFixture } from './fixture.ts';

describe('postTo', () => {
  it('posts what it is given', async () => {
    const hook = await hookFixture();
    const sent = { method: 'POST', contentType: 'application/json', body: '{"text":"é"}' } as const;
    expect(await postTo(hook.url, sent)).toEqual({ kind: 'taken' });
    const { method, ...others } = sent;
    expect(hook.received).toEqual([{ method, path: '/hook', ...others }]);
  });

  it('calls without a body', async () => {
    const hook = await hookFixture();
    expect(await postTo(hook.url, { method: 'GET' })).toEqual({ kind: 'taken' });
    expect(hook.received[0]).toMatchObject({ method: 'GET', body: '' });
  });

  it('says what an answer that refuses says', async () => {
    const hook = await hookFixture(() => 404);
    expect(await postTo(hook.url, { method: 'GET' })).toEqual({
      ...{ kind: 'refused', status: 404, reason: 'it answered 404 (no such hook)' },
    });
  });

  it('fails where nobody is there', async () => {
    const nobody = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => nobody.once('listening', resolve));
    const { port } = nobody.address() as AddressInfo;
    await new Promise((resolve) => nobody.close(resolve));
    const posted = await postTo(`http://127.0.0.1:${port}/`, { method: 'GET' });
    expect(posted).toMatchObject({ kind: 'failed' });
  });

  it('ends early where it is told to', async () => {
    const ending = new AbortController();
    const silent = createServer(() => ending.abort()).listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    const sent = { method: 'GET', signal: ending.signal } as const;
    expect(await postTo(`http://127.0.0.1:${port}/`, sent)).toEqual({
      ...{ kind: 'failed', reason: 'it had not answered when the run was over' },
    });
  });
});

describe('postTo, answered without end', () => {
  it.each([
    [200, { kind: 'taken' }],
    [500, { kind: 'refused', status: 500, reason: `it answered 500 (${'a'.repeat(200)})` }],
  ])('reads of an answer %i no more than is told', async (status, posted) => {
    expect(await postTo(await endlessFixture(status), { method: 'GET' })).toEqual(posted);
  });
});

describe('postTo, answered in part', () => {
  it.each([
    [200, { kind: 'taken' }],
    [500, { kind: 'refused', status: 500, reason: 'it answered 500 (busy)' }],
  ])('goes by the status %i: the rest would say no more', async (status, posted) => {
    const url = await serviceFixture((response) => {
      response.writeHead(status, { 'content-length': 1_000 });
      response.write('busy', () => response.destroy());
    });
    expect(await postTo(url, { method: 'GET' })).toEqual(posted);
  });
});

/** A service whose answers never end. */
function endlessFixture(status: number): Promise<string> {
  return serviceFixture((response) => {
    response.writeHead(status);
    const write = (): void => {
      while (response.write('a'.repeat(65_536)));
    };
    response.on('drain', write);
    write();
  });
}

/** A service, by how it answers. */
async function serviceFixture(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createHttpServer((_request, response) => answer(response));
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('retries', () => {
  it.each([
    [400, false],
    [401, false],
    [404, false],
    [408, true],
    [429, true],
    [500, true],
    [503, true],
  ])('says of an answer %d whether it may be taken later: %s', (status, may) => {
    expect(retries({ kind: 'refused', status, reason: '' })).toBe(may);
  });

  it('tries again what was not answered', () => {
    expect(retries({ kind: 'failed', reason: '' })).toBe(true);
  });
});
