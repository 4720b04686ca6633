import { EMPTY, type Observable, type Subscription } from 'rxjs';
import type { Fill } from '../../domain/index.ts';
import type { Clock, Logger } from '../../kernel/index.ts';
import { isLocal } from '../../venues/zb/client/addresses.ts';
import { AppError } from '../errors.ts';
import { fromEnvironment, type LoadedDeployment } from '../load-deployment.ts';
import { fillText } from '../log/fill-text.ts';
import { AlertDesk } from './alert-desk.ts';
import { type AlertLevel, alertBody } from './alert-text.ts';
import { alertingLogger } from './alerting-logger.ts';
import { type AlertsConfig, withDefaults } from './config.ts';
import { type Posted, type PostOptions, postTo } from './post.ts';
import { signsOfLife } from './sign-of-life.ts';

/** How long the last post of a run may take, milliseconds: the stop waits for it. */
const CLOSE_MAX_MS = 5_000;

/** What tells people about a run, beside its log. */
export interface Alerts {
  /** Posts an alert; returns at once. */
  tell(level: AlertLevel, text: string): void;
  /** A logger that also posts what is logged at the deployment's level for alerts or above. */
  watching(logger: Logger): Logger;
  /** Posts each fill where the deployment wants that, until it is unsubscribed. */
  following(fills: Observable<Fill>): Subscription;
  /** Posts the waiting alerts, within seconds. To be called once. */
  close(): Promise<void>;
}

/** Where alerts are posted and signs of life are sent; undefined if the deployment names none. */
export interface AlertAddresses {
  readonly url: string | undefined;
  readonly aliveUrl: string | undefined;
}

export interface AlertsOptions {
  readonly clock: Clock;
  /** Told that posts fail. It must not be one that `watching` returned. */
  readonly logger: Logger;
  /** Sends a request. Default: over the network. */
  readonly send?: typeof postTo;
}

/**
 * Opens the alerts of a deployment; signs of life begin at once. Undefined where it names none.
 *
 * @throws {AppError} `configuration` when an address is not in the environment, or none.
 */
export function openAlerts(
  deployment: LoadedDeployment,
  { clock, logger, send = postTo }: AlertsOptions,
): Alerts | undefined {
  const { alerts, name } = deployment.config;
  if (alerts === undefined) return undefined;
  const settings = withDefaults(alerts);
  const { url, aliveUrl } = alertAddresses(deployment, settings);
  const ending = new AbortController();
  const sending = (address: string, options: PostOptions): Promise<Posted> =>
    send(address, { ...options, signal: ending.signal });
  const desk =
    url === undefined
      ? undefined
      : new AlertDesk({
          ...{ clock, logger, pauseMs: settings.pauseMs, variable: settings.url!.env },
          post: (told, dropped) => {
            const body = alertBody(told, { ...settings, deployment: name, dropped });
            return sending(url, { method: 'POST', ...body });
          },
        });
  const signs =
    aliveUrl === undefined
      ? undefined
      : signsOfLife({
          ...{ clock, logger, everyMs: settings.aliveEveryMs, variable: settings.aliveUrl!.env },
          call: () => sending(aliveUrl, { method: 'GET' }),
        });
  const tell = (level: AlertLevel, text: string): void =>
    desk?.tell({ time: clock.now(), level, text });
  return {
    tell,
    watching: (inner) => alertingLogger(inner, { level: settings.level, tell }),
    following: (fills) =>
      (settings.fills ? fills : EMPTY).subscribe((fill) => tell('info', fillText(fill))),
    close: async () => {
      signs?.unsubscribe();
      const limit = clock.schedule(() => ending.abort(), CLOSE_MAX_MS);
      await desk?.close();
      limit.unsubscribe();
      ending.abort();
    },
  };
}

/** The addresses that a deployment refers to. @throws {AppError} `configuration`. */
export function alertAddresses({ yaml }: LoadedDeployment, settings: AlertsConfig): AlertAddresses {
  const references = (['url', 'aliveUrl'] as const).flatMap((key) => {
    const reference = settings[key];
    return reference === undefined
      ? []
      : [{ key, name: reference.env, path: ['alerts', key], holds: 'the address' }];
  });
  const values = fromEnvironment(references, yaml);
  const problems = references.flatMap(({ path, name }, at) =>
    isAddress(values[at]!)
      ? []
      : [
          `${yaml.locate(path)}: Cannot use what the environment variable ${name} holds: it is no ` +
            'such address, one that begins with https:// (on this machine http://) is wanted',
        ],
  );
  if (problems.length > 0) throw new AppError('configuration', problems.join('\n'));
  const of = (key: 'url' | 'aliveUrl') => values[references.findIndex((one) => one.key === key)];
  return { url: of('url'), aliveUrl: of('aliveUrl') };
}

/** Alerts reveal what is traded, so unencrypted HTTP is allowed on this machine only. */
function isAddress(text: string): boolean {
  const address = URL.parse(text);
  if (address === null) return false;
  return address.protocol === 'https:' || (address.protocol === 'http:' && isLocal(address));
}
