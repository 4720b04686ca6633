import type { SimulatedExchange } from '../../sim/index.ts';
import type { ServedZb } from '../../venues/zb/server/index.ts';
import type { FaultyNetwork } from '../faults/index.ts';
import type { ExchangeTime } from '../time/exchange-time.ts';

/** A served exchange with everything that its operator can get hold of. */
export interface OperatedExchange {
  readonly host: SimulatedExchange;
  /** Names of the accounts. */
  readonly accounts: readonly string[];
  readonly time: ExchangeTime;
  readonly served: Pick<ServedZb, 'operator' | 'counts'>;
  readonly network: FaultyNetwork;
}
