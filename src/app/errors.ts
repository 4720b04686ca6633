import { ExchangeFailure } from '../exchange/index.ts';
import { HistoryError } from '../history/index.ts';
import { messageOf, TradewindError } from '../kernel/index.ts';
import { SimulationError } from '../sim/index.ts';
import { StorageError } from '../storage/index.ts';
import { ServerError } from '../venues/zb/server/index.ts';
import { WireError } from '../venues/zb/wire/index.ts';

/** Exit codes of the commands. Stable: scripts and supervisors may rely on them. */
export const EXIT_CODES = {
  success: 0,
  defect: 1,
  usage: 2,
  configuration: 3,
  exchange: 4,
  strategy: 5,
  unverified: 6,
  journal: 7,
  recording: 8,
  unknown: 9,
  refused: 10,
  declined: 11,
  different: 12,
} as const;
export type ExitReason = keyof typeof EXIT_CODES;

/** What each exit code says. */
export const EXIT_MEANINGS: Readonly<Record<ExitReason, string>> = {
  success: 'the command did what it was told',
  defect: 'an error that nobody foresaw; the run was stopped in order where it could be',
  usage: 'the command line is wrong',
  configuration:
    'unknown key, bad value, missing file or environment variable, no such strategy; or another ' +
    'process trades with the access key',
  exchange: 'the exchange is down, refuses the key, or its port is in use',
  strategy: 'the last strategy threw or ended',
  unverified: 'the run stopped, or cancelled all, but orders could not be shown to be gone',
  journal: 'the journal cannot be opened, read or written',
  recording: 'a recording or a dataset cannot be read, or a strict check found a fault',
  unknown: 'what was sent may or may not have taken effect: look it up, do not repeat it',
  refused:
    'the exchange, or a check ahead of it, refused what was asked: nothing was done, of a batch no more than is named',
  declined: 'a person said no, or there was none to ask: nothing was done',
  different: 'a replay or a check came out different from what it was held against',
};

/** An error that ends a command, with the exit code that belongs to it. */
export class AppError extends TradewindError {
  override readonly name = 'AppError';
  readonly reason: ExitReason;

  constructor(reason: ExitReason, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }

  get exitCode(): number {
    return EXIT_CODES[this.reason];
  }
}

/** Any error as one that ends a command: errors of the floors below get their exit reason here. */
export function asAppError(thrown: unknown): unknown {
  const reason = thrown instanceof AppError ? undefined : reasonOf(thrown);
  return reason === undefined ? thrown : new AppError(reason, messageOf(thrown), { cause: thrown });
}

/** The exit code that belongs to an error; that of a defect for errors nobody foresaw. */
export function exitCodeOf(thrown: unknown): number {
  const error = asAppError(thrown);
  return error instanceof AppError ? error.exitCode : EXIT_CODES.defect;
}

function reasonOf(thrown: unknown): ExitReason | undefined {
  if (thrown instanceof ExchangeFailure || thrown instanceof ServerError) return 'exchange';
  if (thrown instanceof StorageError) return 'journal';
  if (thrown instanceof HistoryError) return 'recording';
  if (thrown instanceof SimulationError || thrown instanceof WireError) return 'configuration';
  return undefined;
}
