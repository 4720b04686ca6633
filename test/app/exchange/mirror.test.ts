import { filter, merge, NEVER, Subject, startWith } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { mirror } from '../../../src/app/exchange/mirror.ts';
import type { Depth, Trade, TradingEvent } from '../../../src/domain/index.ts';
import type { Connection } from '../../../src/exchange/index.ts';
import { Bus, silentLogger } from '../../../src/kernel/index.ts';
import { MarketStreams, MarketView, marketConfigSchema } from '../../../src/market/index.ts';
import { SimulatedExchange } from '../../../src/sim/index.ts';
import { keptLines } from '../../kernel/fixture.ts';
import {
  answerOf,
  bookOf,
  exchangeFixture,
  MARKET,
  place,
  START_MS,
  walletOf,
} from '../../sim/fixture.ts';

const { id } = MARKET;
const LOST = `${id} is empty: the venue it follows is lost`;
const FOLLOWS = `${id} follows the venue`;

/** A paper exchange with a bot, and the venue that it follows, which can be silenced. */
function paperFixture(settings: object = {}) {
  const told = { depths: new Subject<Depth>(), trades: new Subject<readonly Trade[]>() };
  const { clock, exchange: source, liquidity } = exchangeFixture();
  const tells = { pushes: true, answers: true };
  const connections = new Subject<Connection>();
  const { market, marketFeed } = source;
  const pushed = filter(() => tells.pushes);
  const venue = {
    market: {
      depth: (query: { market: string }) => (tells.answers ? market.depth(query) : NEVER),
    } as typeof market,
    marketFeed: {
      connection: () => connections.pipe(startWith({ connected: true, reason: 'connected' })),
      depth: (of: string) => merge(marketFeed.depth(of).pipe(pushed), told.depths),
      trades: (of: string) => merge(marketFeed.trades(of).pipe(pushed), told.trades),
    } as typeof marketFeed,
  };
  const accounts = [{ name: 'bot', balances: { usdt: '1000' } }];
  const fees = { maker: 0, taker: 0 };
  const host = new SimulatedExchange({ clock, markets: [MARKET], accounts, fees });
  const { lines, logger } = keptLines('info', 'warn');
  const config = marketConfigSchema.parse(settings);
  const following = mirror(host, { clock, logger, venue, markets: [MARKET], data: config });
  const tell = (ask: number) => liquidity.replace({ bids: [[99, 5]], asks: [[ask, 5]] });
  tell(101);
  clock.advanceBy(1_000);
  const parts = { clock, tells, told, connections, host, config, lines };
  return { ...parts, source: liquidity, following, tell };
}

/** How much an order of 1 buys that takes at once. */
function buy({ host }: Pick<ReturnType<typeof paperFixture>, 'host'>): string {
  const before = Number(walletOf(host, 'bot').btc?.[0] ?? 0);
  place(host.account('bot')!, { type: 'ioc', price: 102, amount: 1 });
  return String(Number(walletOf(host, 'bot').btc?.[0] ?? 0) - before);
}

describe('mirror, of a venue that falls silent', () => {
  it('empties the book after staleAfterMs, though the connection stands, and says so', () => {
    const paper = paperFixture({ staleAfterMs: { depth: 3_000 } });
    paper.tells.pushes = paper.tells.answers = false;
    paper.clock.advanceBy(1_999);
    expect(buy(paper)).toBe('1');
    expect(paper.lines).toEqual([FOLLOWS]);
    paper.clock.advanceBy(1);
    expect(bookOf(paper.host)).toEqual({ bids: [], asks: [] });
    expect(buy(paper)).toBe('0');
    expect(paper.lines).toEqual([FOLLOWS, LOST]);
  });

  it('has the data of a bot on it stale at that very time', () => {
    const { clock, host, config, tells } = paperFixture();
    const bus = new Bus<TradingEvent>();
    const view = new MarketView({ clock, bus, staleAfterMs: config.staleAfterMs });
    const streams = new MarketStreams({
      ...{ clock, bus, config, logger: silentLogger, markets: new Map([[id, MARKET]]) },
      ...{ data: host.market, feed: host.marketFeed },
    });
    streams.depth(id).subscribe();
    tells.pushes = tells.answers = false;
    clock.advanceBy(3_999);
    expect(view.isFresh(id)).toBe(true);
    clock.advanceBy(1);
    expect(view.isFresh(id)).toBe(false);
  });

  it('follows it again with its next book', () => {
    const paper = paperFixture();
    paper.tells.pushes = paper.tells.answers = false;
    paper.clock.advanceBy(60_000);
    paper.tells.pushes = true;
    paper.tell(100);
    expect(buy(paper)).toBe('1');
    expect(paper.lines.filter((text) => [LOST, FOLLOWS].includes(text))).toEqual([
      ...[FOLLOWS, LOST, FOLLOWS],
    ]);
  });
});

describe('mirror, of a quiet venue', () => {
  it('keeps a book that the venue confirms when it is asked', () => {
    const paper = paperFixture();
    paper.clock.advanceBy(3_600_000);
    expect(buy(paper)).toBe('1');
    expect(paper.lines).toEqual([FOLLOWS]);
  });

  it('asks it where feeds are off', () => {
    const paper = paperFixture({ feeds: false });
    paper.tells.pushes = false;
    paper.tell(100);
    paper.clock.advanceBy(500);
    expect(bookOf(paper.host).asks).toEqual([[100, 5]]);
  });
});

describe('mirror, of a venue whose connection is lost', () => {
  const LOSS = { connected: false, reason: 'gone' };

  it('empties the book at once, and fills it with what the venue answers', () => {
    const paper = paperFixture();
    paper.tells.pushes = false;
    paper.connections.next(LOSS);
    expect(buy(paper)).toBe('0');
    paper.tell(100);
    paper.clock.advanceBy(1);
    expect(bookOf(paper.host).asks).toEqual([[100, 5]]);
    expect(paper.lines).toEqual([FOLLOWS, LOST, FOLLOWS]);
  });

  it('leaves it empty as long as the venue does not answer', () => {
    const paper = paperFixture();
    paper.tells.pushes = paper.tells.answers = false;
    paper.connections.next(LOSS);
    paper.clock.advanceBy(60_000);
    expect(bookOf(paper.host).asks).toEqual([]);
  });
});

describe('mirror, of a venue that tells what its market does not hold', () => {
  const tellBook = ({ told, clock }: ReturnType<typeof paperFixture>, bids: [number, number][]) => {
    const stamps = { exchangeTime: clock.now(), receivedTime: clock.now() };
    told.depths.next({ market: id, bids, asks: [[101, 5]], ...stamps });
  };

  it('rounds amounts that are too fine to the nearest, as those of recordings', () => {
    const paper = paperFixture();
    tellBook(paper, [
      [99, 0.1 + 0.2],
      [98, 0.12345678],
      [97, 1e-9],
    ]);
    expect(bookOf(paper.host).bids).toEqual([
      [99, 0.3],
      [98, 0.1235],
    ]);
  });

  it('empties the book where its prices are too fine, and follows it again with the next', () => {
    const paper = paperFixture();
    tellBook(paper, [[99.001, 1]]);
    expect(bookOf(paper.host)).toEqual({ bids: [], asks: [] });
    tellBook(paper, [[99.01, 1]]);
    expect(bookOf(paper.host).bids).toEqual([[99.01, 1]]);
    expect(paper.lines).toEqual([FOLLOWS, LOST, `a book of ${id} was left out`, FOLLOWS]);
  });

  it('rounds trades, and leaves out those of nothing and those that are too large', () => {
    const { host, told, clock, lines } = paperFixture();
    const stamps = { exchangeTime: clock.now(), receivedTime: clock.now() };
    const trade = { market: id, side: 'buy', price: 101, amount: 1, ...stamps } as const;
    told.trades.next([
      { ...trade, id: '1', amount: 1e300 },
      { ...trade, id: '2', amount: 1e-9 },
      { ...trade, id: '3', price: 0 },
      { ...trade, id: '4', price: 100.999, amount: 0.12345678 },
    ]);
    expect(answerOf(host.market.trades({ market: id }))).toMatchObject([
      { price: 101, amount: 0.1235 },
    ]);
    expect(lines).toEqual([FOLLOWS, `a trade of ${id} was left out`]);
  });
});

describe('mirror', () => {
  it('leaves out trades from before the minute in which it began: past candles hold them', () => {
    const { host, told, clock } = paperFixture();
    const trade = { market: id, side: 'buy', amount: 1, receivedTime: clock.now() } as const;
    told.trades.next([
      { ...trade, id: '1', price: 90, exchangeTime: START_MS - 1 },
      { ...trade, id: '2', price: 100, exchangeTime: START_MS },
    ]);
    const candles = answerOf(host.market.candles({ market: id, interval: '1min' }));
    expect(candles).toMatchObject([{ low: 100, volume: 1 }]);
  });

  it('plays those that come behind the first, by a clock of the venue that is behind, too', () => {
    const { host, told, clock } = paperFixture();
    const exchangeTime = START_MS - 180_000;
    const trade = { market: id, side: 'buy', amount: 1, receivedTime: clock.now() } as const;
    const at = (of: number, price: number) => ({ ...trade, id: String(of), price, exchangeTime });
    told.trades.next([at(8, 88), at(9, 89)]);
    told.trades.next([at(10, 90)]);
    // A renewed subscription begins with known trades.
    told.trades.next([at(7, 87), at(11, 91)]);
    const played = answerOf(host.market.trades({ market: id }));
    expect(played.map(({ price }) => price)).toEqual([90, 91]);
  });

  it('plays the trades that are pushed, until it is told to stop', () => {
    const { host, source, following, clock } = paperFixture();
    const print = () => {
      source.print({ takerSide: 'sell', price: 99, amount: 1 });
      clock.advanceBy(1_000);
    };
    place(host.account('bot')!, { price: 99.5, amount: 5 });
    print();
    expect(walletOf(host, 'bot').btc).toEqual(['1', '0']);
    following.unsubscribe();
    print();
    expect(walletOf(host, 'bot').btc).toEqual(['1', '0']);
  });
});
