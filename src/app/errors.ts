import type { ExchangeFailure } from '../exchange/index.ts';
import type { HistoryError } from '../history/index.ts';
import { messageOf, TradewindError } from '../kernel/index.ts';
import type { SimulationError } from '../sim/index.ts';
import type { StorageError } from '../storage/index.ts';
import type { ServerError } from '../venues/zb/server/index.ts';
import type { WireError } from '../venues/zb/wire/index.ts';
import { EXIT_CODES, type ExitReason } from './exit-codes.ts';

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

const NOTHING_LISTENS =
  '\nnothing listens there: is that the address, and does `tradewind exchange` run?';

/** The message, with a hint, once, if the connection was refused. */
export function withHint(message: string): string {
  const isTold = !message.includes('ECONNREFUSED') || message.includes(NOTHING_LISTENS);
  return isTold ? message : message + NOTHING_LISTENS;
}

/** The exit code that belongs to an error; that of a defect for errors nobody foresaw. */
export function exitCodeOf(thrown: unknown): number {
  const error = asAppError(thrown);
  return error instanceof AppError ? error.exitCode : EXIT_CODES.defect;
}

/** Foreseen errors of the floors below, by name, so that their floors need not be loaded. */
type Foreseen =
  | ExchangeFailure
  | ServerError
  | StorageError
  | HistoryError
  | SimulationError
  | WireError;

const REASONS: Readonly<Record<string, ExitReason>> = {
  ExchangeFailure: 'exchange',
  ServerError: 'exchange',
  StorageError: 'journal',
  HistoryError: 'recording',
  SimulationError: 'configuration',
  WireError: 'configuration',
} satisfies Record<Foreseen['name'], ExitReason>;

function reasonOf(thrown: unknown): ExitReason | undefined {
  return thrown instanceof TradewindError ? REASONS[thrown.name] : undefined;
}
