/**
 * How many signed orders a second the wire server takes on one core, limits lifted.
 *
 * Three servers, each alone in a process of its own, take the same pre-signed requests over the same
 * kept connections in alternating rounds: bare node:http with a constant answer, the wire before a
 * host that answers at once, and the wire before the simulated exchange with orders that really rest.
 * A core's rate is what the server's own CPU time allows. Goal: 20 000 a second before the simulated
 * exchange.
 *
 * Run: node bench/server-orders.ts [rounds] [orders a round] [requests in flight a connection]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { asyncScheduler, of } from 'rxjs';
import type { ExchangeHost } from '../src/exchange/index.ts';
import { silentLogger } from '../src/kernel/index.ts';
import { SimulatedExchange } from '../src/sim/index.ts';
import { limitsSchema, serveZb } from '../src/venues/zb/server/index.ts';
import { signatureOf, signedText, signingKeyOf } from '../src/venues/zb/wire/index.ts';

const SERVERS = ['bare', 'instant', 'simulated'] as const;
type ServerName = (typeof SERVERS)[number];

const ANSWER = '{"code":1000,"message":"操作成功","id":"202202224851151555"}';
const KEY = { accessKey: 'test-access-key', secretKey: 'test-secret-key', account: 'main' };
const CONNECTIONS = 16;
/** Signed orders a second on one core that the server before the simulated exchange must take. */
const GOAL = 20_000;
const ANSWER_HEAD = Buffer.from('HTTP/1.1 200');

const role = process.argv[2] as ServerName;
if (process.send !== undefined) await serve(role);
else await compare();

async function serve(name: ServerName): Promise<void> {
  const port = name === 'bare' ? await bareServer() : await wireServer(name);
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.on('disconnect', () => process.exit());
  process.send?.(port);
}

async function bareServer(): Promise<number> {
  const length = Buffer.byteLength(ANSWER);
  const head = { 'Content-Type': 'application/json;charset=UTF-8', 'Content-Length': length };
  // A contestant sits idle while the others run: longer than Node keeps connections by default.
  const server = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
    response.writeHead(200, head);
    response.end(ANSWER);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function wireServer(name: ServerName): Promise<number> {
  const rules = { priceScale: 2, amountScale: 4, minAmount: 0.0001, minSize: 1 };
  const exchange = new SimulatedExchange({
    clock: asyncScheduler,
    markets: [{ id: 'btc_usdt', base: 'btc', quote: 'usdt', ...rules }],
    accounts: [{ name: 'main', balances: { usdt: '90000000' } }],
  });
  const permissions = { assets: true, orders: true, withdrawals: false, margin: false };
  const { port } = await serveZb({
    host: name === 'instant' ? instantHost(exchange) : exchange,
    keys: [{ ...KEY, permissions }],
    clock: asyncScheduler,
    logger: silentLogger,
    port: 0,
    limits: limitsSchema.parse({ enforced: false }),
  });
  return port;
}

/** The host but for its orders: they are taken and forgotten. */
function instantHost(host: ExchangeHost): ExchangeHost {
  const exchange = host.account('main')!;
  const placed = of({ exchangeOrderId: '202202224851151555' });
  const account = { ...exchange, trading: { ...exchange.trading, place: () => placed } };
  return { market: host.market, marketFeed: host.marketFeed, account: () => account };
}

/** One server process with its connections. */
interface Contestant {
  readonly name: ServerName;
  readonly child: ChildProcess;
  readonly sockets: readonly Socket[];
  readonly perSecond: number[];
  readonly cpuMicroseconds: number[];
}

async function compare(): Promise<void> {
  const [, , rounds = '8', orders = '20000', inFlight = '1'] = process.argv;
  const load = { orders: Number(orders), inFlight: Number(inFlight), requests: signedRequests() };
  const contestants = await Promise.all(SERVERS.map(begin));
  for (const contestant of contestants) await measure(contestant, load);
  for (const { perSecond, cpuMicroseconds } of contestants) {
    perSecond.length = 0;
    cpuMicroseconds.length = 0;
  }
  for (let round = 0; round < Number(rounds); round++) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      await measure(contestant, load);
    }
  }
  const [bare] = contestants as [Contestant];
  for (const contestant of contestants) report(contestant, medianOf(bare.cpuMicroseconds));
  const goal = GOAL.toLocaleString('en');
  console.log(`goal: at least ${goal} orders/s a core before the simulated exchange`);
  for (const { child } of contestants) child.kill();
  process.exit(0);
}

async function begin(name: ServerName): Promise<Contestant> {
  const child = fork(new URL(import.meta.url), [name], { stdio: 'inherit' });
  child.once('exit', (code) => process.exit(code ?? 0));
  const [port] = (await once(child, 'message')) as [number];
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) {
    socket.setNoDelay(true);
    socket.once('close', () => {
      throw new Error(`Cannot go on: ${name} closed a connection`);
    });
  }
  return { name, child, sockets, perSecond: [], cpuMicroseconds: [] };
}

/** A thousand different orders, signed. */
function signedRequests(): readonly Buffer[] {
  const key = signingKeyOf(KEY.secretKey);
  return Array.from({ length: 1_000 }, (_, serial) => {
    const values = {
      accesskey: KEY.accessKey,
      amount: '0.001',
      currency: 'btc_usdt',
      customerOrderId: `bench${serial}`,
      method: 'order',
      price: `${20_000 + serial}.5`,
      tradeType: '1',
    };
    const sign = signatureOf(key, signedText(values));
    const query = new URLSearchParams({ ...values, sign, reqTime: String(Date.now()) });
    const head = 'Host: 127.0.0.1\r\nUser-Agent: Mozilla/5.0\r\n\r\n';
    return Buffer.from(`GET /api/order?${query} HTTP/1.1\r\n${head}`);
  });
}

interface Load {
  readonly orders: number;
  readonly inFlight: number;
  readonly requests: readonly Buffer[];
}

async function measure(contestant: Contestant, load: Load): Promise<void> {
  const cpuBefore = await cpuOf(contestant.child);
  const began = performance.now();
  const shares = contestant.sockets.map((socket) => drive(socket, load));
  await Promise.all(shares);
  const seconds = (performance.now() - began) / 1_000;
  const cpu = (await cpuOf(contestant.child)) - cpuBefore;
  contestant.perSecond.push(load.orders / seconds);
  contestant.cpuMicroseconds.push(cpu / load.orders);
}

async function cpuOf(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message');
  child.send('cpu');
  const [{ user, system }] = (await answer) as [NodeJS.CpuUsage];
  return user + system;
}

/** Sends a connection's share of the orders, with so many unanswered at any time. */
function drive(socket: Socket, { orders, inFlight, requests }: Load): Promise<void> {
  const share = orders / CONNECTIONS;
  let sent = 0;
  let answered = 0;
  const send = () => socket.write(requests[sent++ % requests.length]!);
  return new Promise((resolve, reject) => {
    const take = (data: Buffer) => {
      for (let at = data.indexOf(ANSWER_HEAD); at >= 0; at = data.indexOf(ANSWER_HEAD, at + 12)) {
        answered++;
        if (sent < share) send();
      }
      if (!data.includes('"code":1000')) reject(new Error(`Cannot go on: ${data}`));
      if (answered < share) return;
      socket.off('data', take);
      resolve();
    };
    socket.on('data', take);
    for (let begun = 0; begun < inFlight; begun++) send();
  });
}

function report({ name, perSecond, cpuMicroseconds }: Contestant, bareCpu: number): void {
  const cpu = medianOf(cpuMicroseconds);
  const measured = Math.round(medianOf(perSecond)).toLocaleString('en');
  const core = Math.round(1e6 / cpu).toLocaleString('en');
  console.log(
    `${name.padEnd(9)} ${measured.padStart(7)} orders/s measured, ` +
      `${cpu.toFixed(1).padStart(5)} us CPU an order: ${core.padStart(7)} orders/s a core, ` +
      `${(cpu / bareCpu).toFixed(2)} x bare`,
  );
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
