import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { VirtualClock } from '../../../../src/kernel/index.ts';
import {
  type ServedZb,
  ServerError,
  type ServeZbOptions,
  serveZb,
} from '../../../../src/venues/zb/server/index.ts';
import {
  fakeHost,
  KEY,
  keepingLogger,
  ORDER,
  START_MS,
  signedFrame,
  signedTarget,
  TICKER,
} from './fixture.ts';

const open: ServedZb[] = [];
const BROWSER = { headers: { 'User-Agent': 'Mozilla/5.0' } };

async function served(changes: Partial<ServeZbOptions> = {}) {
  const { host, feeds, called } = fakeHost();
  const clock = new VirtualClock(START_MS);
  const { logger } = keepingLogger();
  const zb = await serveZb({ host, keys: [KEY], clock, logger, port: 0, ...changes });
  open.push(zb);
  return { zb, feeds, called };
}

async function socketTo(url: string) {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const next = async () => {
    const [data] = await once(socket, 'message');
    return String(data);
  };
  return { socket, next };
}

/** Sends bytes as they are and answers with all that comes back until the connection ends. */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => {});
  });
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((zb) => zb.close()));
});

describe('serveZb over HTTP', () => {
  it('answers market data and signed orders', async () => {
    const { zb, called } = await served();
    const market = await fetch(`${zb.dataUrl}/data/v1/ticker?market=btc_usdt`, BROWSER);
    expect(market.headers.get('content-type')).toMatch(/json/);
    expect(await market.json()).toMatchObject({ ticker: { last: '29046.17' } });
    const order = await fetch(`${zb.tradeUrl}${signedTarget('order', ORDER)}`, BROWSER);
    expect(await order.json()).toEqual({
      code: 1000,
      message: '操作成功',
      id: '202202224851151555',
    });
    expect(called('place')).toHaveLength(1);
    expect(zb.counts()).toMatchObject({ requests: 2, addresses: { '127.0.0.1': { total: 1 } } });
  });

  it('takes brackets raw on the wire', async () => {
    const { zb } = await served();
    const batch = { market: 'btc_usdt', tradeType: '1', tradeParams: '[[30000,0.1]]' };
    const target = decodeURIComponent(signedTarget('orderMoreV2', batch));
    const head = 'Host: x\r\nUser-Agent: x\r\nConnection: close\r\n\r\n';
    const answer = await raw(zb.port, `GET ${target} HTTP/1.1\r\n${head}`);
    expect(answer).toContain('"data":["202202224851151550"]');
  });

  it('has status 200 for refusals, and 405 for what is no GET', async () => {
    const { zb, called } = await served();
    const unknown = await fetch(`${zb.tradeUrl}/api/nothing`, BROWSER);
    expect([unknown.status, await unknown.json()]).toMatchObject([200, { code: 1001 }]);
    const url = `${zb.tradeUrl}${signedTarget('order', ORDER)}`;
    const posted = await fetch(url, { ...BROWSER, method: 'POST', body: 'x' });
    expect([posted.status, await posted.json()]).toMatchObject([405, { code: 1001 }]);
    expect(called('place')).toEqual([]);
  });

  it('wants a User-Agent', async () => {
    const { zb } = await served();
    const answer = await raw(
      zb.port,
      'GET /data/v1/markets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 .*"User-Agent wanted"}$/s);
  });

  it('outlives what is not HTTP', async () => {
    const { zb } = await served();
    await raw(zb.port, 'ÿþ nonsense\r\n\r\n');
    expect((await fetch(`${zb.dataUrl}/data/v1/markets`, BROWSER)).status).toBe(200);
  });
});

describe('serveZb over WebSocket', () => {
  it.each(['', '/btc', '/'])('pushes on /websocket%s', async (rest) => {
    const { zb, feeds } = await served();
    const { socket, next } = await socketTo(`${zb.pushUrl}${rest}`);
    socket.send('{"event":"addChannel","channel":"btcusdt_ticker"}');
    expect(JSON.parse(await next())).toMatchObject({ ticker: { last: '29046.17' } });
    feeds.ticker.next({ ...TICKER, last: 7 });
    expect(JSON.parse(await next())).toMatchObject({ ticker: { last: '7' } });
    socket.send('ping');
    expect(await next()).toBe('pong');
    socket.ping();
    await once(socket, 'pong');
  });

  it('takes signed subscriptions, and lets go when the peer leaves', async () => {
    const { zb, feeds } = await served();
    const { socket, next } = await socketTo(zb.pushUrl);
    socket.send(JSON.stringify(signedFrame('push_user_asset')));
    expect(JSON.parse(await next())).toMatchObject({ dataType: 'userAsset' });
    expect(feeds.balances.observed).toBe(true);
    const other = await socketTo(zb.pushUrl);
    socket.terminate();
    while (feeds.balances.observed) {
      other.socket.ping();
      await once(other.socket, 'pong');
    }
    expect(feeds.balances.observed).toBe(false);
  });

  it('has no other path', async () => {
    const { zb } = await served();
    const socket = new WebSocket(`ws://127.0.0.1:${zb.port}/else`);
    const [error] = await once(socket, 'error');
    expect(error.message).toMatch(/404/);
  });

  it('ends a peer whose frame is too long', async () => {
    const { zb } = await served();
    const { socket } = await socketTo(zb.pushUrl);
    socket.send('x'.repeat(65_537));
    const [code] = await once(socket, 'close');
    expect(code).toBe(1009);
  });
});

describe('serveZb', () => {
  it('says which port is in use', async () => {
    const { zb } = await served();
    const second = served({ port: zb.port });
    await expect(second).rejects.toBeInstanceOf(ServerError);
    await expect(second).rejects.toThrow(
      `Cannot serve the exchange: port ${zb.port} is in use, a free one is wanted`,
    );
  });

  it('says that an address is not of this machine', async () => {
    await expect(served({ hostAddress: '203.0.113.1' })).rejects.toThrow(
      /203.0.113.1 is no address/,
    );
  });

  it('closes at once though peers are connected, and may be closed twice', async () => {
    const { zb } = await served();
    await fetch(`${zb.dataUrl}/data/v1/markets`, BROWSER);
    const { socket } = await socketTo(zb.pushUrl);
    const gone = once(socket, 'close');
    await zb.close();
    await gone;
    await zb.close();
    await expect(fetch(`${zb.dataUrl}/data/v1/markets`, BROWSER)).rejects.toThrow();
  });
});
