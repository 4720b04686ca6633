import { z } from 'zod';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export const logConfigSchema = z.strictObject({
  level: z.enum(LOG_LEVELS).default('info').describe('Least level that is written.'),
  format: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe(
      '`json` one object a line, `pretty` for people, `auto` pretty on a terminal and JSON ' +
        'elsewhere. In a pipe the summary follows it too.',
    ),
});
export type LogConfig = z.infer<typeof logConfigSchema>;
