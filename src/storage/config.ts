import { z } from 'zod';

/** The path of the journal of a deployment that names none. */
export const defaultJournalPath = (deployment: string): string => `var/${deployment}.journal`;

/** Settings of the journal on disk. */
export const storageConfig = z.strictObject({
  path: z
    .string()
    .regex(/[^\s/]$/, 'the path of a file is wanted')
    .optional()
    .describe(
      'File of the journal, relative to the folder in which the command is called. Default: ' +
        `${defaultJournalPath('<deployment>')}.`,
    ),
  durability: z
    .enum(['full', 'normal'])
    .default('normal')
    .describe(
      'normal: what is written of an order before it leaves survives a kill of the process, but ' +
        'perhaps not a loss of power; the timed cancel then cancels the order. full: it survives ' +
        'both, and every order waits for the disk, 0.1 to 10 ms.',
    ),
  flushIntervalMs: z
    .number()
    .int()
    .positive()
    .default(200)
    .describe('Longest time that an event waits to be written, in milliseconds.'),
  keepDays: z
    .number()
    .positive()
    .optional()
    .describe('Days after which market data is dropped, also while a run goes on. Default: never.'),
  marketData: z
    .boolean()
    .default(true)
    .describe(
      'Whether tickers, depth, trades and candles are kept, or decisions and effects only.',
    ),
});
