import { expect, it } from 'vitest';
import {
  contractSource,
  unknownContractSource,
} from '../../../src/history/formats/contract-name.ts';

it.each([
  ['BTC-USDT', 'okx'],
  ['BTC-USDT-SWAP', 'okx'],
  ['BTC-USDT-240329', 'okx-240329'],
  ['BTC-USD-240329-50000-C', 'okx-240329-50000-c'],
  ['XRP-USD-240329-0.5-P', 'okx-240329-0.5-p'],
  ['BTCUSDT_240329', 'okx-240329'],
  ['BTC_USDT_20240329', 'okx-20240329'],
  ['BTCUSDT-29MAR24', 'okx-29mar24'],
  ['BTCUSDT', 'okx'],
  ['BTC-29MAR24', 'okx'],
  ['BTCUSDT_202401', 'okx'],
  ['1000000BABYDOGE-USDT', 'okx'],
])('contractSource of %s of OKX is %s', (symbol, source) => {
  expect(contractSource('okx', symbol)).toBe(source);
});

it.each([
  ['BTCUSD-PERP', 'futures'],
  ['btcusd_perp', 'futures'],
  ['BTC-PERPETUAL', 'futures'],
  ['BTC-USDT-SWAP', 'futures'],
  ['BTCUSDT.P', 'futures'],
  ['binance-BTCUSDT-future', 'futures'],
  ['BTCUSDT-29MAR24', 'futures-29mar24'],
  ['BTC-USDT', undefined],
  ['PERP-USDT', undefined],
  ['BRK.P', undefined],
  ['BTC_SWAPX', undefined],
])('unknownContractSource of %s is %s', (symbol, source) => {
  expect(unknownContractSource(symbol)).toBe(source);
});
