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

/** Sends bytes as they are, and returns all that comes back until the connection ends. */
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
    const put = await fetch(url, { ...BROWSER, method: 'PUT', body: 'x' });
    expect([put.status, await put.json()]).toMatchObject([405, { code: 1001 }]);
    const { zb: recorded } = await served({ dialect: 'recorded' });
    const again = await fetch(recorded.tradeUrl, { ...BROWSER, method: 'PUT' });
    expect(await again.json()).toMatchObject({ code: '1001' });
    expect(called('place')).toEqual([]);
  });

  it('takes a form by POST as the query that it stands for', async () => {
    const { zb, called } = await served();
    const [path, query] = signedTarget('order', ORDER).split('?');
    const form = { ...BROWSER, method: 'POST', body: query! };
    const posted = await fetch(`${zb.tradeUrl}${path}`, form);
    expect(await posted.json()).toMatchObject({ code: 1000 });
    const empty = { ...BROWSER, method: 'POST' };
    const again = await fetch(`${zb.tradeUrl}${path}/?${query}`, empty);
    expect(await again.json()).toMatchObject({ code: 1000 });
    expect(called('place')).toHaveLength(2);
  });

  it('answers a POST that comes without a form', async () => {
    const { zb } = await served();
    const head = 'Host: x\r\nUser-Agent: x\r\nConnection: close\r\n\r\n';
    const answer = await raw(zb.port, `POST ${signedTarget('order', ORDER)} HTTP/1.1\r\n${head}`);
    expect(answer).toContain('"id":"202202224851151555"');
  });

  it('breaks a connection whose form is longer than a query may be', async () => {
    const { zb } = await served();
    const form = { ...BROWSER, method: 'POST', body: 'x'.repeat(100_000) };
    await expect(fetch(`${zb.tradeUrl}/api/order`, form)).rejects.toThrow();
  });

  it('wants a User-Agent', async () => {
    const { zb } = await served();
    const answer = await raw(
      zb.port,
      'GET /data/v1/markets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 .*"User-Agent wanted"}$/s);
  });
});

describe('serveZb over unusual HTTP', () => {
  it.each([
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAI',
    'Connection: Upgrade\r\nUpgrade: TLS/1.0',
  ])('answers and keeps the connection where another protocol is offered: %j', async (offer) => {
    const { zb, called } = await served();
    const head = (connection: string) => `Host: x\r\nUser-Agent: x\r\n${connection}\r\n\r\n`;
    const socket = connect(zb.port, '127.0.0.1');
    socket.write(`GET ${signedTarget('order', ORDER)} HTTP/1.1\r\n${head(offer)}`);
    const [first] = await once(socket, 'data');
    expect(String(first)).toMatch(/^HTTP\/1.1 200 .*"id":"202202224851151555"}$/s);
    socket.write(`GET /data/v1/markets HTTP/1.1\r\n${head('Connection: close')}`);
    const [second] = await once(socket, 'data');
    expect(String(second)).toMatch(/^HTTP\/1.1 200 .*"btc_usdt":{/s);
    expect(called('place')).toHaveLength(1);
  });

  it.each(['http://x', 'HTTP://127.0.0.1:8710', 'https://user@[::1]:1'])(
    'takes a target that begins with the origin %s',
    async (origin) => {
      const { zb, called } = await served();
      const head = 'Host: x\r\nUser-Agent: x\r\nConnection: close\r\n\r\n';
      const get = (rest: string) => raw(zb.port, `GET ${origin}${rest} HTTP/1.1\r\n${head}`);
      expect(await get('/data/v1/ticker?market=btc_usdt')).toContain('"last":"29046.17"');
      expect(await get(signedTarget('order', ORDER))).toContain('"id":"202202224851151555"');
      expect(called('place')).toHaveLength(1);
      for (const rest of ['', '?market=/api/order']) {
        expect(await get(rest)).toContain('"Unknown path: /, one that begins with /data/v1/ or ');
      }
    },
  );

  it.each([
    ['documented', '"code":3005,'],
    ['recorded', '"code":"3005",'],
  ] as const)('answers heads that are too long, in the %s dialect', async (dialect, code) => {
    const { zb } = await served({ dialect });
    const get = (length: number) => {
      const target = `/data/v1/ticker?market=btc_usdt&x=${'x'.repeat(length)}`;
      const head = 'Host: x\r\nUser-Agent: x\r\nConnection: close\r\n\r\n';
      return raw(zb.port, `GET ${target} HTTP/1.1\r\n${head}`);
    };
    expect(await get(16_000)).toMatch(/^HTTP\/1.1 200 OK.*29046.17/s);
    const tooLong = `{${code}"message":"Request too long"}`;
    expect(await get(17_000)).toMatch(new RegExp(`^HTTP/1.1 200 OK.*${tooLong}$`, 's'));
    for (const length of [33_000, 500_000]) {
      const answer = await get(length);
      expect(answer).toMatch(/^HTTP\/1.1 431 /);
      expect(answer).toContain(`\r\nContent-Length: ${tooLong.length}\r\n\r\n${tooLong}`);
    }
    expect((await fetch(`${zb.dataUrl}/data/v1/markets`, BROWSER)).status).toBe(200);
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

  it('takes a target that begins with an origin', async () => {
    const { zb } = await served();
    const head =
      'Host: x\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13';
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    const socket = connect(zb.port, '127.0.0.1');
    socket.write(`GET ws://x/websocket HTTP/1.1\r\n${head}\r\n${key}\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 101 /);
    socket.destroy();
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
