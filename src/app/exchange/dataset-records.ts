import type { DepthColumns, LevelChange, MarketRecord } from '../../domain/index.ts';
import {
  type Chunk,
  type Dataset,
  type DatasetOf,
  DEPTH_EVENTS,
  openScan,
} from '../../history/index.ts';
import { quoteRows } from '../backtest/feeds/quote-rows.ts';
import { rowsOnDisk } from '../history/disk.ts';

/** A dataset that can be played as it was recorded. */
export type TickDataset = DatasetOf<'trades'> | DatasetOf<'depth'> | DatasetOf<'quotes'>;

export function isTicks(dataset: Dataset): dataset is TickDataset {
  return dataset.kind !== 'candles';
}

/**
 * The rows of a dataset as records, in order; may be iterated more than once. Holds two chunks of
 * rows in memory. Quotes are a book of one level a side.
 *
 * @throws {HistoryError} while iterating, naming the file, when one is damaged.
 */
export function recordsOf(dataset: TickDataset): AsyncIterable<MarketRecord> {
  const what = `replay ${dataset.id}`;
  const records = (): AsyncGenerator<MarketRecord> => {
    switch (dataset.kind) {
      case 'trades':
        return tradesOf(rowsOnDisk(what, openScan(dataset)));
      case 'depth':
        return depthOf(rowsOnDisk(what, openScan(dataset)));
      case 'quotes':
        return depthOf(
          quoteRows(rowsOnDisk(what, openScan(dataset)), { standing: undefined, ...dataset }),
        );
      default:
        return dataset satisfies never;
    }
  };
  return { [Symbol.asyncIterator]: records };
}

async function* tradesOf(chunks: AsyncIterable<Chunk<'trades'>>): AsyncGenerator<MarketRecord> {
  let row = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.time.length; at++) {
      const id = String(++row);
      yield { kind: 'trade', id, ...stampsAt(chunk, at), ...tradeOf(levelAt(chunk, at)) };
    }
  }
}

/** The first row of an update, and the levels of all its rows. */
interface Update {
  readonly number: number;
  readonly event: number;
  readonly stamps: ReturnType<typeof stampsAt>;
  readonly levels: LevelChange[];
}

async function* depthOf(chunks: AsyncIterable<DepthColumns>): AsyncGenerator<MarketRecord> {
  let update: Update | undefined;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.time.length; at++) {
      if (isRepeat(chunk, at)) continue;
      const number = chunk.update[at]!;
      if (update?.number !== number) {
        if (update !== undefined) yield recordOf(update);
        update = { number, event: chunk.event[at]!, stamps: stampsAt(chunk, at), levels: [] };
      }
      update.levels.push(levelAt(chunk, at));
    }
  }
  if (update !== undefined) yield recordOf(update);
}

/** Whether a row changes nothing: quotes have such rows to tell a backtest when one is heard. */
function isRepeat({ event, price, amount }: DepthColumns, at: number): boolean {
  return event[at] === DEPTH_EVENTS.change && price[at] === 0 && amount[at] === 0;
}

function recordOf({ number, event, stamps, levels }: Update): MarketRecord {
  switch (event) {
    case DEPTH_EVENTS.trade:
      return { kind: 'trade', id: String(number), ...stamps, ...tradeOf(levels[0]!) };
    case DEPTH_EVENTS.gap:
      return { kind: 'gap', ...stamps, reason: 'depth is missing in the dataset' };
    case DEPTH_EVENTS.change:
      return { kind: 'levels', ...stamps, changes: levels };
    default:
      return { kind: 'book', ...stamps, ...bookOf(levels) };
  }
}

function tradeOf([takerSide, price, amount]: LevelChange) {
  return { takerSide, price, amount };
}

function bookOf(levels: readonly LevelChange[]) {
  const of = (wanted: LevelChange[0]) =>
    levels.flatMap(([side, price, amount]) => (side === wanted ? [[price, amount] as const] : []));
  return {
    bids: of('buy').sort(([a], [b]) => b - a),
    asks: of('sell').sort(([a], [b]) => a - b),
  };
}

function stampsAt({ time, received }: Pick<Chunk<'trades'>, 'time' | 'received'>, at: number) {
  const [stamp, receivedTime] = [time[at]!, received[at]!];
  return Number.isNaN(receivedTime) ? { time: stamp } : { time: stamp, receivedTime };
}

function levelAt(
  { side, price, amount }: Pick<Chunk<'depth'>, 'side' | 'price' | 'amount'>,
  at: number,
): LevelChange {
  return [side[at]! > 0 ? 'buy' : 'sell', price[at]!, amount[at]!];
}
