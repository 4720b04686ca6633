import { z } from 'zod';

const milliseconds = z.number().min(0);

const lognormalSchema = z.strictObject({
  medianMs: z.number().positive().describe('Half of all latencies are shorter, milliseconds.'),
  sigma: z
    .number()
    .min(0)
    .max(3)
    .default(0.5)
    .describe('Standard deviation of the logarithm: 0.5 puts one in a hundred beyond 3.2 medians.'),
  leastMs: milliseconds.default(0).describe('The shortest latency, milliseconds.'),
});

const kinds = {
  constant: z.strictObject({
    constantMs: milliseconds.describe('The same for all, milliseconds.'),
  }),
  lognormal: z.strictObject({ lognormal: lognormalSchema.describe('Drawn at random, seeded.') }),
  samples: z.strictObject({
    samplesMs: z
      .array(milliseconds)
      .min(1)
      .describe('One of these is drawn at random each time, seeded.'),
  }),
  measured: z.strictObject({
    measured: z
      .string()
      .min(1)
      .describe('A file of measured latencies: a line each, `time,milliseconds` or milliseconds.'),
  }),
};

/** How long requests or answers take. */
export const orderLatencySchema = z.union([
  milliseconds.describe('The same for all, milliseconds.'),
  ...Object.values(kinds),
]);
/** Settings of one latency, every default resolved. */
export type OrderLatencySettings = z.infer<typeof orderLatencySchema>;

const recordedSchema = z.strictObject({
  recorded: z
    .enum(['refuse', 'shift'])
    .describe(
      'As recorded: from the stamp of the exchange to that of the receipt. A clock of the ' +
        "recorder that is behind the exchange's gives negative latencies. refuse: the run does " +
        'not start then; shift: all latencies are shifted so that the shortest is `leastMs`.',
    ),
  leastMs: milliseconds
    .default(1)
    .describe('The shortest latency after a shift, milliseconds: a guess, as nobody measured it.'),
});

/** How long market data take. */
export const feedLatencySchema = z.union([...orderLatencySchema.options, recordedSchema]);
export type FeedLatencySettings = z.infer<typeof feedLatencySchema>;
