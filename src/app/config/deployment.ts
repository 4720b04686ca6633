import { z } from 'zod';
import { currenciesOf } from '../../domain/index.ts';
import { executionConfigSchema } from '../../execution/index.ts';
import { marketConfigSchema } from '../../market/index.ts';
import { riskConfigSchema } from '../../risk/index.ts';
import { storageConfig } from '../../storage/index.ts';
import { strategiesConfig } from '../../strategy/index.ts';
import { backtestSchema } from '../backtest/config.ts';
import { logConfigSchema } from '../logging.ts';
import { didYouMean } from './suggest.ts';
import { venueConfigSchema } from './venue.ts';

const rate = z.number().min(0).max(0.1);

const feesSchema = z.strictObject({
  // Source: wire facts, REST answers: 0.2 % maker and taker by default.
  maker: rate.default(0.002).describe('Fee of orders that rested, as a fraction.'),
  taker: rate.default(0.002).describe('Fee of orders that took, as a fraction.'),
});

const settingsSchema = z.strictObject({
  $schema: z.string().optional().describe('The JSON schema for editors; not used by a run.'),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'lower case letters, digits and hyphens are wanted')
    .describe('Name of the deployment: lower case letters, digits and hyphens.'),
  seed: z
    .string()
    .optional()
    .describe('Seed of all randomness. Default: a new one each run, printed in the log.'),
  venue: venueConfigSchema.describe('Where orders go.'),
  markets: z
    .array(z.string().regex(/^[a-z0-9]+_[a-z0-9]+$/, 'a market such as btc_usdt is wanted'))
    .min(1)
    .describe('Markets that the deployment may trade, such as btc_usdt.'),
  strategies: strategiesConfig.min(1, 'at least one strategy is wanted'),
  allowWithdrawals: z
    .boolean()
    .default(false)
    .describe('Accept a key that may withdraw funds. A trading key should not be able to.'),
  fees: feesSchema.prefault({}).describe('Fees of the account, to account for fills.'),
  data: marketConfigSchema
    .prefault({})
    .describe('Market data: feeds, polling, candles, staleness.'),
  risk: riskConfigSchema.prefault({}).describe('Limits that every intent and order must pass.'),
  executor: executionConfigSchema
    .prefault({})
    .describe('Orders, rate budget, heartbeat, unknown outcomes, reconciliation.'),
  journal: storageConfig.prefault({}).describe('Where the run is recorded.'),
  backtest: backtestSchema
    .optional()
    .describe('What `tradewind backtest` replays; a live run does not look at it.'),
  log: logConfigSchema.prefault({}).describe('What the log says and how.'),
});

/** A deployment: everything that one run needs, in one YAML file. */
export const deploymentSchema = settingsSchema.superRefine(({ markets, risk }, issues) => {
  const currencies = markets.map((id) => currenciesOf(id).quote);
  for (const [section, known] of Object.entries({ markets, currencies })) {
    for (const key of Object.keys(risk[section as 'markets' | 'currencies'])) {
      if (known.includes(key)) continue;
      const hint = didYouMean(key, known) || `, one of ${[...new Set(known)].join(', ')} is wanted`;
      const message = `it is not traded by this deployment${hint}`;
      issues.addIssue({ code: 'custom', path: ['risk', section, key], message });
    }
  }
});

export type DeploymentConfig = z.infer<typeof deploymentSchema>;
