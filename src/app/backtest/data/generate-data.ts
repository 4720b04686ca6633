import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Dataset, type OverlapRule, withWorkFolder } from '../../../history/index.ts';
import { AppError } from '../../errors.ts';
import { importData } from '../../history/data.ts';
import { requireWritable } from '../../history/data-folder.ts';
import { onDisk } from '../../history/disk.ts';
import type { BacktestDeployment } from '../deployment.ts';
import { type GeneratedRows, generatedRows } from './generated.ts';

/** Who publishes prices that nobody has traded at. */
const SOURCE = 'made-up';

export interface GenerateChoice {
  /** The folder of all datasets. */
  readonly root: string;
  readonly overlap: OverlapRule;
  /** Let rows join those of another origin. Default: false. */
  readonly mix?: boolean | undefined;
  readonly signal: AbortSignal;
}

/**
 * Writes the candles that a backtest makes up into datasets, one for each market, warm-up included.
 *
 * @throws {AppError} `configuration` where it makes none up, else `recording`.
 */
export async function generateData(
  { backtest, yaml }: BacktestDeployment,
  { root, ...choice }: GenerateChoice,
): Promise<Dataset[]> {
  const generated = Object.entries(backtest.generate);
  if (generated.length === 0) {
    const what = 'Cannot make up data: backtest.generate names no market, one is wanted';
    throw new AppError('configuration', `${yaml.locate(['backtest'], 'generate')}: ${what}`);
  }
  requireWritable(root, 'generate');
  const datasets: Dataset[] = [];
  for (const [market, settings] of generated) {
    const rows = generatedRows(market, { backtest, settings });
    const { interval: resolution } = settings;
    if (rows.endMs <= rows.firstMs) {
      const what = 'Cannot make up data: the end is not behind the beginning';
      throw new AppError('configuration', `${yaml.locate(['backtest', 'to'])}: ${what}`);
    }
    const made = await onDisk(`generate ${rows.name} in ${root}`, () =>
      withWorkFolder(root, async (folder) => {
        const file = join(folder, `${market}.csv`);
        await pipeline(Readable.from(linesOf(rows, settings)), createWriteStream(file), choice);
        const files = [file];
        return importData({ root, files, market, source: SOURCE, resolution, ...choice });
      }),
    );
    datasets.push(...made.map(({ dataset }) => dataset));
  }
  return datasets;
}

interface Places {
  readonly priceScale: number;
  readonly amountScale: number;
}

async function* linesOf(
  { chunks, firstMs, endMs }: GeneratedRows,
  { priceScale, amountScale }: Places,
): AsyncGenerator<string> {
  yield 'time,open,high,low,close,volume\n';
  for await (const { time, volume, ...columns } of chunks(firstMs, endMs)) {
    const { open, high, low, close } = columns;
    const prices = [open, high, low, close];
    const lines = Array.from(time, (stamp, at) => {
      const cells = prices.map((column) => column[at]!.toFixed(priceScale));
      return `${stamp},${cells.join(',')},${volume[at]!.toFixed(amountScale)}\n`;
    });
    yield lines.join('');
  }
}
