import { z } from 'zod';
import { ofPlaces } from './places.ts';

/** A fee rate as a fraction, 0.002 is 0.2 %: the simulated exchange charges whole millionths. */
export const rateSchema = ofPlaces(z.number().min(0).max(0.1), { scale: 6, what: 'a fraction' });
