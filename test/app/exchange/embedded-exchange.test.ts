import { firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { exchangeSchema, withMarkets } from '../../../src/app/config/exchange.ts';
import { logConfigSchema } from '../../../src/app/config/log.ts';
import { openEmbeddedExchange } from '../../../src/app/exchange/embedded-exchange.ts';
import { createLogger } from '../../../src/app/log/logging.ts';
import { RehearsalClock } from '../../../src/app/time/rehearsal-clock.ts';
import type { Amount, Market, Price } from '../../../src/domain/index.ts';
import { seededRandom, VirtualClock } from '../../../src/kernel/index.ts';
import { keptLog, scratchFile } from '../fixture.ts';

/** An exchange of these settings, and what it logs. */
async function opened(settings: object, clock = new VirtualClock(Date.UTC(2024, 0, 1))) {
  const log = keptLog();
  const exchange = await openEmbeddedExchange(withMarkets(exchangeSchema.parse(settings)), {
    openClock: () => clock,
    logger: createLogger(logConfigSchema.parse({}), { target: log, clock }),
    random: seededRandom('test'),
    resolveFile: (file) => file,
  });
  return { ...exchange, lines: log.lines };
}

/** The decimal places that the exchange counts its coin in, by where its price begins. */
async function coinPlaces(startPrice: number): Promise<number> {
  const synthetic = { startPrice };
  const { host, close } = await opened({
    markets: [{ id: 'foo_usdt', priceScale: 12, amountScale: 0, minAmount: 0, synthetic }],
  });
  const { scale } = host.totalOf('foo');
  await close();
  return scale;
}

/** The market of a recorded trade of that amount. */
async function marketOf(amount: number): Promise<Market> {
  const file = scratchFile(
    'trades.csv',
    `time,price,amount,side\n1570752000000,60000,${amount},buy`,
  );
  const { host, close } = await opened({ recordings: [{ file, market: 'btc_usdt' }] });
  const [market] = await firstValueFrom(host.market.markets());
  await close();
  return market!;
}

/** What is logged of a replay of two trades, a second apart, that goes on for so long. */
async function linesAfter(playMs: number): Promise<string[]> {
  const rows = [1_570_752_000_000, 1_570_752_001_000].map((time) => [
    ...[time, '1', null, 'sell', 0.0014, 5, 0.007],
  ]);
  const file = scratchFile('btc_usdt.json', JSON.stringify(rows));
  const clock = new RehearsalClock(0);
  const { close, lines } = await opened({ recordings: [{ file }] }, clock);
  clock.advanceBy(playMs);
  await clock.settled();
  clock.advanceBy(1);
  await close();
  return lines;
}

describe('openEmbeddedExchange of a recording', () => {
  it('tells what may be wrong with it, its end, and that of the exchange before it', async () => {
    const lines = await linesAfter(5_000);
    expect(lines[0]).toMatch(/"recording":.*read as a whole before it plays/);
    expect(lines[1]).toMatch(/"level":"warn",.*"msg":"btc_usdt.json has 1 conflict/);
    expect(lines[2]).toMatch(/"market":"btc_usdt","speed":1,.*the recording begins/);
    expect(lines.at(-1)).toMatch(/"records":2.*the recording is over/);
    expect((await linesAfter(500)).at(-1)).toMatch(/"records":1.*the exchange ends before the rec/);
  });
});

it.each([
  [0.013, 3],
  [0.01 + 0.003, 8],
])('openEmbeddedExchange plays amounts like %d with %i decimal places', async (amount, places) => {
  const step = Number(`1e-${places}`);
  expect(await marketOf(amount)).toMatchObject({ amountScale: places, minAmount: step });
});

describe('openEmbeddedExchange', () => {
  it('counts a coin of fine prices by what it is worth', async () => {
    expect(await coinPlaces(100)).toBe(8);
    expect(await coinPlaces(0.000_012)).toBe(4);
  });
});

describe('openEmbeddedExchange, where a bot falls silent,', () => {
  it('tells of the orders that its timed cancel takes away, once', async () => {
    const markets = [{ id: 'foo_usdt', priceScale: 2, amountScale: 3, minAmount: 0 }];
    const accounts = [{ name: 'main', balances: { usdt: '1000' } }];
    const clock = new VirtualClock(0);
    const { host, close, lines } = await opened({ markets, accounts }, clock);
    const { trading } = host.account('main')!;
    const terms = { market: 'foo_usdt', side: 'buy', type: 'limit' } as const;
    const call = () => trading.cancelAllAfter('foo_usdt').subscribe();
    trading.place({ ...terms, price: 10 as Price, amount: 1 as Amount }).subscribe();
    call();
    clock.advanceBy(60_000);
    call();
    clock.advanceBy(60_000);
    await close();
    const told = lines.filter((line) => line.includes('timed cancel'));
    expect(told.map((line) => JSON.parse(line))).toMatchObject([
      { account: 'main', market: 'foo_usdt', orders: 1 },
    ]);
  });
});
