import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadBacktest, runBacktest } from '../../../../src/app/backtest/index.ts';
import { importData } from '../../../../src/app/history/index.ts';
import { orderValue } from '../../../../src/domain/index.ts';
import { Decimal } from '../../../../src/kernel/index.ts';
import { scratchFolder } from '../../fixture.ts';
import { backtestFile, LIMITS, MINUTE, START_MS } from '../fixture.ts';

const RATE = 0.0005;

/** Minutes of a market, as a program wrote them: their closes, and all of one volume. */
interface Written {
  readonly closes: readonly number[];
  readonly volume: number;
  /** What is held from the third minute on; it is sold two minutes later. */
  readonly amount: number;
  readonly market?: object;
  /** What there is to trade with. Default: much money. */
  readonly money?: object;
}

const MUCH = { usdt: '100000' };

/** Imports the minutes and buys and sells in them. */
async function traded(written: Written) {
  const { closes, volume, amount, market = {}, money = { balances: MUCH } } = written;
  const dataFolder = scratchFolder();
  const file = join(dataFolder, 'candles.json');
  const rows = closes.map((close, at) => [
    START_MS + at * MINUTE,
    close,
    close,
    close,
    close,
    volume,
  ]);
  writeFileSync(file, JSON.stringify(rows));
  await importData({ root: dataFolder, files: [file], market: 'btc_usdt', source: 'mine' });
  const settings = backtestFile({
    risk: LIMITS,
    strategies: [
      { use: './scripted.ts', name: 'scripted', params: { wishes: { 2: amount, 4: 0 } } },
    ],
    backtest: {
      ...{ data: { btc_usdt: 'mine.btc_usdt.1min' }, dataFolder },
      ...money,
      ...{ fees: { maker: RATE, taker: RATE }, markets: { btc_usdt: market } },
      fill: { model: 'candles', volumeCap: null },
    },
  });
  const { record } = await runBacktest({ deployment: loadBacktest(settings) });
  const [used] = record.markets;
  return {
    market: used!,
    fills: [...record.fills],
    findings: record.coverage[0]!.findings,
  };
}

/** How far fees are from their share of what was traded, in the quote currency. */
function feeErrors({ market, fills }: Awaited<ReturnType<typeof traded>>): number[] {
  return fills.map((fill) => {
    const { fee, feeCurrency, price } = fill;
    const inQuote = feeCurrency === market.quote ? fee : fee.times(Decimal.of(price));
    return inQuote.minus(orderValue(market, fill).times(Decimal.of(RATE))).toNumber();
  });
}

const rising = (price: number): number[] =>
  Array.from({ length: 6 }, (_, at) => price * 1.01 ** at);

const inHundredMillions = (units: number): number => units / 1e8;

describe('marketOf', () => {
  it.each([
    { what: 'shares as pandas writes them', closes: rising(187.149_993_896_484_38), amount: 1 },
    { what: 'coins as pandas writes them', closes: rising(42_265.187_512_345_67), amount: 1 },
    { what: 'a coin below a cent', closes: rising(0.003_219_876_543), amount: 100_000 },
    {
      what: 'one of 8 places',
      closes: [1234, 1240, 1250, 1251, 1260].map(inHundredMillions),
      amount: 5e6,
    },
  ])('charges what the rates say, of $what', async ({ closes, amount }) => {
    const result = await traded({ closes, volume: 50_131_537, amount });
    expect(result.fills[0]?.amount).toBe(amount);
    // A fee is rounded up to a unit of the currency that it is taken in.
    const unit = 1e-8 * Math.max(1, ...closes);
    for (const error of feeErrors(result)) {
      expect(error).toBeGreaterThanOrEqual(0);
      expect(error).toBeLessThanOrEqual(unit);
    }
  });

  it('leaves amounts their places where prices have many', async () => {
    const { market } = await traded({
      ...{ closes: rising(187.149_993_896_484_38), volume: 40.606_574_61, amount: 0.25 },
    });
    expect(market).toMatchObject({ priceScale: 11, amountScale: 8 });
  });

  it('counts a coin that is worth little in larger units', async () => {
    const closes = rising(0.000_012_345_678_912);
    const { market } = await traded({ closes, volume: 1_000.123_456_78, amount: 1e6 });
    expect(market).toMatchObject({ priceScale: 12, amountScale: 4 });
  });

  it.each([
    ['many', 80.123_456_789_1, 10],
    ['few', 80.123_45, 5],
  ])(
    'leaves room for all that the money buys of a coin that crashes, of %s places',
    async (...of) => {
      const [, first, priceScale] = of;
      const closes = [first, 80, 0.000_01, 0.000_01, 0.000_01, 0.000_01];
      const { market, fills } = await traded({ closes, volume: 1e12, amount: 2_000_000_000 });
      expect(market).toMatchObject({ priceScale, amountScale: 0 });
      expect(fills.map(({ side, amount }) => [side, amount])).toEqual([
        ['buy', 2_000_000_000],
        ['sell', 1_999_000_000],
      ]);
    },
  );

  it.each([
    ['money that is held', { balances: MUCH }],
    ['money that is lent', { balances: { usdt: '1' }, lent: MUCH }],
    ['coins that are held', { balances: { btc: '1250' } }],
  ])(
    'counts a coin that crashes in larger units where there is much to buy it: %s',
    async (_what, money) => {
      const closes = [80.123_456_789_1, 80, 0.000_01, 0.000_01, 0.000_01, 0.000_01];
      const { market } = await traded({ closes, volume: 1_000.123_456_78, amount: 1, money });
      expect(market.amountScale).toBe(5);
    },
  );
});

describe('marketOf by settings', () => {
  it('has the places that are set, and refuses those that leave prices no room', async () => {
    const written = { closes: rising(42_265.187_512_345_67), volume: 1, amount: 1 };
    expect((await traded({ ...written, market: { priceScale: 4 } })).market.priceScale).toBe(4);
    await expect(traded({ ...written, market: { priceScale: 12 } })).rejects.toThrow(
      /deployment\.yaml:\d+:\d+: Cannot open the market btc_usdt: its prices go up to 44421\.\d+, which leaves no room for 12 decimal places, backtest\.markets\.btc_usdt\.priceScale: 8 or less is wanted$/,
    );
  });

  it.each([
    { price: 0.0146, priceScale: 2, off: '34 %' },
    { price: 0.0146, priceScale: 5, off: '0.034 %' },
    { price: 0.0146, priceScale: 6, off: undefined },
    { price: 187.149_993_896_484_38, priceScale: 2, off: undefined },
  ])('tells that prices of $price are rounded to $priceScale places: $off', async (given) => {
    const { price, off, ...market } = given;
    const closes = [price, ...rising(price * 1.000_123_4)];
    const { findings } = await traded({ closes, volume: 1000, amount: 1, market });
    const [told] = findings;
    expect(findings).toHaveLength(off === undefined ? 0 : 1);
    if (off !== undefined) {
      expect(told).toContain('The prices of mine.btc_usdt.1min have up to');
      expect(told).toContain(
        `decimal places, the market has ${market.priceScale} ` +
          `(backtest.markets.btc_usdt.priceScale): rounding moves prices by up to ${off}.`,
      );
    }
  });

  it('has amounts of more places than eight where the money buys little of the coin', async () => {
    const written = { closes: rising(30_000), volume: 1, amount: 0.001_234_567_891 };
    const fine = (money: string) =>
      traded({ ...written, market: { amountScale: 12 }, money: { balances: { usdt: money } } });
    const { fills } = await fine('1000');
    expect(fills.map(({ amount, fee }) => [amount, String(fee)])).toEqual([
      [0.001_234_567_891, '0.000000617284'],
      [0.001_233_950_607, expect.any(String)],
    ]);
    await expect(fine('10000000')).rejects.toThrow(
      /deployment\.yaml:\d+:\d+: Cannot open the market btc_usdt: its amountScale is 12, which leaves a wallet too little room for btc; at most 11 is wanted/,
    );
  });
});
