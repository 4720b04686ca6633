import { z } from 'zod';

const TIME_MODES = ['real', 'scaled', 'stepped'] as const;

/** The fastest scale: an hour in 36 ms. Any faster, a client's request would span days. */
const SCALE_MAX = 100_000;

/** The clock of a served exchange. */
export const timeSchema = z
  .strictObject({
    mode: z
      .enum(TIME_MODES)
      .default('real')
      .describe(
        "real: the machine's; scaled: faster or slower by a factor; stepped: only the admin port moves it.",
      ),
    scale: z
      .number()
      .positive()
      .max(SCALE_MAX)
      .optional()
      .describe('Seconds of the exchange in one real second; belongs to mode scaled. Default: 1.'),
    start: z.iso
      .datetime({ offset: true, error: 'a time such as 2026-01-01T00:00:00Z is wanted' })
      .optional()
      .describe('When the exchange begins, for scaled and stepped time. Default: now.'),
  })
  .superRefine(({ mode, scale, start }, issues) => {
    const refuse = (path: string, message: string): void => {
      issues.addIssue({ code: 'custom', path: [path], message });
    };
    if (scale !== undefined && mode !== 'scaled') refuse('scale', 'mode: scaled is wanted with it');
    if (start !== undefined && mode === 'real') {
      refuse('start', 'mode: scaled or mode: stepped is wanted with it');
    }
  });
export type TimeConfig = z.infer<typeof timeSchema>;

/** The admin port, for the operator. */
export const adminSchema = z.strictObject({
  port: z
    .int()
    .min(0)
    .max(65_535)
    .describe(
      'TCP port on 127.0.0.1, whatever address the exchange is served on; 0: any free one.',
    ),
});
