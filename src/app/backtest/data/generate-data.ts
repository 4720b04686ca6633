import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type Dataset,
  datasetNames,
  interruptionOr,
  type OverlapRule,
  requireDataset,
  withWorkFolder,
} from '../../../history/index.ts';
import { AppError } from '../../errors.ts';
import { importData } from '../../history/data.ts';
import { requireWritable } from '../../history/data-folder.ts';
import { onDisk } from '../../history/disk.ts';
import type { GeneratedSettings } from '../config.ts';
import type { BacktestDeployment } from '../deployment.ts';
import { momentText } from '../moment.ts';
import { type GeneratedRows, generatedRows } from './generated.ts';

/** The source named for generated datasets. */
const SOURCE = 'made-up';

export interface GenerateChoice {
  /** The folder of all datasets. */
  readonly root: string;
  readonly overlap: OverlapRule;
  /** Whether rows may join those of another origin. Default: false. */
  readonly mix?: boolean | undefined;
  readonly signal: AbortSignal;
}

/**
 * Writes the candles that a backtest makes up into datasets, one for each market, warm-up included.
 * Nothing is written unless all of them can join what their datasets have.
 *
 * @throws {AppError} `configuration` where the backtest makes up no candles; else `recording`,
 * naming the datasets written before the failure.
 */
export async function generateData(
  deployment: BacktestDeployment,
  choice: GenerateChoice,
): Promise<Dataset[]> {
  const { root, signal } = choice;
  const all = marketsOf(deployment);
  requireWritable(root, 'generate');
  for (const { rows } of all) refuseKnown(rows, choice);
  const datasets: Dataset[] = [];
  try {
    for (const market of all) datasets.push(...(await written(market, choice)));
    return datasets;
  } catch (thrown) {
    const ids = datasets.map(({ id }) => id).join(', ');
    const left = ids === '' ? 'nothing was generated' : `${ids} was generated before`;
    throw interruptionOr(thrown, { signal, left });
  }
}

interface MarketToGenerate {
  readonly market: string;
  readonly settings: GeneratedSettings;
  readonly rows: GeneratedRows;
}

/** @throws {AppError} `configuration` where there is no market, or one would have no candle. */
function marketsOf({ backtest, yaml }: BacktestDeployment): MarketToGenerate[] {
  const refuse = (place: string, why: string): never => {
    throw new AppError('configuration', `${place}: Cannot make up data: ${why}`);
  };
  const generated = Object.entries(backtest.generate);
  if (generated.length === 0) {
    const place = yaml.locate(['backtest'], 'generate');
    refuse(place, 'backtest.generate names no market, one is wanted');
  }
  return generated.map(([market, settings]) => {
    const rows = generatedRows(market, { backtest, settings });
    const { firstMs, endMs, stepMs } = rows;
    const place = yaml.locate(['backtest', 'to']);
    if (endMs <= firstMs) refuse(place, 'the end is not after the beginning');
    const span = `${momentText(firstMs)} to ${momentText(endMs)}`;
    if (endMs - firstMs < stepMs) {
      refuse(place, `${span} is less than a candle of ${market}, one at least is wanted`);
    }
    return { market, settings, rows };
  });
}

/** The file that a dataset is imported from. Its name stands for all that the prices depend on. */
function fileOf({ name, hash }: GeneratedRows): string {
  return `${name}.${hash.slice(0, 16)}.csv`;
}

/** Refuses rows that cannot join those of the dataset, before they are made. */
function refuseKnown(rows: GeneratedRows, { root, overlap, mix }: GenerateChoice): void {
  const { name, firstMs, endMs } = rows;
  if (!datasetNames(root).includes(name)) return;
  const refuse = (why: string): never => {
    throw new AppError('recording', `Cannot generate ${name}: ${why}`);
  };
  const { firstTime, lastTime, sources } = requireDataset(root, name);
  if (overlap === 'refuse' && lastTime >= firstMs && firstTime < endMs) {
    refuse(
      `${root} has ${momentText(firstTime)} to ${momentText(lastTime)} of it already; ` +
        '--append (add what lies before and after) or --replace (take the new rows) is wanted',
    );
  }
  const takesAll = overlap === 'replace' && firstMs <= firstTime && lastTime < endMs;
  if (takesAll || mix || sources.every((source) => source.name === fileOf(rows))) return;
  refuse(
    'its rows were made up with another seed, beginning or settings, and do not go on in these; ' +
      'the same ones are wanted, --replace of all of its time, or --mix',
  );
}

function written(
  { market, settings, rows }: MarketToGenerate,
  { root, ...choice }: GenerateChoice,
): Promise<Dataset[]> {
  return onDisk(`generate ${rows.name} in ${root}`, () =>
    withWorkFolder(root, async (folder) => {
      const file = join(folder, fileOf(rows));
      await pipeline(Readable.from(linesOf(rows, settings)), createWriteStream(file), choice);
      const what = { files: [file], market, source: SOURCE, resolution: settings.interval };
      const made = await importData({ root, ...what, ...choice });
      return made.map(({ dataset }) => dataset);
    }),
  );
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
