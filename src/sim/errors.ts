import { TradewindError } from '../kernel/index.ts';

/** Where something stands in the settings of the exchange. */
export type SettingPath = readonly PropertyKey[];

/** The simulated exchange was set up or fed with something that it cannot hold. */
export class SimulationError extends TradewindError {
  override readonly name = 'SimulationError';
  /** The setting at fault, if there is one. */
  readonly path: SettingPath | undefined;

  constructor(message: string, { path }: { readonly path?: SettingPath | undefined } = {}) {
    super(message);
    this.path = path;
  }
}
