import type { z } from 'zod';
import { Decimal } from '../../kernel/index.ts';

/** Numbers of so many decimal places at most. `what`: such as `a fraction`, for who wrote more. */
export function ofPlaces(number: z.ZodNumber, { scale, what }: { scale: number; what: string }) {
  return number.refine(
    (value) => Decimal.of(value).scale <= scale,
    `${what} of at most ${scale} decimal places`,
  );
}
