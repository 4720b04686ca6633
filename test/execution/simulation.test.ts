import { describe, it } from 'vitest';
import { Simulation } from './simulation.ts';

const STEPS = 300;
const SEEDS = Array.from({ length: 8 }, (_, index) => index + 1);

describe('Executor under random faults keeps its invariants', () => {
  it.each(SEEDS)('with seed %i', (seed) => {
    new Simulation({ seed, steps: STEPS }).run();
  });
});
