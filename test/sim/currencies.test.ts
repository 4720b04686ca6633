import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/kernel/index.ts';
import { Currencies } from '../../src/sim/currencies.ts';
import { chainSchema } from '../../src/sim/funds/config.ts';
import { makeMarket } from '../domain/fixture.ts';
import { exchangeFixture, MARKET, place, walletOf } from './fixture.ts';

const FINE_FEE = { chains: [chainSchema.parse({ name: 'A', withdrawalFee: '0.0000001' })] };
const FINE_LEAST = { chains: [chainSchema.parse({ name: 'A', minWithdrawal: '0.0000001' })] };

describe('Currencies of which much is held', () => {
  test('leave room for a hundred times what is held at the start, where that is much', () => {
    const held = (usdt: string) => new Map([['usdt', Decimal.of(usdt)]]);
    const scaleOf = (usdt: string) => {
      return new Currencies([MARKET], { held: held(usdt) }).scaleOf('usdt');
    };
    const amounts = ['45000000', '46000000', '100000000', '1000000000000000'];
    expect(amounts.map(scaleOf)).toEqual([8, 6, 5, 0]);
    const coins = new Map([['btc', Decimal.of('100000000000')]]);
    expect(new Currencies([MARKET], { held: coins }).scaleOf('btc')).toBe(MARKET.amountScale);
    const used = new Map([['usdt', 7]]);
    expect(new Currencies([MARKET], { held: held('46000000'), used }).scaleOf('usdt')).toBe(7);
  });

  test.each([
    ['nothing but what is held', {}, {}, 6],
    ['the places of what is held', { usdt: '0.1234567' }, {}, 7],
    ['no zeros behind it', { usdt: '0.50000000' }, {}, 6],
    ['places that are set', {}, { decimals: 8 }, 8],
    ['those of fees', {}, FINE_FEE, 7],
    ['those of least amounts', {}, FINE_LEAST, 7],
  ])('heed %s where room is made', (_what, cross, usdt, scale) => {
    const balances = { usdt: '90000000' };
    const marginBalances = { cross };
    const { exchange } = exchangeFixture({
      accounts: [{ name: 'alice', balances, marginBalances }],
      currencies: { usdt },
    });
    expect(exchange.scaleOf('usdt')).toBe(scale);
  });

  test('let a market of small money be traded', () => {
    const market = makeMarket({ id: 'btc_krw', quote: 'krw', priceScale: 0 });
    const { alice, exchange, liquidity } = exchangeFixture({
      markets: [market],
      accounts: [{ name: 'alice', balances: { krw: '90000000', btc: '2' } }],
    });
    liquidity.setLevel({ side: 'buy', price: 150_000_000, amount: 5 });
    place(alice, { market: market.id, side: 'sell', price: 150_000_000, amount: 2 });
    expect(walletOf(exchange, 'alice').krw).toEqual(['390000000', '0']);
  });
});
