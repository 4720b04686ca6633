export { MarginBank } from './bank.ts';
export { type MarginSettings, marginSchema } from './config.ts';
export type { Lender } from './lender.ts';
export { SimulatedMargin } from './simulated-margin.ts';
