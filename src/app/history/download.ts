import { type Observable, ReplaySubject } from 'rxjs';
import type { Interval } from '../../domain/index.ts';
import type { RateLimits } from '../../exchange/index.ts';
import type { Dataset } from '../../history/index.ts';
import { MINUTE_MS } from '../../kernel/index.ts';
import type { ConnectedVenue } from '../terminal/connected-venue.ts';
import { marketNamed } from '../terminal/markets.ts';
import { requireWritable } from './data-folder.ts';
import { onDisk } from './disk.ts';
import type { Span } from './download-spans.ts';
import { MarketDownload } from './market-download.ts';
import { askerOf } from './questions.ts';

export interface DownloadChoice {
  /** The folder of all datasets. */
  readonly root: string;
  readonly markets: readonly string[];
  /** Length of the candles; undefined: trades. */
  readonly interval?: Interval | undefined;
  /** Default: where the dataset ends; candles of a new one as far back as the venue tells. */
  readonly from?: number | undefined;
  /** Default: now. */
  readonly to?: number | undefined;
  /** Default: the venue's host. */
  readonly source?: string | undefined;
  /** Let rows join those of another origin. Default: false. */
  readonly mix?: boolean | undefined;
}

/** How far a download is. */
export interface DownloadProgress {
  readonly id: string;
  /** New rows so far. */
  readonly rows: number;
  /** The span being downloaded, and how far the download is in it. */
  readonly from: number;
  readonly to: number;
  readonly reached: number;
}

/** The result of the download of one dataset. */
export interface DownloadReport {
  readonly id: string;
  /** Undefined when the venue told nothing of that time. */
  readonly dataset: Dataset | undefined;
  /** New rows. */
  readonly rows: number;
  /** Whether it was stopped before the end. */
  readonly stopped: boolean;
  /** From the wanted beginning to the first row, if the venue told nothing between. */
  readonly untold: Span | undefined;
}

export interface DownloadOptions {
  /** Emits when it is to stop: what was downloaded is kept. */
  readonly stop: Observable<unknown>;
  readonly onProgress?: (progress: DownloadProgress) => void;
}

/** Share of an address's rate limit that is used: a bot on the same address needs the rest. */
const RATE_SHARE = 0.5;

/**
 * Downloads candles or trades of markets into datasets, within the venue's limits.
 *
 * Only what a dataset lacks is asked for: a download goes on where an earlier one ended, and fills
 * gaps that the venue still knows.
 *
 * @throws {AppError} when a market is unknown or the venue does not answer: what was downloaded is
 * kept.
 */
export async function downloadData(
  venue: ConnectedVenue,
  choice: DownloadChoice,
  options: DownloadOptions,
): Promise<DownloadReport[]> {
  const stopped = new ReplaySubject<unknown>(1);
  const hearing = options.stop.subscribe(stopped);
  const spacingMs = spacingOf(venue.exchange.limits, choice);
  const ask = askerOf({ venue, spacingMs, stopped });
  try {
    requireWritable(choice.root, 'download');
    for (const market of choice.markets) await marketNamed(venue, market);
    const reports: DownloadReport[] = [];
    for (const market of choice.markets) {
      const work = { ...options, stop: stopped, ask };
      const one = new MarketDownload(venue, { ...choice, market, ...work });
      reports.push(await onDisk(`download into ${choice.root}`, () => one.run()));
    }
    return reports;
  } finally {
    hearing.unsubscribe();
  }
}

function spacingOf(limits: RateLimits, { interval }: DownloadChoice): number {
  if (interval !== undefined) return limits.candleIntervalMs;
  return Math.ceil(MINUTE_MS / (limits.requestsPerMinute * RATE_SHARE));
}
