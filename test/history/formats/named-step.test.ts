import { describe, expect, it } from 'vitest';
import { namedStep } from '../../../src/history/formats/named-step.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/index.ts';

describe('namedStep', () => {
  it.each([
    ['data/BTCUSDT-1d-2025-01-01.csv', 'binance', DAY_MS],
    ['ETH_USDT-5m.json.gz', 'freqtrade', 5 * MINUTE_MS],
    ['/a-1h.b/XBTUSD_60.csv', 'kraken', HOUR_MS],
    ['XBTEUR_1.csv.gz', 'kraken', MINUTE_MS],
    ['BTC_USDT_USDT-1h-mark.feather', 'freqtrade', HOUR_MS],
    ['XBTUSD_60.csv', 'mine', undefined],
    ['XBTUSD.csv', 'kraken', undefined],
    ['BTCUSDT-trades-2025-01-01.csv', 'binance', undefined],
    ['a-1h/BTCUSDT.csv', 'binance', undefined],
  ])('of %s from %s is %s ms', (path, source, stepMs) => {
    expect(namedStep(path, source)).toBe(stepMs);
  });
});
