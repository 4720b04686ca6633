import { dirname, resolve } from 'node:path';
import { EMPTY, type Observable } from 'rxjs';
import type { Exchange, Permissions } from '../../exchange/index.ts';
import type { Clock, Logger, Random } from '../../kernel/index.ts';
import type { ServedZb } from '../../venues/zb/server/index.ts';
import type { DeploymentConfig } from '../config/deployment.ts';
import { type EmbeddedExchange, openEmbeddedExchange } from '../exchange/embedded-exchange.ts';
import { fromEnvironment, type LoadedDeployment } from '../load-deployment.ts';
import type { StopRequest } from '../session.ts';
import type { EmbeddedInspection } from '../status/summary.ts';
import { followJournal } from './key-journal.ts';
import { lockKey } from './key-lock.ts';

/** The exchange that a session's orders go to, and how it was opened. */
export interface Venue {
  readonly exchange: Exchange;
  /** In a few words, for people. */
  readonly description: string;
  /** Opens the sockets beforehand; completes when they are open. */
  readonly warm: Observable<unknown>;
  /** Whether the exchange begins with this run, so that earlier runs have left nothing on it. */
  readonly isNew: boolean;
  /** The environment variables that hold the keys; absent where no person's keys are used. */
  readonly keyVariables?: { readonly accessKey: string; readonly secretKey: string };
  /** To be called once the exchange has accepted the key, before anything trades, if present. */
  readonly accepted?: (() => void) | undefined;
  /** What an embedded exchange knows of the account; absent for other venues. */
  readonly inspect?: () => EmbeddedInspection;
  close(): Promise<void>;
}

export interface VenueOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: Random;
  /** Path of the session's journal. Default: none is kept. */
  readonly journalPath?: string | undefined;
  /** Asks to stop while the venue is still being opened. Default: nobody asks. */
  readonly stop?: Observable<StopRequest> | undefined;
}

type VenueConfig = DeploymentConfig['venue'];
type SimulatedVenueConfig = Extract<VenueConfig, { kind: 'simulated' }>;

/** The warning for a market of the simulated exchange that has no source of orders. */
const NO_SOURCE =
  'nobody but this run trades there; `synthetic` of it in venue.markets, a recording of ' +
  'it in venue.recordings, or venue.follow is wanted';

/** Opens the venue that a deployment names. @throws {AppError} when it cannot be had. */
export function openVenue(deployment: LoadedDeployment, options: VenueOptions): Promise<Venue> {
  const { venue } = deployment.config;
  return venue.kind === 'zb'
    ? openZb(deployment, { ...options, venue })
    : openSimulated(deployment, { ...options, venue });
}

async function openZb(
  { config, yaml }: LoadedDeployment,
  options: VenueOptions & { readonly venue: Extract<VenueConfig, { kind: 'zb' }> },
): Promise<Venue> {
  const { venue, clock, logger, random, journalPath: journal } = options;
  const references = (['accessKey', 'secretKey'] as const).map((name) => {
    return { name: venue[name].env, path: ['venue', name] };
  });
  const [accessKey, secretKey] = fromEnvironment(references, yaml) as [string, string];
  const { tradeUrl } = venue;
  const keyVariables = { accessKey: venue.accessKey.env, secretKey: venue.secretKey.env };
  const deployment = `deployment ${config.name} of ${resolve(yaml.file)}`;
  const lock = lockKey({ accessKey, variable: keyVariables.accessKey, tradeUrl, deployment });
  try {
    const use = journal === undefined ? undefined : { deployment: config.name, journal, logger };
    const accepted = use && followJournal(lock, use);
    const { connectZb } = await import('../../venues/zb/client/index.ts');
    const exchange = connectZb({ ...venue, clock, logger, random, accessKey, secretKey });
    return {
      exchange,
      description: new URL(tradeUrl).host,
      warm: exchange.warm(),
      isNew: false,
      keyVariables,
      accepted,
      close: () => exchange.close().finally(() => lock.release()),
    };
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

async function openSimulated(
  { yaml, config }: LoadedDeployment,
  options: VenueOptions & { readonly venue: SimulatedVenueConfig },
): Promise<Venue> {
  const { venue } = options;
  const embedded = await openEmbeddedExchange(venue, {
    ...options,
    openClock: () => options.clock,
    data: config.data,
    locate: (path) => yaml.locate(['venue', ...path]),
    resolveFile: (file) => resolve(dirname(yaml.file), file),
  });
  // The checked settings are sure to have the account.
  const { account = venue.accounts[0]!.name } = venue;
  const { permissions } = venue.accounts.find(({ name }) => name === account)!;
  const exchange = embedded.host.account(account)!;
  for (const market of config.markets) {
    if (!embedded.sourceless.includes(market)) continue;
    options.logger.warn({ market }, `${market} has no source of prices: ${NO_SOURCE}`);
  }
  return venue.transport === 'process'
    ? inProcess(embedded, { exchange, account })
    : onLoopback(embedded, { ...options, account, permissions });
}

function inProcess(
  embedded: EmbeddedExchange,
  { exchange, account }: { exchange: Exchange; account: string },
): Venue {
  return {
    exchange,
    description: 'simulated exchange in process',
    warm: EMPTY,
    isNew: true,
    inspect: () => ({ resting: embedded.resting(account), requestsPeak: undefined }),
    close: () => embedded.close(),
  };
}

/** The exchange behind its own wire, with a key to the account that is drawn for this run. */
async function onLoopback(
  embedded: EmbeddedExchange,
  options: VenueOptions & { readonly account: string; readonly permissions: Permissions },
): Promise<Venue> {
  const { clock, logger, random, account, permissions } = options;
  const keys = { accessKey: drawKey(random), secretKey: drawKey(random) };
  let served: ServedZb;
  try {
    const { serveZb } = await import('../../venues/zb/server/index.ts');
    served = await serveZb({
      host: embedded.host,
      clock,
      logger,
      port: 0,
      keys: [{ ...keys, account, permissions }],
    });
  } catch (thrown) {
    await embedded.close();
    throw thrown;
  }
  const { connectZb } = await import('../../venues/zb/client/index.ts');
  const client = connectZb({ ...served, ...keys, clock, logger, random });
  return {
    exchange: client,
    description: `simulated exchange on ${new URL(served.dataUrl).host}`,
    warm: client.warm(),
    isNew: true,
    inspect: () => ({
      resting: embedded.resting(account),
      requestsPeak: served.counts().keys[keys.accessKey]?.highest ?? 0,
    }),
    close: async () => {
      await client.close();
      await served.close();
      await embedded.close();
    },
  };
}

/** A UUID-shaped key (wire facts, Authentication). */
function drawKey(random: Random): string {
  const digits = Array.from({ length: 32 }, () => random.integer(16).toString(16)).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
