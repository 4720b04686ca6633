/**
 * What a signed order costs this process: the client against the least that could do it.
 *
 * Both send to the same node:http server in a process of its own, one order at a time over one kept
 * socket, in alternating rounds. The bare way is undici's `request`, HMAC-MD5 with a prepared key and
 * JSON.parse. Goal: at most 1.3 times the CPU of the bare way.
 *
 * Run: node bench/client-order.ts [rounds] [orders a round]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHmac, createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asyncScheduler, firstValueFrom } from 'rxjs';
import { Pool } from 'undici';
import type { Amount, Price } from '../src/domain/index.ts';
import { seededRandom } from '../src/kernel/index.ts';
import { connectZb } from '../src/venues/zb/client/index.ts';

const NAMES = ['bare', 'client'] as const;
const ANSWER = '{"code":1000,"message":"操作成功","id":"202202224851151555"}';

if (process.send === undefined) await compare();
else serve();

function serve(): void {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(ANSWER);
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function compare(): Promise<void> {
  const [, , rounds = '12', orders = '4000'] = process.argv;
  const child = fork(new URL(import.meta.url), { stdio: 'inherit' });
  const [port] = (await once(child, 'message')) as [number];
  const baseUrl = `http://127.0.0.1:${port}`;
  const ways = { bare: bareWay(baseUrl), client: clientWay(baseUrl) };
  const costs = { bare: [] as number[], client: [] as number[] };
  for (const way of Object.values(ways)) await cpuOf(way, Number(orders));
  for (let round = 0; round < Number(rounds); round++) {
    for (const name of round % 2 === 0 ? NAMES : NAMES.toReversed()) {
      costs[name].push(await cpuOf(ways[name], Number(orders)));
    }
  }
  report(costs);
  finish(child);
}

/** User and system microseconds of one call. */
async function cpuOf(call: (serial: number) => Promise<unknown>, calls: number): Promise<number> {
  const before = process.cpuUsage();
  for (let serial = 0; serial < calls; serial++) await call(serial);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

function bareWay(baseUrl: string): (serial: number) => Promise<string> {
  const pool = new Pool(baseUrl, { connections: 8, pipelining: 1 });
  const key = createSecretKey('d4e0e04792fd434b5dc9c4155c178f66edcf4ed3', 'ascii');
  const headers = { 'user-agent': 'Mozilla/5.0' };
  return async (serial) => {
    const text = `accesskey=test-access-key&amount=0.001&currency=btc_usdt&customerOrderId=order${serial}&method=order&price=30000.5&tradeType=1`;
    const sign = createHmac('md5', key).update(text).digest('hex');
    const path = `/api/order?${text}&sign=${sign}&reqTime=${Date.now()}`;
    const { body } = await pool.request({ path, method: 'GET', headers, idempotent: false });
    const answer = JSON.parse(await body.text()) as { code: number; id: string };
    if (answer.code !== 1000) throw new Error('no success');
    return answer.id;
  };
}

function clientWay(baseUrl: string): (serial: number) => Promise<string> {
  const exchange = connectZb({
    dataUrl: baseUrl,
    tradeUrl: baseUrl,
    pushUrl: baseUrl.replace('http', 'ws'),
    accessKey: 'test-access-key',
    secretKey: 'test-secret-key',
    clock: asyncScheduler,
    random: seededRandom(1),
  });
  return async (serial) => {
    const answer = await firstValueFrom(
      exchange.trading.place({
        market: 'btc_usdt',
        side: 'buy',
        type: 'limit',
        price: 30000.5 as Price,
        amount: 0.001 as Amount,
        clientOrderId: `order${serial}`,
      }),
    );
    return answer.exchangeOrderId;
  };
}

function report(costs: Readonly<Record<'bare' | 'client', readonly number[]>>): void {
  const bare = medianOf(costs.bare);
  const client = medianOf(costs.client);
  const ratio = medianOf(costs.bare.map((cost, at) => costs.client[at]! / cost));
  console.log(`bare    ${bare.toFixed(1)} us of CPU an order (median of rounds)`);
  console.log(`client  ${client.toFixed(1)} us of CPU an order`);
  console.log(`ratio   ${ratio.toFixed(2)} (median of rounds; goal: at most 1.30)`);
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function finish(child: ChildProcess): void {
  child.kill();
  process.exit(0);
}
