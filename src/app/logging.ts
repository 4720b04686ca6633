import { type DestinationStream, pino } from 'pino';
import pretty from 'pino-pretty';
import { z } from 'zod';
import type { Logger } from '../kernel/index.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export const logConfigSchema = z.strictObject({
  level: z.enum(LOG_LEVELS).default('info').describe('Least level that is written.'),
  format: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('`json` one object a line, `pretty` for people, `auto` pretty on a terminal.'),
});
export type LogConfig = z.infer<typeof logConfigSchema>;

/** Names of fields that hold secrets, wherever they occur down to the third level. */
const SECRET_FIELDS = ['secretKey', 'accessKey', 'sign', 'safePwd', 'password'];
const REDACTED = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/** Where log lines go, and whether a person reads them there. */
export interface LogTarget {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
}

/** A pino logger on the target, secrets redacted by field name. */
export function createLogger(config: LogConfig, target: LogTarget): Logger {
  const isPretty = config.format === 'pretty' || (config.format === 'auto' && target.isTerminal);
  const plain: DestinationStream = { write: target.write };
  const stream = isPretty ? prettyStream(target) : plain;
  const options = { level: config.level, base: null, redact: { paths: REDACTED, censor: '***' } };
  return pino(options, stream);
}

function prettyStream(target: LogTarget): DestinationStream {
  const factory = pretty.prettyFactory({
    colorize: target.isTerminal,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
    singleLine: true,
  });
  return { write: (line) => target.write(factory(line)) };
}
