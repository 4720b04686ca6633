import { filter, firstValueFrom, throwError } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadDeployment } from '../../../src/app/load-deployment.ts';
import { systemClock } from '../../../src/app/time/system-clock.ts';
import { openVenue } from '../../../src/app/venue/venue.ts';
import { ExchangeFailure } from '../../../src/exchange/index.ts';
import { seededRandom, silentLogger } from '../../../src/kernel/index.ts';
import { SimulatedExchange } from '../../../src/sim/index.ts';
import { serveZb } from '../../../src/venues/zb/server/index.ts';
import { MARKET } from '../../sim/fixture.ts';
import { deploymentFile } from '../fixture.ts';

/** What the account of a simulated venue may do, as its run is told. */
async function permissionsOf(transport: string, permissions: object) {
  const accounts = [{ name: 'main', balances: { usdt: '1' }, permissions }];
  const file = deploymentFile({ venue: { kind: 'simulated', transport, accounts } });
  const venue = await openVenue(loadDeployment(file), {
    ...{ clock: systemClock, logger: silentLogger, random: seededRandom('permissions') },
  });
  onTestFinished(() => venue.close());
  return (await firstValueFrom(venue.exchange.account.account())).permissions;
}

describe('openVenue, simulated,', () => {
  it.each(['loopback', 'process'])(
    'lets the run do what its account may: %s',
    async (transport) => {
      const most = { withdrawals: true, orders: true };
      expect(await permissionsOf(transport, most)).toMatchObject(most);
      const least = { withdrawals: false, orders: false };
      expect(await permissionsOf(transport, least)).toMatchObject(least);
    },
  );
});

describe('openVenue, of markets without a source of prices,', () => {
  const warned = async (venue: object): Promise<unknown[]> => {
    const told: unknown[] = [];
    const logger = { ...silentLogger, warn: (fields: object) => void told.push(fields) };
    const file = deploymentFile({ venue: { kind: 'simulated', transport: 'process', ...venue } });
    const opened = await openVenue(loadDeployment(file), {
      ...{ clock: systemClock, logger, random: seededRandom('source') },
    });
    await opened.close();
    return told;
  };
  const BARE = { id: 'btc_usdt', priceScale: 2, amountScale: 4 };

  it('warns of each that is traded', async () => {
    const other = { ...BARE, id: 'eth_usdt' };
    expect(await warned({ markets: [BARE, other] })).toEqual([{ market: 'btc_usdt' }]);
  });

  it('says nothing of one that is made up, by default too', async () => {
    const synthetic = { startPrice: 30_000 };
    expect(await warned({ markets: [{ ...BARE, synthetic }] })).toEqual([]);
    expect(await warned({})).toEqual([]);
  });
});

const FAILURE = new ExchangeFailure('limited', 'Cannot read depth: it is silent');

/** A quiet venue, whose book never changes, until it is silent: then every request for it fails. */
async function quietVenue() {
  const clock = systemClock;
  const host = new SimulatedExchange({ clock, markets: [MARKET], accounts: [] });
  host.tellBook(MARKET.id, { bids: [[99, 1]], asks: [[101, 1]] });
  const { market: asked, marketFeed } = host;
  let isSilent = false;
  const market: typeof asked = {
    markets: () => asked.markets(),
    ticker: (id) => asked.ticker(id),
    tickers: () => asked.tickers(),
    trades: (query) => asked.trades(query),
    candles: (query) => asked.candles(query),
    depth: (query) => (isSilent ? throwError(() => FAILURE) : asked.depth(query)),
  };
  const served = await serveZb({
    host: { market, marketFeed, account: () => undefined },
    ...{ clock, logger: silentLogger, port: 0, keys: [] },
  });
  onTestFinished(() => served.close());
  const silence = () => {
    isSilent = true;
  };
  return { follow: { dataUrl: served.dataUrl, pushUrl: served.pushUrl }, silence };
}

describe('openVenue, following another,', () => {
  it('has no book once that has been silent for as long as makes data stale', async () => {
    const { follow, silence } = await quietVenue();
    const venue = { kind: 'simulated', transport: 'process', follow, markets: [{ id: MARKET.id }] };
    const file = deploymentFile({ venue, data: { staleAfterMs: { depth: 50 } } });
    const opened = await openVenue(loadDeployment(file), {
      ...{ clock: systemClock, logger: silentLogger, random: seededRandom('follow') },
    });
    onTestFinished(() => opened.close());
    const books = opened.exchange.marketFeed!.depth(MARKET.id);
    const whole = firstValueFrom(books.pipe(filter(({ bids }) => bids.length > 0)));
    expect((await whole).asks).toEqual([[101, 1]]);
    silence();
    const none = firstValueFrom(books.pipe(filter(({ bids }) => bids.length === 0)));
    expect((await none).asks).toEqual([]);
  });
});

describe('openVenue, of an account that holds much,', () => {
  const opened = (balances: object) => {
    const accounts = [{ name: 'main', balances }];
    const file = deploymentFile({ venue: { kind: 'simulated', transport: 'process', accounts } });
    return openVenue(loadDeployment(file), {
      ...{ clock: systemClock, logger: silentLogger, random: seededRandom('much') },
    });
  };

  it('holds billions of a small currency', async () => {
    const venue = await opened({ idr: '90000000000' });
    const { balances } = await firstValueFrom(venue.exchange.account.account());
    const idr = balances.find(({ currency }) => currency === 'idr');
    expect(String(idr?.available)).toBe('90000000000');
    await venue.close();
  });

  it('says where an amount stands that it cannot hold', async () => {
    await expect(opened({ idr: '10000000000000000' })).rejects.toMatchObject({
      reason: 'configuration',
      message: expect.stringMatching(
        /deployment\.yaml:\d+:\d+: Cannot hold 10000000000000000 idr: from 0 to 9007199254740991 w/,
      ),
    });
  });
});
