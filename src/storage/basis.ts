import { z } from 'zod';
import type { Market } from '../domain/index.ts';

/** What a run depended on besides its events: enough to replay the decisions of its strategies. */
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

/** In place of the configuration's hash, for a run in which only a person wrote to the journal. */
export const BY_HAND = 'by hand';

const [word, number] = [z.string(), z.number()];
const marketSchema = z.looseObject({
  ...{ id: word, base: word, quote: word, priceScale: number, amountScale: number },
  ...{ minAmount: number, minSize: number },
});
const basisSchema = z.looseObject({ seed: word, file: word, markets: z.array(marketSchema) });

/** Reads a run's basis from the text in its row. @throws {TypeError} when the text is damaged. */
export function readBasis(text: string): RunBasis {
  const basis: unknown = JSON.parse(text);
  const issue = basisSchema.safeParse(basis).error?.issues[0];
  if (issue === undefined) return basis as RunBasis;
  throw new TypeError(
    `what a run stood on is damaged at ${issue.path.join('.') || 'its beginning'}`,
  );
}
