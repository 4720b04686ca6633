import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { midOf, type TradingEvent } from '../../domain/index.ts';
import { definitionIn } from '../../engine/index.ts';
import { MINUTE_MS, messageOf, withoutAction } from '../../kernel/index.ts';
import { type MetricsFile, parseMetrics } from '../../report/index.ts';
import { barrierTo, reviveEvent } from '../../storage/index.ts';
import { didYouMeanPath } from '../config/suggest.ts';
import { AppError } from '../errors.ts';
import { openRecordedRun, type RecordedRun } from '../replay/index.ts';
import { COMPARED_KINDS, compared } from './compared-event.ts';
import { linesOf } from './lines.ts';

/** A run to be compared: the folder of a backtest, or a run in a journal. */
export interface RunSource {
  /** For people: the path, and the number of the run in a journal. */
  readonly title: string;
  readonly seed: string | undefined;
  /** The settings as they took effect; undefined where they are not on record. */
  readonly settings: unknown;
  /** Datasets that were replayed, with the hash of their rows; empty for a run on live data. */
  readonly inputs: readonly { readonly name: string; readonly hash: string }[];
  /** The last price of each market, where it is known. */
  readonly marks: ReadonlyMap<string, number>;
  /** The names of the strategies' definitions, by the strategies' names in events. */
  readonly definitions: ReadonlyMap<string, string>;
  /** What the report says; undefined where there is none. */
  readonly metrics: MetricsFile | undefined;
  /** Decisions and effects in order, read lazily. */
  events(): Iterable<TradingEvent>;
  close(): void;
}

/** How long before a run's end its last prices are looked for. */
const MARKS_MS = 15 * MINUTE_MS;

/** Significant digits of a mid price: further ones are noise of the division. */
const DIGITS = 12;

const headSchema = z.object({
  kind: z.literal('inputs'),
  seed: z.string(),
  inputs: z.array(z.object({ name: z.string(), hash: z.string() })),
  marks: z.record(z.string(), z.number()).default({}),
});

/**
 * Opens the folder of a backtest, or a journal. `run`: number of a journal's run. Default: the
 * newest.
 *
 * @throws {AppError} `journal` when there is no such run, `usage` when a run of a folder is named.
 */
export function openRunSource(path: string, run?: number): RunSource {
  if (!existsSync(path)) {
    const near = didYouMeanPath(path, { withFolders: true });
    const missing = `there is no such folder or file${near}`;
    throw refused(path, barrierTo(path, 'read') ?? missing);
  }
  if (!statSync(path).isDirectory()) return journalSource(openRecordedRun(path, run));
  if (run === undefined) return folderSource(path);
  const what = 'it is a folder, which holds one run, a journal is wanted where a run is named';
  throw new AppError('usage', `Cannot compare run ${run} of ${path}: ${what}`);
}

function folderSource(folder: string): RunSource {
  const file = join(folder, 'journal.jsonl');
  const barrier = barrierTo(file, 'read');
  if (barrier !== undefined) throw refused(folder, barrier);
  if (!existsSync(file)) {
    throw refused(folder, 'it has no journal.jsonl, the folder of a backtest is wanted');
  }
  const [first = ''] = linesOf(file);
  const { seed, inputs, marks } = headOf(first, file);
  return {
    ...{ title: folder, seed, inputs, marks: new Map(Object.entries(marks)) },
    definitions: new Map(),
    settings: partOf(join(folder, 'config.yaml'), parse),
    metrics: partOf(join(folder, 'metrics.json'), parseMetrics),
    *events() {
      let number = 0;
      for (const line of linesOf(file)) {
        number++;
        if (number > 1) yield compared(eventOf(line, { file, number }), `${file}: line ${number}`);
      }
    },
    close: () => {},
  };
}

function refused(path: string, what: string, cause?: unknown): AppError {
  return new AppError('journal', `Cannot compare ${path}: ${what}`, { cause });
}

/** What a file of a run holds; undefined where there is none. */
function partOf<T>(file: string, read: (text: string) => T): T | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return read(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw refused(file, messageOf(cause), cause);
  }
}

function eventOf(line: string, { file, number }: { file: string; number: number }): TradingEvent {
  try {
    return reviveEvent(line);
  } catch (cause) {
    // The error of a JSON parser would tell a person nothing.
    const why = cause instanceof TypeError ? `: ${withoutAction(messageOf(cause))}` : '';
    const what = `line ${number} is no event${why}, an intact journal is wanted`;
    throw refused(file, what, cause);
  }
}

function headOf(line: string, file: string): z.infer<typeof headSchema> {
  try {
    return headSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw refused(file, 'its first line does not name the inputs of a run', cause);
  }
}

function journalSource({ path, reader, record }: RecordedRun): RunSource {
  const { id: run } = record;
  const basis = reader.basis(run);
  return {
    title: `${path}, run ${run}`,
    seed: basis?.seed,
    settings: basis?.config,
    definitions: definitionsIn({ path, reader, record }),
    inputs: [],
    marks: lastPrices({ reader, record, path }),
    metrics: undefined,
    *events() {
      for (const { sequence, event } of reader.events({ run, kinds: COMPARED_KINDS })) {
        yield compared(event, `${path}: event ${sequence} of run ${run}`);
      }
    },
    close: () => reader.close(),
  };
}

function definitionsIn({ reader, record }: RecordedRun): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>();
  for (const { event } of reader.events({ run: record.id, kinds: ['strategy'] })) {
    if (event.kind !== 'strategy' || event.status !== 'started') continue;
    const definition = definitionIn(event.reason);
    if (definition !== undefined) definitions.set(event.strategy, definition);
  }
  return definitions;
}

/** The last price of each market that a run heard of in its last minutes, however it ended. */
function lastPrices({ reader, record }: RecordedRun): ReadonlyMap<string, number> {
  const marks = new Map<string, number>();
  const since = (record.ended ?? reader.tail(record.id, 0)?.lastTime ?? record.started) - MARKS_MS;
  const kinds = ['depth', 'trade', 'candle'] as const;
  for (const { event } of reader.events({ run: record.id, kinds, since })) {
    const price = priceIn(event);
    if (price !== undefined && 'market' in event) marks.set(event.market, price);
  }
  return marks;
}

function priceIn(event: TradingEvent): number | undefined {
  if (event.kind === 'depth') {
    const mid = midOf(event);
    return mid === undefined ? undefined : Number(mid.toPrecision(DIGITS));
  }
  if (event.kind === 'trade') return event.price;
  return event.kind === 'candle' ? event.close : undefined;
}
