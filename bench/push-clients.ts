/**
 * Many WebSocket clients on all channels: whether anything is lost, and whether memory stays flat.
 *
 * The wire server stands before a simulated exchange with a seeded market and an account that trades,
 * in a process of its own. Every client listens to all channels, public and private, and pings. In
 * the end the market is halted, and each client must have heard every trade since it joined, each
 * once, and hold the exchange's own last depth, candles, orders and balances. Exit code 1 otherwise.
 *
 * Run: node bench/push-clients.ts [clients] [seconds]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { WebSocket } from 'ws';
import { INTERVALS } from '../src/domain/index.ts';
import { signatureOf, signedFrameText, signingKeyOf } from '../src/venues/zb/wire/index.ts';
import { KEY, type Truth, type Usage } from './push-clients-server.ts';

const PUBLIC = ['ticker', 'depth', 'trades', 'quick_depth', ...INTERVALS.map((i) => `kline_${i}`)];
const PER_MARKET = ['push_user_incr_record', 'push_user_record'];
const PRIVATE = ['push_user_incr_asset', 'push_user_asset', 'push_user_cross_asset', ...PER_MARKET];
const CHANNELS = [...PUBLIC.map((name) => `btcusdt_${name}`), 'markets', ...PRIVATE];
/** Clients that join at once, and how often one pings. */
const JOINING = 50;
const PING_MS = 5_000;
/** Until the last pushes have left and arrived. */
const SETTLE_MS = 2_000;

/** A client's frames: the last one of each channel, and all trades. */
class Client {
  readonly #socket: WebSocket;
  readonly last = new Map<string, string>();
  readonly faults: string[] = [];
  frames = 0;
  bytes = 0;
  pongs = 0;
  orderPushes = 0;
  trades = 0;
  lastTradeId = 0;
  /** How long trades took to arrive, milliseconds. */
  readonly delaysMs: number[] = [];

  constructor(url: string) {
    this.#socket = new WebSocket(url, { perMessageDeflate: false });
    this.#socket.on('message', (data) => this.#receive(String(data)));
    this.#socket.on('close', (code) => this.faults.push(`closed with ${code}`));
    this.#socket.on('error', (error) => this.faults.push(error.message));
  }

  async join(): Promise<void> {
    await once(this.#socket, 'open');
    for (const channel of CHANNELS) this.#socket.send(subscription(channel));
  }

  ping(): void {
    this.#socket.send('ping');
  }

  leave(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.terminate();
  }

  #receive(text: string): void {
    if (text === 'pong') {
      this.pongs++;
      return;
    }
    this.frames++;
    this.bytes += text.length;
    const channel = /"channel":"([^"]+)"/.exec(text)?.[1] ?? '';
    if (text.includes('"success":false')) this.faults.push(text);
    else if (channel === 'btcusdt_trades') this.#hearTrades(JSON.parse(text).data);
    else if (channel === 'push_user_incr_record') this.orderPushes++;
    this.last.set(channel, text);
  }

  #hearTrades(data: readonly { readonly tid: number; readonly date: number }[]): void {
    const isFirst = this.lastTradeId === 0;
    for (const { tid, date } of data) {
      if (this.lastTradeId !== 0 && tid !== this.lastTradeId + 1) {
        this.faults.push(`trade ${tid} after ${this.lastTradeId}`);
      }
      this.lastTradeId = tid;
      if (isFirst) continue;
      this.trades++;
      this.delaysMs.push(Date.now() - date);
    }
  }
}

const signingKey = signingKeyOf(KEY.secretKey);

function subscription(channel: string): string {
  const plain = { event: 'addChannel', channel };
  if (!PRIVATE.includes(channel)) return JSON.stringify(plain);
  const market = PER_MARKET.includes(channel) ? { market: 'btcusdtdefault' } : {};
  const fields = { ...plain, ...market, accesskey: KEY.accessKey };
  const sign = signatureOf(signingKey, signedFrameText(fields));
  return JSON.stringify({ ...fields, sign });
}

async function measure(): Promise<void> {
  const [count = 500, seconds = 60] = process.argv.slice(2).map(Number);
  const server = new URL('push-clients-server.ts', import.meta.url);
  const child = fork(server, { execArgv: ['--expose-gc'], stdio: 'inherit' });
  child.once('exit', (code) => process.exit(code ?? 1));
  const [port] = (await once(child, 'message')) as [number];
  const clients = await join(count, `ws://127.0.0.1:${port}/websocket`);
  child.send('trade');
  const before = await asked<Usage>(child, 'usage');
  const framesBefore = sumOf(clients, ({ frames }) => frames);
  const began = performance.now();
  const pinging = setInterval(() => clients.forEach(ping), PING_MS);
  const settleSeconds = Math.min(10, seconds / 3);
  await sleep(settleSeconds * 1_000);
  const early = await asked<Usage>(child, 'usage');
  await sleep((seconds - settleSeconds) * 1_000);
  const late = await asked<Usage>(child, 'usage');
  const elapsedMs = performance.now() - began;
  clearInterval(pinging);
  const frames = sumOf(clients, (client) => client.frames) - framesBefore;
  const told = await asked<Truth>(child, 'halt');
  const faults = clients.flatMap((client, at) =>
    faultsOf(client, told).map((fault) => `client ${at}: ${fault}`),
  );
  report({ clients, frames, elapsedMs, settleSeconds, usages: { before, early, late }, faults });
  for (const client of clients) client.leave();
  child.removeAllListeners('exit');
  child.kill();
  process.exit(faults.length === 0 ? 0 : 1);
}

async function join(count: number, url: string): Promise<readonly Client[]> {
  const clients: Client[] = [];
  while (clients.length < count) {
    const group = Array.from(
      { length: Math.min(JOINING, count - clients.length) },
      () => new Client(url),
    );
    await Promise.all(group.map((client) => client.join()));
    clients.push(...group);
  }
  await sleep(SETTLE_MS);
  return clients;
}

async function asked<T>(child: ChildProcess, question: string): Promise<T> {
  const answer = once(child, 'message');
  child.send(question);
  const [message] = (await answer) as [T];
  return message;
}

/** What a client heard last, and what is so. */
type Check = readonly [name: string, heard: unknown, is: unknown];

/** What a client has not heard, or other than it is. */
function faultsOf(client: Client, told: Truth): string[] {
  const last = (channel: string) => JSON.parse(client.last.get(channel) ?? '{}');
  const quick = last('btcusdt_quick_depth');
  const depth = last('btcusdt_depth');
  const candleOf = (interval: string) => last(`btcusdt_kline_${interval}`).datas?.data.at(-1);
  const coins = (last('push_user_asset').coins ?? []).map(
    ({ key, available }: { key: string; available: string }) => [key, available],
  );
  const open = (last('push_user_record').record ?? []).map(([id]: [string]) => id);
  const top = (levels: unknown) => (levels as unknown[]).slice(0, 5);
  const checks: readonly Check[] = [
    ['last trade', client.lastTradeId, told.lastTradeId],
    ['order pushes', client.orderPushes, told.orderPushes],
    ['bids', depth.bids, told.bids],
    ['asks', depth.asks, told.asks],
    ['quick bids', quick.listDown, top(told.bids)],
    ['quick asks', quick.listUp, top(told.asks)],
    ['coins', Object.fromEntries(coins), told.coins],
    ['open orders', open.toSorted(), told.openOrders],
    ...INTERVALS.map((name): Check => [name, candleOf(name), told.candles[name]]),
  ];
  const silent = CHANNELS.filter((channel) => !client.last.has(channel));
  return [
    ...client.faults,
    ...silent.map((channel) => `nothing on ${channel}`),
    ...checks
      .filter(([, heard, is]) => !isDeepStrictEqual(heard, is))
      .map(([name, heard, is]) => `${name}: ${JSON.stringify(heard)}, not ${JSON.stringify(is)}`),
  ];
}

function report(result: {
  readonly clients: readonly Client[];
  readonly frames: number;
  readonly elapsedMs: number;
  readonly settleSeconds: number;
  readonly usages: { readonly before: Usage; readonly early: Usage; readonly late: Usage };
  readonly faults: readonly string[];
}): void {
  const { clients, frames, elapsedMs, settleSeconds, usages, faults } = result;
  const { before, early, late } = usages;
  const bytes = sumOf(clients, (client) => client.bytes);
  const cpuMs = late.cpuMs - before.cpuMs;
  const delays = clients.flatMap(({ delaysMs }) => delaysMs).toSorted((a, b) => a - b);
  const quantile = (part: number) => delays[Math.floor(delays.length * part)] ?? Number.NaN;
  const seconds = elapsedMs / 1_000;
  console.log(`clients   ${clients.length} on ${CHANNELS.length} channels each`);
  console.log(`frames    ${frames} in ${seconds.toFixed(1)} s, ${rate(frames / seconds)}/s`);
  console.log(`bytes     ${megabytes(bytes)}`);
  console.log(
    `server    ${((cpuMs / elapsedMs) * 100).toFixed(1)} % of a core, ` +
      `${((cpuMs * 1_000) / frames).toFixed(1)} us CPU a frame`,
  );
  console.log(
    `trades    ${sumOf(clients, ({ trades }) => trades)} heard, ` +
      `delay p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms`,
  );
  console.log(`pongs     ${sumOf(clients, ({ pongs }) => pongs)}`);
  console.log(
    `heap      ${megabytes(early.heapBytes)} after ${settleSeconds.toFixed(0)} s, ` +
      `${megabytes(late.heapBytes)} at the end (both after garbage collection)`,
  );
  console.log(`buffers   ${megabytes(early.externalBytes)}, then ${megabytes(late.externalBytes)}`);
  console.log(`resident  ${megabytes(early.residentBytes)}, then ${megabytes(late.residentBytes)}`);
  console.log(`faults    ${faults.length}`);
  for (const fault of faults.slice(0, 10)) console.log(`  ${fault.slice(0, 300)}`);
}

function sumOf(clients: readonly Client[], of: (client: Client) => number): number {
  return clients.reduce((sum, client) => sum + of(client), 0);
}

function rate(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function ping(client: Client): void {
  client.ping();
}

await measure();
