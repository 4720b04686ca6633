import { z } from 'zod';
import { Decimal } from '../../kernel/index.ts';

/** Numbers of at most `scale` decimal places. `what`: such as `a fraction`, for the message. */
export function ofPlaces(number: z.ZodNumber, { scale, what }: { scale: number; what: string }) {
  return number.refine(
    (value) => Decimal.of(value).scale <= scale,
    `${what} of at most ${scale} decimal places`,
  );
}

/** A fee rate as a fraction, 0.002 is 0.2 %: the simulated exchange charges whole millionths. */
export const rateSchema = ofPlaces(z.number().min(0).max(0.1), { scale: 6, what: 'a fraction' });
