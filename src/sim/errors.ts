import { TradewindError } from '../kernel/index.ts';

/** The simulated exchange was set up or fed with something that it cannot hold. */
export class SimulationError extends TradewindError {
  override readonly name = 'SimulationError';
}
