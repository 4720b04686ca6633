import { AppError } from '../errors.ts';
import { type LoadOptions, loadDeployment } from '../load-deployment.ts';
import { blotOf } from '../secrets.ts';
import { alertBody } from './alert-text.ts';
import { withDefaults } from './config.ts';
import { alertAddresses } from './open-alerts.ts';
import { type Posted, postTo } from './post.ts';

/** What was sent to an address on trial. */
export interface AlertTrial {
  readonly what: 'alert' | 'sign of life';
  /** The environment variable that holds the address. */
  readonly variable: string;
}

/**
 * Posts one alert and sends one sign of life, as a run of the deployment would.
 *
 * @throws {AppError} `configuration` when the deployment names no alerts, an address is missing, or
 * does not take what it is sent: a line each.
 */
export async function tryAlerts(file: string, options: LoadOptions = {}): Promise<AlertTrial[]> {
  const deployment = loadDeployment(file, options);
  const { yaml, config } = deployment;
  const { alerts: settings, name } = config;
  if (settings === undefined) {
    const what = `${yaml.file}: Cannot try alerts: it has no section alerts, one is wanted`;
    throw new AppError('configuration', what);
  }
  const { url, aliveUrl } = alertAddresses(deployment, settings);
  const trials: (AlertTrial & { readonly posted: Posted; readonly path: string })[] = [];
  if (url !== undefined) {
    const alert = { time: Date.now(), level: 'info', text: 'a trial: alerts arrive here' } as const;
    const body = alertBody([alert], { ...withDefaults(settings), deployment: name });
    const posted = await postTo(url, { method: 'POST', ...body });
    trials.push({ what: 'alert', variable: settings.url!.env, path: 'url', posted });
  }
  if (aliveUrl !== undefined) {
    const posted = await postTo(aliveUrl, { method: 'GET' });
    const variable = settings.aliveUrl!.env;
    trials.push({ what: 'sign of life', variable, path: 'aliveUrl', posted });
  }
  const blot = blotOf(config) ?? ((text: string) => text);
  const problems = trials.flatMap(({ variable, path, posted }) =>
    posted.kind === 'taken'
      ? []
      : [
          `${yaml.locate(['alerts', path])}: Cannot reach anybody by the address in ${variable}: ` +
            `${blot(posted.reason)}, an answer of success is wanted`,
        ],
  );
  if (problems.length > 0) throw new AppError('configuration', problems.join('\n'));
  return trials.map(({ what, variable }) => ({ what, variable }));
}
