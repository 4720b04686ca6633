import { type DestinationStream, pino } from 'pino';
import {
  areForeign,
  type Clock,
  isEnabled,
  type Logger,
  loggerTo,
  silentLogger,
} from '../../kernel/index.ts';
import type { LogConfig } from '../config/log.ts';
import { FOREIGN_FIELD, type PrettyTarget, prettyStream } from './pretty-log.ts';
import { printableJson } from './printable.ts';

/** Names of fields that hold secrets, wherever they occur down to the third level. */
const SECRET_FIELDS = ['secretKey', 'accessKey', 'accesskey', 'sign', 'safePwd', 'password'];
const REDACTED = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/** Where log lines go, and whether a person reads them there. */
export interface LogTarget extends PrettyTarget {
  readonly isTerminal: boolean;
}

/** A pino logger on the target: lines are stamped by the clock, secrets redacted by field name. */
export function createLogger(
  { level, format }: LogConfig,
  { target, clock }: { readonly target: LogTarget; readonly clock: Clock },
): Logger {
  const isPretty = format === 'pretty' || (format === 'auto' && target.isTerminal);
  const write = target.isTerminal
    ? (line: string) => target.write(printableJson(line))
    : target.write;
  const plain: DestinationStream = { write };
  const options = {
    level,
    base: null,
    redact: { paths: REDACTED, censor: '***' },
    formatters: {
      level: (label: string) => ({ level: label }),
      log: isPretty ? withMark : withoutOwnNames,
    },
    timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
  };
  return pino(options, isPretty ? prettyStream(target) : plain);
}

/** A logger that is silent once it is ended. */
export function endableLogger(logger: Logger): { readonly logger: Logger; end(): void } {
  let inner = logger;
  return {
    logger: loggerTo(
      (level, fields, message) => inner[level](fields, message),
      (level) => isEnabled(inner, level),
    ),
    end: () => {
      inner = silentLogger;
    },
  };
}

/** Names that every line has already: a field of that name would replace it. */
const TAKEN = new Set(['level', 'time', 'msg', FOREIGN_FIELD]);

/** The fields, those with a taken name under another one. */
function withoutOwnNames(fields: object): Record<string, unknown> {
  const renamed = Object.entries(fields).map(([name, value]) => [
    TAKEN.has(name) ? `fields.${name}` : name,
    value,
  ]);
  return Object.fromEntries(renamed);
}

/** The same for people, marked if all fields have to be shown. */
function withMark(fields: object): Record<string, unknown> {
  const named = withoutOwnNames(fields);
  return areForeign(fields) ? { ...named, [FOREIGN_FIELD]: true } : named;
}
