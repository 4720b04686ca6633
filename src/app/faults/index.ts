export { faultSchema } from './fault.ts';
export type { InjectedFault } from './fault-board.ts';
export { FaultyNetwork } from './faulty-network.ts';
