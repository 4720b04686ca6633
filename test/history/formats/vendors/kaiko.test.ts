import { describe, expect, it } from 'vitest';
import { rowsOf, START, Store } from '../../store/fixture.ts';

const ROWS = [
  [START, Number.NaN, 100, 5, -1],
  [START + 1, Number.NaN, 101, 4, 1],
];
const NOTE = 'is of a derivative, whose amounts Kaiko gives in the base currency, in the quote';

function file(exchange: string, symbol: string): string {
  const of = `${exchange},${symbol}`;
  const rows = [`1,${of},${START},100,5,true`, `2,${of},${START + 1},101,4,false`];
  return `id,exchange,symbol,date,price,amount,sell\n${rows.join('\n')}\n`;
}

function answer(instrumentClass: string): string {
  const data = ROWS.map(([timestamp, , price, amount, side], at) => ({
    ...{ timestamp, trade_id: `${at + 1}`, price: `${price}`, amount: `${amount}` },
    taker_side_sell: side === -1,
  }));
  const query = { exchange: 'bbit', instrument_class: instrumentClass, instrument: 'btc-usdt' };
  return JSON.stringify({ query, time: 'x', data, result: 'success' });
}

describe('kaikoTrades', () => {
  it.each([
    ['a perpetual', 'x.csv', file('bw', 'btcusdt_perp'), true],
    ['an exchange of derivatives', 'x.csv', file('bitmex', 'btc-usdt'), true],
    ['spot', 'x.csv', file('binance', 'btc-usdt'), false],
    ['an answer for a perpetual', 'x.json', answer('perpetual-future'), true],
    ['an answer for spot', 'x.json', answer('spot'), false],
  ])('says of %s what amounts may count: %s', async (_what, name, text, isDerivative) => {
    const store = new Store();
    const told = await store.told(store.file(name, text), { market: 'btc_usdt' });
    expect(told).toEqual(isDerivative ? [expect.stringContaining(NOTE)] : []);
    const source = isDerivative ? 'futures' : 'local';
    expect(await rowsOf(store.dataset(`${source}.btc_usdt.trades`))).toEqual(ROWS);
  });
});
