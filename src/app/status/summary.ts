import type { StopReport } from '../../execution/index.ts';
import type { LogConfig } from '../config/log.ts';
import type { ExitReason } from '../exit-codes.ts';
import type { Status } from './status.ts';

/** What the embedded exchange's own books say of the account. */
export interface EmbeddedInspection {
  /** Orders that rest now. */
  readonly resting: number;
  /** Most signed requests in any one second, as it counted; undefined for direct calls. */
  readonly requestsPeak: number | undefined;
}

/** What a run came to. */
export interface Summary {
  readonly name: string;
  /** The deployment's file, as it was named. */
  readonly file: string;
  /** Settings of the venue in place of the file's, each as `path=value`. */
  readonly venueSet: readonly string[];
  readonly venue: string;
  /** Why it stopped. */
  readonly reason: string;
  /** What it counts as: its exit code is `EXIT_CODES[outcome]`. */
  readonly outcome: ExitReason;
  readonly durationMs: number;
  /** When it was over, by the run's clock, milliseconds since the epoch. */
  readonly endedMs: number;
  /** The configured format of the log. */
  readonly logFormat: LogConfig['format'];
  /** At the end; `strategies` as they were before the stop ended them. */
  readonly status: Status;
  readonly stop: StopReport;
  readonly embedded: EmbeddedInspection | undefined;
  /** The hash of all its lines; undefined when the journal failed. */
  readonly journal: { readonly path: string | undefined; readonly hash: string | undefined };
}
