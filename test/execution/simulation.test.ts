import { describe, it } from 'vitest';
import { Simulation } from './simulation.ts';

const STEPS = 300;
const SEEDS = [1, 2, 3, 4];

describe('Executor under random faults keeps its invariants', () => {
  it.each(SEEDS)('with single orders, seed %i', (seed) => {
    new Simulation({ seed, steps: STEPS }).run();
  });

  it.each(SEEDS)('with batches, seed %i', (seed) => {
    new Simulation({ seed: 100 + seed, steps: STEPS, config: { batch: true } }).run();
  });

  it.each(SEEDS)('with kill -9 and restarts, seed %i', (seed) => {
    new Simulation({ seed: 200 + seed, steps: STEPS, restarts: true }).run();
  });

  it.each(SEEDS)('with batches and restarts, seed %i', (seed) => {
    const config = { batch: true };
    new Simulation({ seed: 300 + seed, steps: STEPS, restarts: true, config }).run();
  });
});
