export { comparedFigures } from '../../report/index.ts';
export type { Attribution, Cause } from './attribution.ts';
export { type CompareOptions, compareRuns, type RunComparison, type RunSide } from './compare.ts';
