import { describe, expect, it } from 'vitest';
import { loadBacktest } from '../../../src/app/backtest/index.ts';
import { AppError } from '../../../src/app/errors.ts';
import { backtestFile, LIMITS, type ReplayOptions, replayed } from './fixture.ts';

const FREE = { maker: 0, taker: 0, in: 'quote' };

function charged(fees: object, options: Partial<ReplayOptions> = {}) {
  const { minutes = [100, 100, 100, 100].map((close) => ({ close })), script = {} } = options;
  const backtest = { ...options.backtest, fees: { ...FREE, ...fees } };
  const { settings } = options;
  return replayed({ minutes, script, backtest, ...(settings && { settings }) });
}

/** What is wrong with the fees of a deployment. */
function problemsOf(fees: object, more = {}): string[] {
  const settings = {
    strategies: [{ use: 'ema-cross', params: { amount: 1 } }],
    backtest: { balances: { usdt: '1' }, fees },
    ...more,
  };
  try {
    loadBacktest(backtestFile(settings));
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(AppError);
    return (thrown as AppError).message.split('\n').map((line) => line.split('Cannot use ')[1]!);
  }
  return [];
}

describe('backtest.fees', () => {
  it('takes what orders are charged in the quote currency alone', () => {
    const every = {
      perOrder: 1,
      perUnit: 0.01,
      least: 1,
      most: 0.01,
      buyTax: 0.005,
      sellTax: 0.001,
    };
    expect(problemsOf({ ...every, in: 'base' })).toEqual(
      Object.keys(every).map(
        (key) =>
          `"backtest.fees.${key}": it is money of the quote currency, and fees are taken in: base, ` +
          'in: quote is wanted',
      ),
    );
    expect(problemsOf({ perOrder: 1 })[0]).toMatch(/taken in: received, in: quote is wanted$/);
    expect(problemsOf({ perOrder: 1, least: 2, in: 'quote' })).toEqual([]);
    expect(problemsOf({ perOrder: 0, in: 'base' })).toEqual([]);
  });

  it('takes money of eight decimal places', () => {
    expect(problemsOf({ perUnit: 0.00000001, in: 'quote' })).toEqual([]);
    expect(problemsOf({ perUnit: 0.000000001, in: 'quote' })).toEqual([
      '"backtest.fees.perUnit": it is 1e-9, a number of at most 8 decimal places is wanted',
    ]);
  });

  it('takes rates of whole millionths, in the deployment too', () => {
    expect(problemsOf({ maker: 0.000001, taker: 0.0255 })).toEqual([]);
    const wanted = 'it is 5e-7, a fraction of at most 6 decimal places is wanted';
    expect(problemsOf({ maker: 5e-7 })).toEqual([`"backtest.fees.maker": ${wanted}`]);
    expect(problemsOf({}, { fees: { taker: 5e-7 } })).toEqual([`"fees.taker": ${wanted}`]);
  });

  it('changes nothing of a run where it charges nothing', async () => {
    const options = { script: { 1: 1, 2: 0 } };
    const hashes = [{}, { perOrder: 0, perUnit: 0, least: 0, buyTax: 0 }].map(async (fees) => {
      const { record } = await charged(fees, options);
      return record.journalHash;
    });
    const [plain, zero] = await Promise.all(hashes);
    expect(zero).toBe(plain);
  });
});

describe('a run whose orders are charged', () => {
  it('says what they are charged', async () => {
    const fees = { perOrder: 1.5, perUnit: 0.005, least: 2, most: 0.01, sellTax: 0.0005 };
    const { record } = await charged(fees);
    expect(record.fillModel?.confession).toContain(
      'On top of the rates an order is charged 1.5 usdt once; 0.005 usdt for each unit; at ' +
        'least 2 usdt, due with its first fill; at most 1 % of what it trades; 0.05 % of what it ' +
        'sells as a tax. A sell pays its fee out of its proceeds, then out of the free balance; a ' +
        'rest is charged with its next fills, or never if there are none.',
    );
    const plain = JSON.stringify((await charged({})).record.fillModel);
    expect(plain).not.toMatch(/an order is charged|A sell pays its fee/);
    const { record: rounded } = await charged({ scale: 2 });
    expect(rounded.fillModel?.confession).toContainEqual(
      expect.stringMatching(/^Its fee is rounded to the nearest of 2 decimal places\. A sell pays/),
    );
  });

  it('charges one that is filled by many candles as one', async () => {
    const { record, orders } = await charged(
      { perUnit: 1, least: 1.5 },
      {
        minutes: [100, 100, 99, 98, 97].map((close) => ({ close, volume: 10 })),
        script: { 0: { bids: [{ price: 100, amount: 3 }] } },
        backtest: { fill: { model: 'candles', volumeCap: 0.1 } },
      },
    );
    const fills = Array.from(record.fills, ({ amount, fee }) => [amount, fee.toNumber()]);
    expect(fills).toEqual([
      [1, 1.5],
      [1, 0.5],
      [1, 1],
    ]);
    expect(Array.from(orders, ({ fee }) => [...fee])).toEqual([[3]]);
  });

  it.each([
    ['104.99', []],
    ['105', [['buy', 1, 104]]],
  ])('lets %s usdt pay for no more than they can, fee and all', async (usdt, bought) => {
    const { record, trades, events } = await charged(
      { perOrder: 0.75, perUnit: 0.25 },
      {
        minutes: [104, 104, 104, 104].map((close) => ({ close })),
        script: { 1: { bids: [{ price: 104, amount: 1 }] } },
        backtest: { balances: { usdt } },
      },
    );
    expect(trades.map(([side, amount, price]) => [side, amount, price])).toEqual(
      bought.map(([side, amount]) => [side, amount, 104]),
    );
    const sent = events.filter(({ kind }) => kind === 'order').length;
    expect(sent > 0).toBe(bought.length > 0);
    const told =
      'Risk refused once (balance), at 2024-01-01 00:02 UTC in btc_usdt: 105 usdt, its fee of 1 ' +
      'included, wanted: at most 104.99 usdt (backtest.balances.usdt).';
    expect(record.notes ?? []).toEqual(bought.length > 0 ? [] : [told]);
  });

  it('sells nothing that is worth less than its fee, and says so', async () => {
    const { record, trades } = await charged({ perOrder: 5 }, { script: { 1: -0.04 } });
    expect(trades).toEqual([]);
    expect(record.notes).toEqual([
      expect.stringMatching(
        /^Risk refused .*\(belowMinimum\), .* 3\.992 usdt, wanted: its fee of 5 usdt at least\.$/,
      ),
    ]);
  });
});

describe('a run with huge balances, which are counted in whole ones', () => {
  it.each([
    ['49999749999001', 0],
    ['49999749999002', 1],
  ])('lets %s usdt pay for no more than they can, its fee a whole one', async (usdt, bought) => {
    const price = 499_999_999.99;
    const most = { orderValueMax: 1e14, openValueMax: 1e14, positionValueMax: 1e14 };
    const { record, trades, events } = await charged(
      { perOrder: 0.5 },
      {
        minutes: [price, price, price, price].map((close) => ({ close, volume: 1e6 })),
        script: { 1: { bids: [{ price, amount: 99_999.5 }] } },
        backtest: { balances: { usdt } },
        settings: { risk: { ...LIMITS, ...most } },
      },
    );
    expect(trades).toHaveLength(bought);
    expect(events.some(({ kind }) => kind === 'order')).toBe(bought > 0);
    const told =
      'Risk refused once (balance), at 2024-01-01 00:02 UTC in btc_usdt: 49999749999002 usdt, its ' +
      'fee of 1 included, wanted: at most 49999749999001 usdt (backtest.balances.usdt).';
    expect(record.notes ?? []).toEqual(bought > 0 ? [] : [told]);
  });
});
