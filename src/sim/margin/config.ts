import { z } from 'zod';

/**
 * The contract does not name leverage, interest or how they are counted: these defaults are
 * assumptions of the usual size on exchanges of this kind.
 */
export const marginSchema = z.strictObject({
  leverageMax: z
    .number()
    .min(1)
    .max(100)
    .default(3)
    .describe(
      'Most that a margin wallet may hold, as a multiple of its own money; 1 lends nothing.',
    ),
  interestRatePerDay: z
    .number()
    .min(0)
    .max(0.1)
    .multipleOf(0.000_001)
    .default(0.001)
    .describe('Interest on loans a day, a fraction in steps of 0.000001. Not compounded.'),
  unitOfAccount: z
    .string()
    .regex(/^[a-z0-9]+$/, 'a currency in lower case, such as usdt')
    .optional()
    .describe('Currency that margin wallets are valued in. Default: usdt, else the first quote.'),
});
/** How the exchange lends; every default resolved. */
export type MarginSettings = z.infer<typeof marginSchema>;
