/** The exchange of `tick-to-order.ts`: bare node:http and ws, the same for both traders. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { seededRandom } from '../src/kernel/index.ts';
import type { RoundRequest, Setup, TraderName } from './tick-to-order.ts';

const LEVELS = 50;
/** Different depths, sent in turn. */
const DEPTHS = 1_000;
const MARKETS = '{"btc_usdt":{"priceScale":2,"amountScale":4,"minAmount":0.0001,"minSize":1}}';
const DONE = '{"code":1000,"message":"操作成功"}';
const NO_ORDERS = '{"code":3001,"message":"挂单没有找到"}';
const ACCOUNT = JSON.stringify({
  result: {
    coins: [coin('BTC', '10000'), coin('USDT', '900000000')],
    base: { username: 'bench', auth_google_enabled: true, auth_mobile_enabled: true },
  },
  ...{ assetPerm: true, leverPerm: false, entrustPerm: true, moneyPerm: false },
});

const { fills } = JSON.parse(process.argv[2]!) as Pick<Setup, 'fills'>;

function coin(key: string, available: string): object {
  return { key, enName: key, cnName: key, showName: key, available, freez: '0', unitDecimal: 8 };
}

/** Frames as the recorded exchange sends them, but for their last field, the time. */
function drawFrames(): readonly string[] {
  const random = seededRandom('tick to order');
  let middle = 29_000;
  return Array.from({ length: DEPTHS }, () => {
    middle += random.integer(11) - 5;
    const side = (step: 1 | -1) => {
      let cents = Math.round(middle * 100) + step * 50;
      return Array.from({ length: LEVELS }, () => {
        cents += step * (1 + random.integer(60));
        return [cents / 100, (1 + random.integer(30_000)) / 10_000];
      });
    };
    const depth = { asks: side(1), bids: side(-1), dataType: 'depth', channel: 'btcusdt_depth' };
    return `${JSON.stringify(depth).slice(0, -1)},"timestamp":`;
  });
}

/** One trader's own exchange. */
class Counterpart {
  readonly #frames = drawFrames();
  readonly #server = createServer((request, response) => this.#answer(request, response));
  readonly #sockets = new WebSocketServer({ server: this.#server, perMessageDeflate: false });
  #socket: WebSocket | undefined;
  #sent = 0n;
  #tick = 0;
  #orders = 0;
  #ordered: (microseconds: number) => void = () => {};

  async listen(): Promise<number> {
    this.#server.keepAliveTimeout = 0;
    this.#sockets.on('connection', (socket) => {
      this.#socket = socket;
      socket.on('message', (data) => {
        if (data.toString() === 'ping') socket.send('pong');
      });
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Pushes a depth; the microseconds until the order that it causes is here. */
  tick(): Promise<number> {
    const frame = `${this.#frames[this.#tick++ % DEPTHS]!}${Date.now()}}`;
    return new Promise((resolve) => {
      this.#ordered = resolve;
      this.#sent = process.hrtime.bigint();
      this.#socket!.send(frame);
    });
  }

  #answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
    if (url.startsWith('/api/order?')) this.#takeOrder(url, response);
    else if (url.startsWith('/data/v1/markets')) response.end(MARKETS);
    else if (url.startsWith('/data/v1/depth')) response.end(`${this.#frames[0]!}${Date.now()}}`);
    else if (url.startsWith('/api/getAccountInfo')) response.end(ACCOUNT);
    else if (url.startsWith('/api/getOrder')) response.end(NO_ORDERS);
    else response.end(DONE);
  }

  #takeOrder(url: string, response: ServerResponse): void {
    const microseconds = Number(process.hrtime.bigint() - this.#sent) / 1_000;
    const id = `2022022248511${String(++this.#orders).padStart(5, '0')}`;
    response.end(`${DONE.slice(0, -1)},"id":"${id}"}`);
    setImmediate(() => this.#pushEnd(id, new URLSearchParams(url.slice(url.indexOf('?')))));
    this.#ordered(microseconds);
  }

  /** The order's end as the account is told it: filled, or cancelled without a fill. */
  #pushEnd(id: string, terms: URLSearchParams): void {
    const [price, amount] = [Number(terms.get('price')), Number(terms.get('amount'))];
    const type = terms.get('tradeType') === '1' ? 5 : 4;
    const filled = fills ? [amount, Number((price * amount).toFixed(6))] : [0, 0];
    const trade = fills ? [id, price, amount, Date.now()] : [0, 0, 0, 0];
    const end = [type, Date.now(), fills ? 2 : 1, 0, 0, 0, 0, 0, ...trade];
    const record = [id, price, amount, ...filled, ...end];
    const names = { dataType: 'userIncrRecord', channel: 'push_user_incr_record' };
    this.#socket!.send(JSON.stringify({ ...names, market: 'btcusdtdefault', record }));
  }
}

const counterparts = { bare: new Counterpart(), bot: new Counterpart() };

process.on('disconnect', () => process.exit());
process.on('message', async ({ trader, ticks, pauseMs }: RoundRequest) => {
  const latencies: number[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    latencies.push(await counterparts[trader].tick());
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  process.send?.(latencies);
});

const ports: Partial<Record<TraderName, number>> = {
  bare: await counterparts.bare.listen(),
  bot: await counterparts.bot.listen(),
};
process.send?.(ports);
