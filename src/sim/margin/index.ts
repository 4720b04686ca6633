export { type Lender, MarginBank } from './bank.ts';
export { type MarginSettings, marginSchema } from './config.ts';
export { SimulatedMargin } from './simulated-margin.ts';
