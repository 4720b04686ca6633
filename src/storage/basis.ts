import type { Market } from '../domain/index.ts';

/** What a run stood on beside its events: enough to let its strategies decide once more. */
export interface RunBasis {
  /** The seed of all its randomness. */
  readonly seed: string;
  /** The file that described the deployment; paths in `config` are relative to its folder. */
  readonly file: string;
  /** The effective settings, defaults included; secrets are references only. */
  readonly config: unknown;
  /** The markets that were traded, with the rules that held. */
  readonly markets: readonly Market[];
}

/** Stands for the configuration's hash of a run in which a person alone wrote into the journal. */
export const BY_HAND = 'by hand';
