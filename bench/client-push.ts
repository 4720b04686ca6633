/**
 * What a flood of depth frames costs: the push client, from text to Depth, against JSON.parse alone.
 *
 * Frames hold 50 levels a side; the socket is a stand-in, so that the network costs nothing. Rounds
 * alternate. Run: node bench/client-push.ts [rounds] [frames a round]
 */
import { asyncScheduler } from 'rxjs';
import { seededRandom } from '../src/kernel/index.ts';
import { connectZb, type SocketEvents } from '../src/venues/zb/client/index.ts';

const LEVELS = 50;
const { argv } = process;
const rounds = Number(argv[2] ?? 20);
const frames = Number(argv[3] ?? 20_000);

function frameText(): string {
  const side = (step: number) =>
    Array.from({ length: LEVELS }, (_, at) => [
      Number((29_000 + step * at * 0.37).toFixed(2)),
      Number((0.1234 + at * 0.0101).toFixed(4)),
    ]);
  const sides = { asks: side(1), bids: side(-1) };
  return JSON.stringify({ ...sides, dataType: 'depth', channel: 'btcusdt_depth', timestamp: 1e9 });
}

/** The client's own ear for texts, with one listener on the depth of a market. */
function clientWay(): (text: string) => void {
  let heard: SocketEvents | undefined;
  const open = (_url: string, events: SocketEvents) => {
    heard = events;
    return { send: () => {}, terminate: () => {} };
  };
  const exchange = connectZb({
    dataUrl: 'http://127.0.0.1:1',
    tradeUrl: 'http://127.0.0.1:1',
    pushUrl: 'ws://127.0.0.1:1',
    accessKey: 'test-access-key',
    secretKey: 'test-secret-key',
    clock: asyncScheduler,
    random: seededRandom(1),
    sockets: { open },
  });
  let levels = 0;
  exchange.marketFeed.depth('btc_usdt').subscribe(({ asks }) => {
    levels += asks.length;
  });
  heard!.opened();
  return (text) => {
    const before = levels;
    heard!.message(text);
    if (levels !== before + LEVELS) throw new Error('a frame was lost');
  };
}

function microsecondsOf(way: (text: string) => unknown, text: string): number {
  const { user, system } = process.cpuUsage();
  for (let i = 0; i < frames; i++) way(text);
  const after = process.cpuUsage();
  return (after.user + after.system - user - system) / frames;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

const text = frameText();
const client = clientWay();
const costs = Array.from({ length: rounds }, () => ({
  bare: microsecondsOf(JSON.parse, text),
  client: microsecondsOf(client, text),
})).slice(1);
const bare = medianOf(costs.map((cost) => cost.bare));
const own = medianOf(costs.map((cost) => cost.client));
console.log(`JSON.parse  ${bare.toFixed(2)} us of CPU a frame, ${(1e6 / bare).toFixed(0)}/s`);
console.log(`client      ${own.toFixed(2)} us of CPU a frame, ${(1e6 / own).toFixed(0)}/s`);
console.log(`ratio       ${(own / bare).toFixed(2)}`);
process.exit(0);
