import { INTERVAL_MS } from '../../domain/index.ts';
import {
  type Dataset,
  type DatasetKey,
  type DatasetRow,
  DatasetWriter,
  type Gap,
} from '../../history/index.ts';
import { MINUTE_MS, SECOND_MS } from '../../kernel/index.ts';
import { AppError } from '../errors.ts';
import type { ConnectedVenue } from '../terminal/connected-venue.ts';
import { candlePages } from './candle-pages.ts';
import type { DownloadChoice, DownloadOptions, DownloadReport } from './download.ts';
import { type MissingSpan, missingSpans, type Page, type Span } from './download-spans.ts';
import type { Ask } from './questions.ts';
import { sourceOfHost } from './source-name.ts';
import { tradePages } from './trade-pages.ts';

/** Rows, and time, after which rows are written: a crash costs no more than these. */
const ROWS_UNWRITTEN_MAX = 5_000;
const UNWRITTEN_MAX_MS = 10 * SECOND_MS;

export interface MarketDownloadOptions extends DownloadChoice, DownloadOptions {
  readonly market: string;
  readonly ask: Ask;
}

/** The download of one dataset. */
export class MarketDownload {
  readonly #venue: ConnectedVenue;
  readonly #options: MarketDownloadOptions;
  readonly #writer: DatasetWriter;
  readonly #stepMs: number;
  #unwritten: DatasetRow[] = [];
  #writtenTime: number;
  #rows = 0;
  #stopped = false;

  /** @throws {HistoryError} when another process changes the dataset. */
  constructor(venue: ConnectedVenue, options: MarketDownloadOptions) {
    const { root, market, interval, mix, source = sourceOfHost(venue.host) } = options;
    const stepMs = interval === undefined ? undefined : INTERVAL_MS[interval];
    const key: DatasetKey = {
      ...{ source, market, kind: interval === undefined ? 'trades' : 'candles' },
      resolution: interval,
    };
    this.#venue = venue;
    this.#options = options;
    this.#stepMs = stepMs ?? 0;
    this.#writtenTime = venue.clock.now();
    const work = { name: venue.host, format: 'download', mix } as const;
    this.#writer = new DatasetWriter({ root, key, stepMs, ...work });
  }

  async run(): Promise<DownloadReport> {
    const { from, to = this.#venue.clock.now(), stop } = this.#options;
    const hearing = stop.subscribe(() => {
      this.#stopped = true;
    });
    try {
      const { id, dataset } = this.#writer;
      refuseEndless(this.#options, dataset);
      for (const span of missingSpans(dataset, { from, to, stepMs: this.#stepMs })) {
        if (!this.#stopped) await this.#fill(span);
      }
      const untold = this.#stopped ? undefined : untoldOf(this.#writer.dataset, this.#options);
      const found = { dataset: this.#writer.dataset, rows: this.#rows, stopped: this.#stopped };
      return { id, ...found, untold };
    } finally {
      hearing.unsubscribe();
      this.#writer.close();
    }
  }

  /** Downloads one span; what came before a failure is written too. */
  async #fill(span: MissingSpan): Promise<void> {
    const found: Gap[] = [];
    let reached: number | undefined;
    const write = (): Promise<void> =>
      this.#write([...found, ...restOf(span, { reached, stepMs: this.#stepMs })], span);
    try {
      for await (const page of await this.#pages(span)) {
        this.#unwritten.push(...page.rows);
        if (page.gap !== undefined) found.push(isWithin(span.gap, page.gap) ? span.gap : page.gap);
        reached = page.reached;
        this.#tell(span, reached);
        if (this.#isDue()) await write();
      }
    } finally {
      await write();
    }
  }

  async #pages(span: MissingSpan): Promise<AsyncGenerator<Page>> {
    const { market, interval, ask } = this.#options;
    const { clock, exchange } = this.#venue;
    const data = exchange.market;
    if (interval !== undefined) {
      return candlePages(span, { ask, data, clock, market, interval });
    }
    const time = span.gap?.from ?? (span.isBefore ? undefined : this.#writer.dataset?.lastTime);
    const id = time === undefined ? undefined : await this.#countedId(time);
    const after = time === undefined || id === undefined ? undefined : { id, time };
    const isEndIn = span.isBefore && (await this.#countedId(span.to)) !== undefined;
    return tradePages(span, { ask, data, market, after, isEndIn });
  }

  /** The id of the last trade up to a time; undefined unless it is a number. */
  async #countedId(time: number): Promise<string | undefined> {
    const { id } = await this.#writer.lastRow(time);
    return /^\d+$/.test(`${id}`) ? `${id}` : undefined;
  }

  #isDue(): boolean {
    const age = this.#venue.clock.now() - this.#writtenTime;
    return this.#unwritten.length >= ROWS_UNWRITTEN_MAX || age >= UNWRITTEN_MAX_MS;
  }

  async #write(found: readonly Gap[], span: MissingSpan): Promise<void> {
    const rows = this.#unwritten;
    const { dataset } = this.#writer;
    const firstTime = Math.min(dataset?.firstTime ?? Infinity, ...rows.slice(0, 1).map(timeOf));
    // Before its first row a dataset has no gap: there it has not begun.
    const worked = { from: span.from - this.#stepMs, to: span.to };
    const known = dataset?.gaps.filter((gap) => !isWithin(gap, worked)) ?? [];
    const gaps = [...known, ...found.filter(({ from }) => from >= firstTime)];
    this.#rows += await this.#writer.add({ rows, gaps: gaps.sort((a, b) => a.from - b.from) });
    this.#unwritten = [];
    this.#writtenTime = this.#venue.clock.now();
  }

  #tell({ from, to }: MissingSpan, reached: number): void {
    const [first] = this.#unwritten;
    const begin = Number.isFinite(from) || first === undefined ? from : timeOf(first);
    const rows = this.#rows + this.#unwritten.length;
    this.#options.onProgress?.({ id: this.#writer.id, rows, from: begin, to, reached });
  }
}

/** Refuses a new dataset of trades without a beginning: a venue may keep years of them. */
function refuseEndless({ interval, from }: DownloadChoice, dataset: Dataset | undefined): void {
  if (interval !== undefined || from !== undefined || dataset !== undefined) return;
  throw new AppError('usage', 'Cannot download trades: no beginning is given, --from is wanted');
}

/** The wanted beginning that the venue did not tell. Up to a minute without trades is normal. */
function untoldOf(
  dataset: Dataset | undefined,
  { from, interval }: DownloadChoice,
): Span | undefined {
  if (dataset === undefined || from === undefined) return undefined;
  const quietMs = interval === undefined ? MINUTE_MS : INTERVAL_MS[interval];
  return dataset.firstTime - from < quietMs ? undefined : { from, to: dataset.firstTime };
}

function timeOf(row: DatasetRow): number {
  return Number(row[0]);
}

/** The rest of a span that rows follow: it stays a gap until it is downloaded. */
function restOf(
  { gap, to, isBefore }: MissingSpan,
  { reached, stepMs }: { readonly reached: number | undefined; readonly stepMs: number },
): Gap[] {
  if (!isBefore || (reached ?? 0) + stepMs >= to) return [];
  if (reached === undefined) return gap === undefined ? [] : [gap];
  return [{ from: reached, to, reason: gap?.reason ?? 'it is not downloaded yet' }];
}

function isWithin(gap: Gap | undefined, span: Span): gap is Gap {
  return gap !== undefined && gap.from >= span.from && gap.to <= span.to;
}
