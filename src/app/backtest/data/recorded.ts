import { createHash } from 'node:crypto';
import {
  type DepthColumns,
  INTERVAL_MS,
  INTERVALS,
  type Market,
  type QuoteColumns,
} from '../../../domain/index.ts';
import {
  amountUnitsOf,
  type Chunk,
  type Dataset,
  type DatasetKind,
  type DatasetOf,
  hasQuoteAmounts,
  openingBook,
  openScan,
  type PriceRange,
  priceRangeOf,
  standingQuote,
} from '../../../history/index.ts';
import { counted, messageOf } from '../../../kernel/index.ts';
import { AppError } from '../../errors.ts';
import { onDisk, rowsOnDisk } from '../../history/disk.ts';
import { datasetNamed } from '../../history/named.ts';
import type { BacktestDeployment } from '../deployment.ts';
import { marketOf, worthOf } from './market.ts';
import type { Source } from './source.ts';

/** Rounding of prices by less than this, a basis point, does not show in money. */
const TOLD_PERCENT = 0.01;

interface Named {
  readonly deployment: BacktestDeployment;
  readonly name: string;
}

/**
 * Opens a dataset as the data of a market. Whether the fill model can use it is not checked here.
 *
 * @throws {AppError} `recording` for a dataset that does not exist, is of another market or cannot
 * be replayed.
 */
export async function recordedSource(id: string, { deployment, name }: Named): Promise<Source> {
  const { yaml } = deployment;
  const place = yaml.locate(['backtest', 'data', id]);
  const dataset = datasetOf({ deployment, name }, place);
  const refuse = (what: string): AppError => new AppError('recording', `${place}: ${what}`);
  if (dataset.market !== id) {
    throw refuse(`Cannot replay ${name} as ${id}: it is of ${dataset.market}`);
  }
  const { priceScale } = dataset;
  const range = () => onDisk(`replay ${dataset.id}`, () => priceRangeOf(dataset));
  const worth = await worthOf(id, { deployment, priceScale, range });
  const market = marketOf(id, { deployment, scales: dataset, worth });
  const rounded = isCoarser(market, dataset) ? roundedOf(dataset, market, await range()) : [];
  const shared = {
    market,
    worth,
    ...{ name, hash: hashOf(dataset), firstMs: dataset.firstTime },
    ...{ gaps: dataset.gaps, findings: [...rounded, ...disorderOf(dataset), ...unitsOf(dataset)] },
  };
  if (isOf(dataset, 'quotes')) return quoteSource(dataset, { deployment, shared });
  const source = sourceOf(dataset, shared);
  if (source === undefined) {
    throw refuse(
      `Cannot replay ${name}: its candles of ${dataset.resolution} are none of ` +
        `${INTERVALS.join(', ')}; \`tradewind data resample\` makes such`,
    );
  }
  return source;
}

/** The dataset of that name. @throws {AppError} `recording`, suggesting the nearest name. */
function datasetOf({ deployment, name }: Named, place: string): Dataset {
  try {
    return datasetNamed(deployment.backtest.dataFolder, name);
  } catch (cause) {
    throw new AppError('recording', `${place}: ${messageOf(cause)}`, { cause });
  }
}

type Shared = Pick<Source, 'market' | 'worth' | 'name' | 'hash' | 'firstMs' | 'gaps' | 'findings'>;

function sourceOf(dataset: Dataset, shared: Shared): Source | undefined {
  if (isOf(dataset, 'candles')) {
    const interval = INTERVALS.find((one) => INTERVAL_MS[one] === dataset.stepMs);
    if (interval === undefined) return undefined;
    const stepMs = INTERVAL_MS[interval];
    const chunks = (from: number, to: number) => scanned(dataset, { from, to });
    return {
      ...shared,
      kind: 'candles',
      interval,
      stepMs,
      endMs: dataset.lastTime + stepMs,
      chunks,
    };
  }
  const ticks = ticksOf(dataset);
  if (isOf(dataset, 'trades')) {
    const chunks = (from: number, to: number) => scanned(dataset, { from, to });
    return { ...shared, kind: 'trades', ...ticks, chunks };
  }
  if (isOf(dataset, 'depth')) {
    const chunks = (from: number, to: number) => depthFrom(dataset, { from, to });
    return { ...shared, kind: 'depth', ...ticks, chunks };
  }
  return undefined;
}

/** @throws {AppError} `configuration` where neither data nor settings give amounts of quotes. */
async function quoteSource(
  dataset: DatasetOf<'quotes'>,
  { deployment, shared }: { readonly deployment: BacktestDeployment; readonly shared: Shared },
): Promise<Source> {
  const { fill } = deployment.backtest;
  const size = fill.model === 'quotes' ? fill.size : undefined;
  const what = `replay ${dataset.id}`;
  if (fill.model === 'quotes' && size === undefined) {
    if (!(await onDisk(what, () => hasQuoteAmounts(dataset)))) {
      throw new AppError(
        'configuration',
        `${deployment.yaml.locate(['backtest', 'fill'])}: Cannot ${what}: its bids and asks have ` +
          'no amounts, backtest.fill.size is wanted: how much stands at each, in ' +
          baseOf(dataset),
      );
    }
  }
  const sides = { size, priceFactor: 10 ** shared.market.priceScale };
  return {
    ...{ ...shared, kind: 'quotes', ...ticksOf(dataset) },
    async *chunks(from, to) {
      for await (const rows of scanned(dataset, { from, to })) yield sided(rows, sides);
    },
    standing: async (at) => {
      const quote = await onDisk(what, () => standingQuote(dataset, at));
      return quote && sided(quote, sides);
    },
  };
}

interface Sides {
  /** The amount at each price. Undefined: the amount in the data. */
  readonly size: number | undefined;
  readonly priceFactor: number;
}

/** Rounds quotes to the market's steps, in place; a side without price or amount loses both. */
function sided(rows: QuoteColumns, { size, priceFactor }: Sides): QuoteColumns {
  const { bid, bidAmount, ask, askAmount } = rows;
  for (const [price, amount] of [
    [bid, bidAmount],
    [ask, askAmount],
  ] as const) {
    for (let at = 0; at < price.length; at++) {
      price[at] = Math.round(price[at]! * priceFactor) / priceFactor;
      if (size !== undefined) amount[at] = size;
      if (price[at]! > 0 && amount[at]! > 0) continue;
      price[at] = 0;
      amount[at] = 0;
    }
  }
  return rows;
}

/** Step and end of ticks. A millisecond is the finest unit that a period can be given in. */
function ticksOf({ lastTime }: Dataset) {
  return { stepMs: 1, endMs: Math.floor(lastTime) + 1 };
}

/** The rows of a dataset. Errors about damage name its file. */
function scanned<K extends DatasetKind>(
  dataset: DatasetOf<K>,
  span: { readonly from: number; readonly to: number },
): AsyncIterable<Chunk<K>> {
  return rowsOnDisk(`replay ${dataset.id}`, openScan(dataset, span));
}

/** Rows of depth, preceded by the book that stood when they begin, if it is known. */
async function* depthFrom(
  dataset: DatasetOf<'depth'>,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<DepthColumns> {
  const opening = from > dataset.firstTime ? await openingBook(dataset, from) : undefined;
  if (opening !== undefined) yield opening;
  yield* scanned(dataset, { from, to });
}

function isOf<K extends DatasetKind>(dataset: Dataset, kind: K): dataset is DatasetOf<K> {
  return dataset.kind === kind;
}

/** What the import corrected. Rows of depth keep the order of arrival, whatever their stamps. */
function disorderOf({ kind, sources }: Dataset): string[] {
  return sources.flatMap(({ name, origin, outOfOrder, dropped }) => [
    ...(outOfOrder > 0 && kind !== 'depth' ? [`In ${name} ${reordered(outOfOrder)}.`] : []),
    ...(dropped > 0 ? [`In ${name} ${leftOut(dropped, origin)}.`] : []),
  ]);
}

/** Warns of amounts that do not count the base currency: fills that go by amounts mean nothing. */
function unitsOf(dataset: Dataset): string[] {
  return amountUnitsOf(dataset).map(
    (unit) =>
      `The amounts of ${dataset.id} count ${unit}, not ${baseOf(dataset)}: fills that depend on ` +
      'amounts mean nothing.',
  );
}

function isCoarser(market: Market, { priceScale }: Dataset): boolean {
  return market.priceScale < priceScale;
}

/** How far rounding to the market's steps moves prices, where that shows in money. */
function roundedOf(
  { id, priceScale }: Dataset,
  market: Market,
  range: PriceRange | undefined,
): string[] {
  const percentOff = range === undefined ? 0 : 50 / 10 ** market.priceScale / range.lowest;
  if (percentOff < TOLD_PERCENT) return [];
  return [
    `The prices of ${id} have up to ${counted(priceScale, 'decimal place')}, the market has ` +
      `${market.priceScale} (backtest.markets.${market.id}.priceScale): rounding moves prices by up ` +
      `to ${Number(percentOff.toPrecision(2))} %.`,
  ];
}

function baseOf({ market }: Dataset): string {
  return market.split('_')[0]!;
}

function reordered(rows: number): string {
  return rows === 1
    ? '1 row came after a later one; it was put in order'
    : `${rows} rows came after a later one; they were put in order`;
}

/** Rows of files are left out as duplicates, rows of resampled datasets only as impossible. */
function leftOut(rows: number, origin: Dataset['sources'][number]['origin']): string {
  const were = rows === 1 ? 'was' : 'were';
  const repeat = rows === 1 ? 'repeats' : 'repeat';
  const why = origin?.kind === 'dataset' ? 'with an impossible price' : `that ${repeat} another`;
  return `${counted(rows, 'row')} ${why} ${were} left out`;
}

/** Hashes what the rows of a dataset came from: the same files give the same hash. */
function hashOf({ id, rows, revision, sources }: Dataset): string {
  const files = sources.map(({ sha256, rows: count }) => [sha256, count]);
  return createHash('sha256')
    .update(JSON.stringify([id, rows, revision, files]))
    .digest('hex');
}
