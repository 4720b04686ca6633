import { z } from 'zod';

/** Settings of the journal on disk. */
export const storageConfig = z.strictObject({
  path: z
    .string()
    .min(1)
    .optional()
    .describe('File of the journal. Default: var/<deployment>.journal.'),
  durability: z
    .enum(['full', 'normal'])
    .default('full')
    .describe(
      'full: a committed order survives a loss of power; normal: it survives a kill of the ' +
        'process, and the last commits before a loss of power may be gone.',
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
    .describe('Days after which the market data of earlier runs is dropped. Default: never.'),
  marketData: z
    .boolean()
    .default(true)
    .describe(
      'Whether tickers, depth, trades and candles are kept, or decisions and effects only.',
    ),
});

export type StorageConfig = z.infer<typeof storageConfig>;
