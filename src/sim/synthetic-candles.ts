import type { CandleColumns } from '../domain/index.ts';
import { MINUTE_MS, type Random } from '../kernel/index.ts';
import type { SyntheticParameters } from './config.ts';
import { FairValue } from './fair-value.ts';
import { poisson } from './taker-flow.ts';

/** Prices sampled within a candle: enough for a believable high and low. */
const LOOKS = 8;
/** Candles of a chunk. */
const CHUNK_ROWS = 16_384;

/** What candles to make. */
export interface SyntheticCandlesOptions {
  readonly parameters: SyntheticParameters;
  readonly random: Random;
  readonly priceScale: number;
  readonly amountScale: number;
  /** Opening of the first candle and end of the last, milliseconds since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Length of a candle, milliseconds. */
  readonly stepMs: number;
}

/**
 * Candles of an invented market, made by the process that moves the seeded market: chunk after
 * chunk, each in arrays of its own. The same seed gives the same candles.
 */
export function* syntheticCandles(options: SyntheticCandlesOptions): Generator<CandleColumns> {
  const { parameters, random, fromMs, toMs, stepMs } = options;
  const fair = new FairValue(parameters, random.fork('fair value'));
  const trades = random.fork('trades');
  const rows = Math.max(0, Math.floor((toMs - fromMs) / stepMs));
  for (let first = 0; first < rows; first += CHUNK_ROWS) {
    const columns = emptyColumns(Math.min(CHUNK_ROWS, rows - first));
    for (let at = 0; at < columns.time.length; at++) {
      columns.time[at] = fromMs + (first + at) * stepMs;
      fill(columns, at, { ...options, fair, trades });
    }
    yield columns;
  }
}

function emptyColumns(rows: number): CandleColumns {
  const column = () => new Float64Array(rows);
  return {
    ...{ time: column(), open: column(), high: column() },
    ...{ low: column(), close: column(), volume: column() },
  };
}

interface Making extends SyntheticCandlesOptions {
  readonly fair: FairValue;
  readonly trades: Random;
}

function fill(columns: CandleColumns, at: number, making: Making): void {
  const { fair, trades, parameters, stepMs } = making;
  const power = 10 ** making.priceScale;
  const onScale = (price: number): number => Math.max(1, Math.round(price * power)) / power;
  const { open, high, low, close } = fair.walk(stepMs, LOOKS);
  const expected = (parameters.tradesPerMinute * fair.turbulence * stepMs) / MINUTE_MS;
  const amountPower = 10 ** making.amountScale;
  columns.open[at] = onScale(open);
  columns.high[at] = onScale(high);
  columns.low[at] = onScale(low);
  columns.close[at] = onScale(close);
  const volume = (poisson(trades, expected) * parameters.tradeValue) / columns.close[at];
  columns.volume[at] = Math.round(volume * amountPower) / amountPower;
}
