import { basename } from 'node:path';
import { MINUTE_MS } from '../../kernel/index.ts';
import { resolutionMs } from '../store/resolution.ts';

/** The length in `BTCUSDT-1d-2025-01-01.csv` of Binance and `ETH_USDT-5m.json` of freqtrade. */
const NAMED = /-([1-9]\d*[smhdw])(?=[-.])/;
/** The minutes in `XBTUSD_60.csv` of Kraken. */
const MINUTES = /_([1-9]\d{0,4})\.csv/;

/** The length of candles that a file's name tells, milliseconds; undefined if it tells none. */
export function namedStep(path: string, source: string): number | undefined {
  const name = basename(path);
  const [, minutes] = (source === 'kraken' ? MINUTES.exec(name) : undefined) ?? [];
  if (minutes !== undefined) return Number(minutes) * MINUTE_MS;
  const [, resolution] = NAMED.exec(name) ?? [];
  return resolution === undefined ? undefined : resolutionMs(resolution);
}
