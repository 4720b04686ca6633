import { z } from 'zod';
import { Decimal } from '../../kernel/index.ts';

/** Decimal places of a fee rate that the simulated exchange can charge: whole millionths. */
const SCALE = 6;

/** A fee rate as a fraction: 0.002 is 0.2 %. */
export const rateSchema = z
  .number()
  .min(0)
  .max(0.1)
  .refine(
    (value) => Decimal.of(value).scale <= SCALE,
    `a fraction of at most ${SCALE} decimal places`,
  );
