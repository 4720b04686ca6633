import type { Observable, Subscription } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { type Random, seededRandom, VirtualClock } from '../../../../../src/kernel/index.ts';
import { connectZb, type ZbExchange } from '../../../../../src/venues/zb/client/index.ts';
import type {
  Socket,
  SocketEvents,
} from '../../../../../src/venues/zb/client/network/transport.ts';
import { KEYS, NOW_MS } from '../fixture.ts';

const MARKETS = ['btc_usdt', 'eth_usdt', 'ltc_usdt'];

/** An exchange that knows nothing but which channels each of its connections asked for. */
class ForgetfulExchange {
  readonly #clock: VirtualClock;
  readonly #random: Random;
  /** Part of the subscriptions that are refused. */
  refused = 0;
  channels = new Set<string>();
  lose: () => void = () => {};

  constructor(clock: VirtualClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  open(_url: string, events: SocketEvents): Socket {
    const channels = new Set<string>();
    let isOver = false;
    const later = (work: () => void, delayMs: number) =>
      this.#clock.schedule(() => isOver || work(), delayMs);
    const lose = () => {
      if (isOver) return;
      isOver = true;
      events.closed('gone');
    };
    later(() => {
      if (this.#random.next() < 0.15) return lose();
      this.channels = channels;
      this.lose = lose;
      events.opened();
    }, this.#random.integer(300));
    return {
      send: (text) => later(() => this.#take(text, { channels, events }), 1),
      terminate: () => {
        isOver = true;
      },
    };
  }

  #take(text: string, peer: { channels: Set<string>; events: SocketEvents }): void {
    const { channels, events } = peer;
    const { event, channel, market = '' } = text === 'ping' ? { event: text } : JSON.parse(text);
    const name = `${channel} ${market}`;
    if (event === 'ping') events.message('pong');
    else if (event === 'removeChannel') channels.delete(name);
    else if (this.#random.next() >= this.refused) channels.add(name);
    else {
      channels.delete(name);
      events.message(JSON.stringify({ code: 1003, success: false, channel, message: 'no' }));
    }
  }
}

/** A stream to subscribe to, and the channel that the exchange should know for it. */
function pick({ marketFeed, accountFeed, channels }: ZbExchange, random: Random) {
  const market = MARKETS[random.integer(MARKETS.length)]!;
  const symbol = market.replace('_', '');
  const all: [string, Observable<unknown>][] = [
    [`${symbol}_ticker `, marketFeed.ticker(market)],
    [`${symbol}_quick_depth `, channels.quickDepth({ market, length: 5 })],
    [`push_user_incr_record ${symbol}default`, accountFeed.orders(market)],
    [`push_user_record ${symbol}default`, channels.orders(market)],
    ['push_user_incr_asset ', accountFeed.balances()],
  ];
  return all[random.integer(all.length)]!;
}

/** Subscribes and leaves, loses connections and is refused; then nothing fails for a while. */
function lived(seed: number) {
  const random = seededRandom(seed);
  const clock = new VirtualClock(NOW_MS);
  const sockets = new ForgetfulExchange(clock, random.fork('exchange'));
  const urls = { dataUrl: 'https://data.example', tradeUrl: 'https://trade.example' };
  const parts = { ...urls, pushUrl: 'wss://push.example', ...KEYS, clock, random, sockets };
  const exchange = connectZb(parts);
  let isHeard = false;
  exchange.accountFeed.connection().subscribe(({ connected }) => {
    isHeard = connected;
  });
  const listening: [string, Subscription][] = [];
  sockets.refused = random.integer(2) * 0.3;
  for (let step = 0; step < 200; step++) {
    const what = random.integer(6);
    if (what <= 1) {
      const [name, frames] = pick(exchange, random);
      listening.push([name, frames.subscribe()]);
    } else if (what <= 3 && listening.length > 0) {
      listening.splice(random.integer(listening.length), 1)[0]![1].unsubscribe();
    } else if (what === 4 && random.next() < 0.4) sockets.lose();
    else clock.advanceBy(random.integer(random.next() < 0.2 ? 60_000 : 500));
  }
  sockets.refused = 0;
  clock.advanceBy(200_000);
  return { wanted: new Set(listening.map(([name]) => name)), known: sockets.channels, isHeard };
}

describe('channels, whatever happens', () => {
  test('are in the end those that somebody listens to', () => {
    for (let seed = 1; seed <= 150; seed++) {
      const { wanted, known, isHeard } = lived(seed);
      expect([seed, [...known].sort(), isHeard]).toEqual([seed, [...wanted].sort(), true]);
    }
  });
});
