import { styleText } from 'node:util';
import { type DestinationStream, pino } from 'pino';
import pretty from 'pino-pretty';
import { type Clock, type Logger, silentLogger } from '../kernel/index.ts';
import type { LogConfig } from './config/log.ts';

/** Names of fields that hold secrets, wherever they occur down to the third level. */
const SECRET_FIELDS = ['secretKey', 'accessKey', 'accesskey', 'sign', 'safePwd', 'password'];
const REDACTED = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/** Where log lines go, and whether a person reads them there. */
export interface LogTarget {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Whether the terminal wants colours. Default: false. */
  readonly hasColors?: boolean;
}

/** A pino logger on the target: lines are stamped by the clock, secrets redacted by field name. */
export function createLogger(
  { level, format }: LogConfig,
  { target, clock }: { readonly target: LogTarget; readonly clock: Clock },
): Logger {
  const isPretty = format === 'pretty' || (format === 'auto' && target.isTerminal);
  const plain: DestinationStream = { write: target.write };
  const options = {
    level,
    base: null,
    redact: { paths: REDACTED, censor: '***' },
    formatters: { level: (label: string) => ({ level: label }), log: withoutOwnNames },
    timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
  };
  return pino(options, isPretty ? prettyStream(target) : plain);
}

/** A logger that tells nothing more once it is ended. */
export function endableLogger(logger: Logger): { readonly logger: Logger; end(): void } {
  let inner = logger;
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: object, message: string): void =>
      inner[level](fields, message);
  return {
    logger: {
      ...{ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
      isLevelEnabled: (level) => inner.isLevelEnabled?.(level) ?? true,
    },
    end: () => {
      inner = silentLogger;
    },
  };
}

/** Names that every line has already: a field of that name would take its place. */
const TAKEN = new Set(['level', 'time', 'msg']);

/** The fields, those with a taken name under another one. */
function withoutOwnNames(fields: object): Record<string, unknown> {
  const renamed = Object.entries(fields).map(([name, value]) => [
    TAKEN.has(name) ? `fields.${name}` : name,
    value,
  ]);
  return Object.fromEntries(renamed);
}

/** Fields that the line itself is made of, or that the journal tells better. */
const OWN_FIELDS = new Set(['level', 'time', 'msg', 'side', 'clientOrderId']);
const LEVEL_COLORS = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red' } as const;

/** Lines for people: the time of day, the level, the sentence, and what the sentence leaves out. */
function prettyStream({ write, hasColors = false }: LogTarget): DestinationStream {
  const paint = (color: Parameters<typeof styleText>[0], text: string): string =>
    hasColors ? styleText(color, text, { validateStream: false }) : text;
  const factory = pretty.prettyFactory({
    colorize: false,
    ignore: 'time,level',
    hideObject: true,
    messageFormat: (log) => {
      const { time, level, msg } = log as {
        time: string;
        level: keyof typeof LEVEL_COLORS;
        msg: string;
      };
      const stamp = `${timeOfDay(time)} ${paint(LEVEL_COLORS[level], level.padEnd(5))}`;
      return `${stamp} ${msg}${paint('dim', fieldsOf(log, msg))}`;
    },
  });
  return { write: (line) => write(factory(line)) };
}

function timeOfDay(time: string): string {
  return new Date(time).toLocaleTimeString('en-GB');
}

/** The fields that the sentence does not tell, as `name=value`. */
function fieldsOf(log: object, sentence: string): string {
  return Object.entries(log)
    .filter(([name]) => !OWN_FIELDS.has(name))
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
    .filter(([, text]) => !sentence.includes(text!))
    .map(([name, text]) => `  ${name}=${text}`)
    .join('');
}
