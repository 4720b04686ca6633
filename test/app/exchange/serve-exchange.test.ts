import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { filter, firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { followVenue } from '../../../src/app/exchange/follow-venue.ts';
import { systemClock } from '../../../src/app/time/system-clock.ts';
import { type Clock, elapsedMs, seededRandom, silentLogger } from '../../../src/kernel/index.ts';
import { SimulatedExchange } from '../../../src/sim/index.ts';
import { keptLines } from '../../kernel/fixture.ts';
import { tickDataset, tradeRows } from '../backtest/tick-fixture.ts';
import { LIVELY_MARKET, scratchFile, scratchFolder, twoTrades } from '../fixture.ts';
import { served } from './fixture.ts';

/** That of config/exchange.yaml. */
const BUNDLED_KEY = {
  accessKey: '7f3c1b52-1f0e-4a5b-9c61-demo00000001',
  secretKey: 'a9d0c6de-5d4e-4a9e-8f5b-demo00000002',
};

/** What the bundled account has of each currency, as its key is answered. */
async function balancesOf(client: Awaited<ReturnType<typeof served>>['client']) {
  const { balances } = await firstValueFrom(client(BUNDLED_KEY).account.account());
  return Object.fromEntries(balances.map(({ currency, available }) => [currency, `${available}`]));
}

describe('serveExchange', () => {
  it('serves the bundled exchange, and shows its keys without their secrets', async () => {
    const { exchange } = await served();
    const markets = await (await fetch(`${exchange.dataUrl}/data/v1/markets`)).json();
    expect(Object.keys(markets as object)).toEqual(['btc_usdt', 'eth_usdt']);
    expect(JSON.stringify(exchange)).not.toContain('secret');
    expect(exchange.resting('main')).toBe(0);
  });

  it('takes dialect and port of the command line before those of the file', async () => {
    const file = scratchFile('a.yaml', 'server: { port: 1, dialect: documented }');
    const { exchange } = await served({ file, dialect: 'recorded' });
    expect(exchange.dialect).toBe('recorded');
    expect(exchange.port).toBeGreaterThan(1);
  });

  it('says that its admin port is in use, and serves nothing then', async () => {
    const { exchange } = await served({ adminPort: 0 });
    const adminPort = Number(new URL(exchange.adminUrl!).port);
    await expect(served({ adminPort })).rejects.toMatchObject({ reason: 'exchange' });
  });

  it('lets scaled time begin once what it plays was read, however long that took', async () => {
    let readMs = 0;
    const clock: Clock = {
      ...systemClock,
      now: () => systemClock.now() + readMs,
      elapsedMs: () => elapsedMs(systemClock) + readMs,
    };
    const write = (line: string): void => {
      if (line.includes('read as a whole before it plays')) readMs = 3_600_000;
    };
    const log = { isTerminal: false, write };
    const { exchange } = await served({ clock, log, scale: 100, replay: [twoTrades()] });
    const answer = await fetch(`${exchange.dataUrl}/data/v1/ticker?market=xrp_eth`);
    const { date } = (await answer.json()) as { readonly date: string };
    expect(Number(date) - clock.now()).toBeLessThan(3_600_000);
  });

  it('has no admin port unless told', async () => {
    const { exchange } = await served();
    expect([exchange.adminUrl, exchange.time]).toEqual([undefined, { mode: 'real', scale: 1 }]);
  });

  it('says where an amount stands that no wallet holds', async () => {
    const text = 'accounts: [{ name: main, balances: { idr: "10000000000000000" } }]';
    const file = scratchFile('much.yaml', text);
    await expect(served({ file })).rejects.toMatchObject({
      reason: 'configuration',
      message: expect.stringMatching(/much\.yaml:1:38: Cannot hold 10000000000000000 idr: from 0 /),
    });
  });

  it('says that its port is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    await expect(served({ port })).rejects.toMatchObject({
      reason: 'exchange',
      message: `Cannot serve the exchange: port ${port} is in use, a free one in --port or server.port is wanted (0 finds one)`,
    });
    blocker.close();
  });

  it('looks at its port before it reads what it plays, and lets go of it again', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    const lines: string[] = [];
    const log = { isTerminal: false, write: (line: string) => void lines.push(line) };
    await expect(served({ port, log, replay: [twoTrades()] })).rejects.toMatchObject({
      message: expect.stringContaining(`port ${port} is in use`),
    });
    expect(lines).toEqual([]);
    await once(blocker.close(), 'close');
    const { exchange } = await served({ port, replay: [twoTrades()] });
    expect(exchange.port).toBe(port);
  });
});

describe('serveExchange, of recordings,', () => {
  it('plays a recording in place of the seeded markets, with play money for it', async () => {
    const replay = join(scratchFolder(), 'XRP_ETH-trades.json');
    writeFileSync(
      replay,
      JSON.stringify([[1_570_752_000_000, '1', null, 'sell', 0.0014, 5, 0.007]]),
    );
    const { exchange, client } = await served({ replay: [replay], speed: 1_000 });
    expect(exchange.markets).toEqual(['xrp_eth']);
    expect(await balancesOf(client)).toEqual({ xrp: '7142857.1429', eth: '10000' });
  });

  it('plays datasets, a market each, with play money for all', async () => {
    const rows = tradeRows([[0, 'buy', 100]]);
    const { root } = await tickDataset({ kind: 'trades', rows });
    const replay = ['venue.btc_usdt.trades', twoTrades()];
    const times = { time: 'stepped', adminPort: 0 } as const;
    const { exchange, client } = await served({ replay, dataFolder: root, ...times });
    expect(exchange.markets).toEqual(['btc_usdt', 'xrp_eth']);
    const answer = await fetch(`${exchange.dataUrl}/data/v1/ticker?market=btc_usdt`);
    expect(((await answer.json()) as { ticker: { last: string } }).ticker.last).toBe('100');
    const money = { btc: '100', usdt: '10000', eth: '10000' };
    expect(await balancesOf(client)).toMatchObject(money);
  });

  it('plays no two recordings in one market', async () => {
    const replay = [twoTrades(), twoTrades()];
    await expect(served({ replay })).rejects.toMatchObject({
      reason: 'configuration',
      message: expect.stringMatching(
        /^Cannot replay .*: .*XRP_ETH-trades\.json plays in xrp_eth too, one recording a market is wa/,
      ),
    });
  });

  it.each([
    [1, 60_000],
    [10, 6_000],
  ])('plays a recording by its own time: at speed %i a minute takes %i ms', async (speed, ms) => {
    const times = { time: 'stepped', adminPort: 0 } as const;
    const { exchange } = await served({ replay: [twoTrades()], speed, ...times });
    const last = async (): Promise<string> => {
      const answer = await fetch(`${exchange.dataUrl}/data/v1/ticker?market=xrp_eth`);
      return ((await answer.json()) as { ticker: { last: string } }).ticker.last;
    };
    const advance = async (stepMs: number) => {
      const body = JSON.stringify({ ms: stepMs });
      expect((await fetch(`${exchange.adminUrl}/time/advance`, { method: 'POST', body })).ok).toBe(
        true,
      );
    };
    expect(await last()).toBe('0.0014');
    await advance(ms - 1);
    expect(await last()).toBe('0.0014');
    await advance(1);
    expect(await last()).toBe('0.0015');
  });
});

describe('serveExchange, beside recordings and a followed venue,', () => {
  const recordings = (settings: object = {}) => [{ file: twoTrades(), ...settings }];
  const configured = (settings: object) =>
    served({ file: scratchFile('exchange.yaml', stringify(settings)) });

  it.each([
    ['no other market where none is listed', {}, ['xrp_eth']],
    ['what is listed too', { markets: [LIVELY_MARKET] }, ['btc_usdt', 'xrp_eth']],
  ])('opens %s', async (_what, settings, markets) => {
    const { exchange } = await configured({ recordings: recordings(), ...settings });
    expect(exchange.markets).toEqual(markets);
  });

  it('opens no other market for what the command line replays with a file', async () => {
    const file = scratchFile('exchange.yaml', 'seed: mine');
    const { exchange } = await served({ file, replay: [twoTrades()] });
    expect(exchange.markets).toEqual(['xrp_eth']);
  });

  it('opens no exchange without a market', async () => {
    await expect(configured({ markets: [] })).rejects.toMatchObject({
      reason: 'configuration',
      message:
        'Cannot open the exchange: it has no market, one that is listed or recorded is wanted',
    });
  });

  it('plays nothing in a market whose prices are made up', async () => {
    const settings = { recordings: recordings({ market: 'btc_usdt' }), markets: [LIVELY_MARKET] };
    await expect(configured(settings)).rejects.toMatchObject({
      reason: 'configuration',
      message: expect.stringMatching(
        /^Cannot replay .*XRP_ETH-trades\.json: btc_usdt is listed with `synthetic`, one source of pr/,
      ),
    });
  });

  it('takes rules of a listed market, and its prices from the recording alone', async () => {
    const markets = [{ id: 'xrp_eth', priceScale: 5, minSize: 0.5 }];
    const admin = { time: { mode: 'stepped' }, admin: { port: 0 } };
    const { exchange } = await configured({ recordings: recordings(), markets, ...admin });
    const read = async (path: string) => (await fetch(exchange.dataUrl + path)).json();
    expect(await read('/data/v1/markets')).toMatchObject({ xrp_eth: { priceScale: 5 } });
    const body = JSON.stringify({ ms: 59_000 });
    await fetch(`${exchange.adminUrl}/time/advance`, { method: 'POST', body });
    const trades = (await read('/data/v1/trades?market=xrp_eth')) as { price: string }[];
    expect(trades.map(({ price }) => Number(price))).toEqual([0.0014]);
  });

  it('follows a venue in listed markets alone', async () => {
    const { exchange } = await served();
    const { dataUrl, pushUrl } = exchange;
    const follow = { dataUrl, pushUrl };
    await expect(configured({ follow })).rejects.toMatchObject({
      reason: 'configuration',
      message: expect.stringContaining(
        `Cannot follow ${dataUrl}: no market is left for it to fill`,
      ),
    });
    const following = await configured({ follow, markets: [{ id: 'eth_usdt' }] });
    expect(following.exchange.markets).toEqual(['eth_usdt']);
  });
});

describe('followVenue', () => {
  const options = { clock: systemClock, logger: silentLogger, random: seededRandom(1) };

  it('keeps a market like the venue’s: rules, past candles, book', async () => {
    const market = { ...LIVELY_MARKET, priceScale: 1 };
    const { exchange } = await served({
      file: scratchFile('a.yaml', stringify({ markets: [market] })),
    });
    const venue = await followVenue(exchange, { ...options, markets: ['btc_usdt'] });
    expect(venue.markets).toMatchObject([{ id: 'btc_usdt', priceScale: 1, amountScale: 5 }]);
    const { clock } = options;
    const host = new SimulatedExchange({ clock, markets: venue.markets, accounts: [] });
    const books = host.marketFeed.depth('btc_usdt');
    const mirrored = firstValueFrom(books.pipe(filter(({ bids }) => bids.length > 0)));
    await venue.fill(host);
    const { bids, asks } = await mirrored;
    expect(bids[0]![0]).toBeLessThan(asks[0]![0]);
    const query = { market: 'btc_usdt', interval: '1min' } as const;
    expect((await firstValueFrom(host.market.candles(query))).length).toBeGreaterThan(50);
    await venue.close();
  });

  it('empties the book and says so when the venue is lost', async () => {
    const { exchange, close } = await served();
    const { lines: told, logger } = keptLines();
    const venue = await followVenue(exchange, { ...options, logger, markets: ['btc_usdt'] });
    const host = new SimulatedExchange({ ...options, markets: venue.markets, accounts: [] });
    const books = host.marketFeed.depth('btc_usdt');
    const filled = firstValueFrom(books.pipe(filter(({ bids }) => bids.length > 0)));
    await venue.fill(host);
    await filled;
    const emptied = firstValueFrom(books.pipe(filter(({ bids }) => bids.length === 0)));
    await close();
    expect((await emptied).asks).toEqual([]);
    expect(told).toContain('btc_usdt is empty: the venue it follows is lost');
    await venue.close();
  });

  it('says that the venue does not answer', async () => {
    const source = { dataUrl: 'http://127.0.0.1:9', pushUrl: 'ws://127.0.0.1:9' };
    await expect(followVenue(source, { ...options, markets: [] })).rejects.toMatchObject({
      reason: 'exchange',
      message: expect.stringContaining('Cannot follow http://127.0.0.1:9: '),
    });
  });

  it('says that the venue lacks a market', async () => {
    const { exchange } = await served();
    await expect(followVenue(exchange, { ...options, markets: ['x_y'] })).rejects.toMatchObject({
      reason: 'configuration',
    });
  });
});
