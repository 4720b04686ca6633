import { z } from 'zod';
import { currenciesOf, MARKET_ID } from '../../domain/index.ts';
import { executionConfigSchema } from '../../execution/index.ts';
import { marketConfigSchema } from '../../market/index.ts';
import { riskConfigSchema } from '../../risk/index.ts';
import { refuseTwice } from '../../sim/index.ts';
import { storageConfig } from '../../storage/index.ts';
import { strategiesConfig } from '../../strategy/index.ts';
import { zbConfigSchema } from '../../venues/zb/client/config.ts';
import { alertsConfigSchema } from '../alerts/config.ts';
import { backtestSchema } from '../backtest/config.ts';
import { logConfigSchema } from './log.ts';
import { rateSchema } from './places.ts';
import { DEFAULT_SEED, madeUpWith, seeded } from './seeds.ts';
import { didYouMean } from './suggest.ts';
import { venueConfigSchema } from './venue.ts';

const feesSchema = z.strictObject({
  // Source: wire facts, REST answers: 0.2 % maker and taker by default.
  maker: rateSchema.default(0.002).describe('Fee of orders that rested, as a fraction.'),
  taker: rateSchema.default(0.002).describe('Fee of orders that took, as a fraction.'),
});

const dataSchema = marketConfigSchema.extend({
  requestTimeoutMs: marketConfigSchema.shape.requestTimeoutMs
    .unwrap()
    .optional()
    .describe(
      'Milliseconds after which a request for market data without an answer counts as failed, at ' +
        'most `venue.requestTimeoutMs`. Default: the same; 5000 if the venue is simulated.',
    ),
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
    .describe(
      'Seed of all randomness, and of made-up markets without a seed of their own. ' +
        'Default: `tradewind` for these markets, for backtests and on virtual time; else a ' +
        'new one for each run, printed in the log.',
    ),
  venue: venueConfigSchema.describe('Where orders go.'),
  markets: z
    .array(z.string().regex(MARKET_ID, 'a market such as btc_usdt is wanted'))
    .min(1)
    .describe('Markets that the deployment may trade, such as btc_usdt.'),
  strategies: strategiesConfig.min(1, 'at least one strategy is wanted'),
  strategyFolder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder that paths of strategies are relative to; it is itself relative to the ' +
        'folder of this file. Default: the folder of this file.',
    ),
  allowWithdrawals: z
    .boolean()
    .default(false)
    .describe('Accept a key that may withdraw funds. A trading key should not be able to.'),
  fees: feesSchema.prefault({}).describe('Fees of the account, to account for fills.'),
  data: dataSchema.prefault({}).describe('Market data: feeds, polling, candles, staleness.'),
  risk: riskConfigSchema.prefault({}).describe('Limits that every intent and order must pass.'),
  executor: executionConfigSchema
    .prefault({})
    .describe('Orders, rate budget, heartbeat, unknown outcomes, reconciliation.'),
  journal: storageConfig.prefault({}).describe('Where the run is recorded.'),
  backtest: backtestSchema
    .optional()
    .describe('What `tradewind backtest` replays; a live run ignores it.'),
  alerts: alertsConfigSchema
    .optional()
    .describe('Who is alerted when something is wrong. Default: nobody; the log has it.'),
  log: logConfigSchema.prefault({}).describe('Level and format of the log.'),
});

type Settings = z.output<typeof settingsSchema>;
type Issues = z.RefinementCtx<Settings>;

/** A deployment: everything that one run needs, in one YAML file. */
export const deploymentSchema = settingsSchema
  .superRefine(({ markets }, issues) => refuseTwice(markets, { at: ['markets'], issues }), {
    when: isSoundIn('markets'),
  })
  .superRefine(refuseTwiceOwn, { when: isSoundIn('strategies') })
  .superRefine(refuseUntraded, { when: isSoundIn('markets', 'risk') })
  .superRefine(refuseUnlikeGroups, { when: isSoundIn('markets', 'risk') })
  .superRefine(refuseLateTimeout, { when: isSoundIn('data', 'venue') })
  .superRefine(refuseEarlyTimeout, { when: isSoundIn('executor', 'venue') })
  .transform(completed);

export type DeploymentConfig = z.infer<typeof deploymentSchema>;

/**
 * For `when` of a check across sections: runs the check if these sections are sound, whatever is
 * wrong elsewhere. By itself zod skips it once any value in the file is of the wrong kind.
 */
function isSoundIn(...sections: readonly string[]) {
  return ({ issues }: z.core.ParsePayload): boolean =>
    !issues.some(
      ({ path, ...issue }) =>
        // An issue without a path concerns the whole file: there are no sections then.
        (path?.[0] === undefined || sections.includes(String(path[0]))) &&
        issue.continue !== true &&
        issue.code !== 'unrecognized_keys',
    );
}

function refuseTwiceOwn({ strategies }: Settings, issues: Issues): void {
  for (const [index, { markets = [] }] of strategies.entries())
    refuseTwice(markets, { at: ['strategies', index, 'markets'], issues });
}

/** Refuses limits for markets and currencies that the deployment does not trade. */
function refuseUntraded({ markets, risk }: Settings, issues: Issues): void {
  const currencies = markets.map((id) => currenciesOf(id).quote);
  const refuse = (key: string, known: readonly string[], path: readonly PropertyKey[]): void => {
    if (known.includes(key)) return;
    const hint = didYouMean(key, known) || `, one of ${[...new Set(known)].join(', ')} is wanted`;
    const value = path.at(-1) === key ? 'it is' : `it is "${key}", which is`;
    const message = `${value} not traded by this deployment${hint}`;
    issues.addIssue({ code: 'custom', path: ['risk', ...path], message });
  };
  for (const key of Object.keys(risk.markets)) refuse(key, markets, ['markets', key]);
  for (const key of Object.keys(risk.currencies)) refuse(key, currencies, ['currencies', key]);
  for (const [name, group] of Object.entries(risk.groups)) {
    for (const [index, id] of group.markets.entries())
      refuse(id, markets, ['groups', name, 'markets', index]);
  }
}

/** Refuses groups with markets of several quote currencies, or with one market twice. */
function refuseUnlikeGroups({ markets, risk }: Settings, issues: Issues): void {
  for (const [name, group] of Object.entries(risk.groups)) {
    const at = ['risk', 'groups', name, 'markets'];
    refuseTwice(group.markets, { at, issues });
    const [first = '', ...others] = group.markets.filter((id) => markets.includes(id));
    const { quote } = currenciesOf(first);
    for (const id of others) {
      if (currenciesOf(id).quote === quote) continue;
      const message = `it is "${id}", a market quoted in ${quote} like ${first} is wanted`;
      issues.addIssue({ code: 'custom', path: [...at, group.markets.indexOf(id)], message });
    }
  }
}

/** Refuses a timeout for market data that the venue client's own timeout would cut short. */
function refuseLateTimeout({ data, venue }: Settings, issues: Issues): void {
  const { requestTimeoutMs: waitMs = 0 } = data;
  const limitMs = requestTimeoutOf(venue);
  if (waitMs <= limitMs) return;
  const whose = venue.kind === 'zb' ? ', as venue.requestTimeoutMs has it,' : '';
  const message = `it is ${waitMs}, a number of at most ${limitMs}${whose} is wanted`;
  issues.addIssue({ code: 'custom', path: ['data', 'requestTimeoutMs'], message });
}

/**
 * Refuses an executor that gives requests up while the venue's client still has their sockets open:
 * a request taken for lost could still leave.
 */
function refuseEarlyTimeout({ executor, venue }: Settings, issues: Issues): void {
  const { answerTimeoutMs } = executor;
  const hasSockets = venue.kind === 'zb' || venue.transport === 'loopback';
  const waitMs = requestTimeoutOf(venue);
  if (!hasSockets || answerTimeoutMs >= waitMs) return;
  const wanted = `a number of at least ${waitMs}, so long does the venue's client wait, is wanted`;
  const message = `it is ${answerTimeoutMs}, ${wanted}`;
  issues.addIssue({ code: 'custom', path: ['executor', 'answerTimeoutMs'], message });
}

/** The time after which the venue's client gives up a request by itself, milliseconds. */
function requestTimeoutOf(venue: Settings['venue']): number {
  return venue.kind === 'zb'
    ? venue.requestTimeoutMs
    : zbConfigSchema.shape.requestTimeoutMs.parse(undefined);
}

/** Fills in settings that default to settings of another section. */
function completed(settings: Settings) {
  const { seed = DEFAULT_SEED, venue, backtest } = settings;
  const { requestTimeoutMs = requestTimeoutOf(venue), ...data } = settings.data;
  return {
    ...settings,
    venue: venue.kind === 'simulated' ? seeded(venue, seed) : venue,
    data: { ...data, requestTimeoutMs },
    backtest: backtest && madeUpWith(backtest, (one) => seeded(one, seed)),
  };
}
