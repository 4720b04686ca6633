import { ExchangeFailure } from '../exchange/index.ts';
import { messageOf, TradewindError } from '../kernel/index.ts';
import { StorageError } from '../storage/index.ts';
import { ServerError } from '../venues/zb/server/index.ts';

/**
 * Exit codes of the commands. Stable: scripts and supervisors may rely on them.
 */
export const EXIT_CODES = {
  /** The command did what it was told. */
  success: 0,
  /** A defect of Tradewind or of a library: an error that nobody foresaw. */
  defect: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The configuration is wrong: unknown key, bad value, missing environment variable or file. */
  configuration: 3,
  /** The exchange cannot be reached or served: down at start, port in use, keys refused. */
  exchange: 4,
  /** A strategy threw or ended and none is left to run. */
  strategy: 5,
  /** The run stopped, but orders could not be shown to be gone. */
  unverified: 6,
  /** The journal cannot be opened, written or read. */
  journal: 7,
  /** A recording cannot be read. */
  recording: 8,
} as const;
export type ExitReason = keyof typeof EXIT_CODES;

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
  const reason = reasonOf(thrown);
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
  return undefined;
}
