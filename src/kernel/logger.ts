import type { Clock } from './clock.ts';
import { ToldLately } from './told-lately.ts';

/** How much a line matters, the least first. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Structured logging as a port; pino fits it. Fields first, then the sentence for people. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Whether lines of that level are written, so that others need no wording. Default: yes. */
  isLevelEnabled?(level: LogLevel): boolean;
}

const ignore = (): void => {};

/** A logger that says nothing: the default in tests and libraries. */
export const silentLogger: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  isLevelEnabled: () => false,
};

/** Whether a logger writes lines of that level. */
export function isEnabled(logger: Logger, level: LogLevel): boolean {
  return logger.isLevelEnabled?.(level) ?? true;
}

/** A logger that hands the lines of every level to one function. */
export function loggerTo(
  line: (level: LogLevel, fields: object, message: string) => void,
  isLevelEnabled: (level: LogLevel) => boolean,
): Logger {
  const of = (level: LogLevel) => (fields: object, message: string) => line(level, fields, message);
  return {
    debug: of('debug'),
    info: of('info'),
    warn: of('warn'),
    error: of('error'),
    isLevelEnabled,
  };
}

/**
 * A logger for warnings that may come with every answer: one that repeats the words of a warning of
 * the last minute is logged at level debug.
 */
export function seldomWarning(logger: Logger, clock: Clock): Logger {
  const told = new ToldLately();
  const levelOf = (level: LogLevel, message: string): LogLevel =>
    level === 'warn' && told.isRepeat(message, clock.now()) ? 'debug' : level;
  return loggerTo(
    (level, fields, message) => logger[levelOf(level, message)](fields, message),
    (level) => isEnabled(logger, level),
  );
}

const FOREIGN = Symbol('foreign');

/**
 * Marks the fields of a line that somebody else words, such as a strategy. The sentence may not
 * mention them, so people are shown every field beside it.
 */
export function foreignFields<T extends object>(fields: T): T {
  return Object.defineProperty(fields, FOREIGN, { value: true });
}

/** Whether `foreignFields` marked the fields. Code that copies fields must mark the copy too. */
export function areForeign(fields: object): boolean {
  return FOREIGN in fields;
}
