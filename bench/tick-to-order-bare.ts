/** The bare trader of `tick-to-order.ts`: ws, JSON.parse, HMAC-MD5 and undici's `request`. */
import { createHmac, createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import type { Setup } from './tick-to-order.ts';

interface DepthFrame {
  readonly channel: string;
  readonly asks: readonly (readonly [price: number, amount: number])[];
  readonly bids: readonly (readonly [price: number, amount: number])[];
}

const { ports } = JSON.parse(process.argv[2]!) as Setup;
const pool = new Pool(`http://127.0.0.1:${ports.bare}`, { connections: 8, pipelining: 1 });
const socket = new WebSocket(`ws://127.0.0.1:${ports.bare}/websocket`, {
  perMessageDeflate: false,
});
const key = createSecretKey('d4e0e04792fd434b5dc9c4155c178f66edcf4ed3', 'ascii');
const headers = { 'user-agent': 'Mozilla/5.0' };
let serial = 0;

socket.on('message', (data) => {
  const frame = JSON.parse(data.toString()) as DepthFrame;
  if (frame.channel === 'btcusdt_depth') void order(frame);
});

async function order({ asks, bids }: DepthFrame): Promise<void> {
  serial++;
  const buys = serial % 2 === 1;
  const price = buys ? asks[0]![0] : bids[0]![0];
  const text =
    `accesskey=test-access-key&amount=0.001&currency=btc_usdt&customerOrderId=bare${serial}` +
    `&method=order&orderType=2&price=${price}&tradeType=${buys ? 1 : 0}`;
  const sign = createHmac('md5', key).update(text).digest('hex');
  const path = `/api/order?${text}&sign=${sign}&reqTime=${Date.now()}`;
  const { body } = await pool.request({ path, method: 'GET', headers, idempotent: false });
  const answer = JSON.parse(await body.text()) as { readonly code: number };
  if (answer.code !== 1000) throw new Error(`Cannot go on: the answer is ${answer.code}`);
}

process.on('disconnect', () => process.exit());
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
await once(socket, 'open');
process.send?.('ready');
