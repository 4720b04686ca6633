import { currenciesOf } from '../../domain/index.ts';
import { type Conventions, conventionsOf } from '../../report/index.ts';
import { DATA_FOLDER } from '../config/exchange.ts';
import { DEFAULT_SEED } from '../config/seeds.ts';
import { didYouMean } from '../config/suggest.ts';
import { AppError } from '../errors.ts';
import { type LoadedDeployment, loadDeployment } from '../load-deployment.ts';
import type { BacktestConfig } from './config.ts';
import { polledKinds } from './hearing/polled-kinds.ts';
import { othersThan, routesTo, usualCurrency } from './worth/routes.ts';

/** A deployment that has a section `backtest`. */
export interface BacktestDeployment extends LoadedDeployment {
  readonly backtest: BacktestConfig;
}

/** Settings on the command line that override the file. */
export interface BacktestChoices {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly folder?: string | undefined;
  readonly dataFolder?: string | undefined;
  readonly seed?: string | undefined;
  /** Other settings that override the file, each as `path=value`. Default: none. */
  readonly set?: readonly string[] | undefined;
  /** Whether report.html is written. */
  readonly report?: boolean | undefined;
}

/** The conventions by which the figures of a deployment's runs are worked out. */
export function conventionsFor({ backtest }: BacktestDeployment): Conventions {
  const { html: _, currency: __, ...config } = backtest.report;
  return conventionsOf(config);
}

/** The currency that the account is valued in. */
export function accountCurrency({ config: { markets }, backtest }: BacktestDeployment): string {
  return backtest.report.currency ?? usualCurrency(markets.map(currenciesOf));
}

/** Reads a deployment that can be replayed. @throws {AppError} `configuration` when it can't be. */
export function loadBacktest(file: string, choices: BacktestChoices = {}): BacktestDeployment {
  const { seed: chosen, set, report: html, ...others } = choices;
  const loaded = placedBy(loadDeployment(file, { seed: chosen, set }), choices);
  const { backtest } = loaded.config;
  if (backtest === undefined) {
    throw new AppError(
      'configuration',
      `${loaded.yaml.locate([])}: Cannot find a backtest: the deployment has no section ` +
        'backtest, one with balances and data is wanted (see docs/backtest.md)',
    );
  }
  const written = { ...loaded, backtest };
  requireTraded(written);
  requireValued(written);
  requirePolled(written);
  requireOpenAtEnd(written);
  requireDatasets(written, choices);
  const { seed = DEFAULT_SEED } = loaded.config;
  const stated = Object.entries(others).filter(([, value]) => value !== undefined);
  const report = { ...backtest.report, ...(html !== undefined && { html }) };
  const changed: BacktestConfig = { ...backtest, report, ...Object.fromEntries(stated) };
  const fees = {
    maker: changed.fees.maker ?? loaded.config.fees.maker,
    taker: changed.fees.taker ?? loaded.config.fees.taker,
  };
  const effective = { ...changed, fees: { ...changed.fees, ...fees } };
  const config = { ...loaded.config, seed, fees, backtest: effective };
  return { ...loaded, config, backtest: effective };
}

/** The flags of those choices that override a setting of the file. */
const FLAGS = { from: '--from', to: '--to', dataFolder: '--data' } as const;

/** The deployment, with errors about command-line choices located at their flags. */
function placedBy(loaded: LoadedDeployment, choices: BacktestChoices): LoadedDeployment {
  const flagAt = ([group, name]: readonly PropertyKey[]): string | undefined => {
    const choice = group === 'backtest' && Object.hasOwn(FLAGS, name ?? '') ? name : undefined;
    const flag = choice as keyof typeof FLAGS | undefined;
    return flag === undefined || choices[flag] === undefined ? undefined : FLAGS[flag];
  };
  const { yaml } = loaded;
  const locate = (path: readonly PropertyKey[], key?: string): string =>
    flagAt(path) ?? yaml.locate(path, key);
  return { ...loaded, yaml: { ...yaml, locate } };
}

/** Refuses currencies that no market trades: nothing tells what they are worth. */
function requireTraded({ config: { markets }, backtest, yaml }: BacktestDeployment): void {
  const traded = [...new Set(markets.flatMap((id) => Object.values(currenciesOf(id))))];
  const requireOne = (currency: string, { what, place }: { what: string; place: string }): void => {
    if (traded.includes(currency)) return;
    const hint = didYouMean(currency, traded) || `, one of ${traded.join(', ')} is wanted`;
    const message = `Cannot value ${what} ${currency}: no market of the deployment trades it${hint}`;
    throw new AppError('configuration', `${place}: ${message}`);
  };
  const { currency } = backtest.report;
  if (currency !== undefined) {
    const place = yaml.locate(['backtest', 'report', 'currency']);
    requireOne(currency, { what: 'the account in', place });
  }
  for (const key of ['balances', 'lent'] as const) {
    for (const one of Object.keys(backtest[key])) {
      requireOne(one, { what: 'a balance of', place: yaml.locate(['backtest', key], one) });
    }
  }
}

/** Refuses currencies that no prices of markets convert to the currency of the account. */
function requireValued(written: BacktestDeployment): void {
  const { config, yaml } = written;
  const markets = config.markets.map(currenciesOf);
  const currency = accountCurrency(written);
  const routes = routesTo(currency, markets);
  const other = othersThan(currency, markets).find((one) => !routes.has(one));
  if (other === undefined) return;
  const at = markets.findIndex(({ base, quote }) => base === other || quote === other);
  throw new AppError(
    'configuration',
    `${yaml.locate(['markets', at])}: Cannot value ${other} in ${currency}, the currency of the ` +
      `account: no market of the deployment leads there, one such as ${other}_${currency} is wanted ` +
      'in markets (strategies need not trade it), or another backtest.report.currency',
  );
}

/** Refuses a folder of datasets, on the command line or in the file, if all prices are made up. */
function requireDatasets(
  { backtest, yaml }: BacktestDeployment,
  { dataFolder: chosen }: BacktestChoices,
): void {
  if (Object.keys(backtest.data).length > 0) return;
  // The usual folder also stands in the settings that a run saves, whatever its file said.
  const stated = backtest.dataFolder === DATA_FOLDER ? undefined : backtest.dataFolder;
  const dataFolder = chosen ?? stated;
  if (dataFolder === undefined) return;
  throw new AppError(
    chosen === undefined ? 'configuration' : 'usage',
    `${yaml.locate(['backtest', 'dataFolder'])}: Cannot take datasets from ${dataFolder}: backtest.data names ` +
      'none, one for a market is wanted',
  );
}

/** Refuses to simulate polls where all data are pushed: there is no poll to simulate. */
function requirePolled({ config, backtest, yaml }: BacktestDeployment): void {
  if (!backtest.simulate.polls || polledKinds(config.data).length > 0) return;
  throw new AppError(
    'configuration',
    `${yaml.locate(['backtest', 'simulate', 'polls'])}: Cannot simulate polls: data.feeds takes ` +
      'all that a backtest has from the feed, data.feeds: false is wanted, or false for depth, ' +
      'trades or candles',
  );
}

/** Refuses to close at the last open where no candles are played: other data have no open. */
function requireOpenAtEnd({ backtest, yaml }: BacktestDeployment): void {
  if (backtest.closeAtEnd !== 'open' || backtest.fill.model === 'candles') return;
  throw new AppError(
    'configuration',
    `${yaml.locate(['backtest', 'closeAtEnd'])}: Cannot close at the open of the last candle: ` +
      `orders fill by ${backtest.fill.model}, closeAtEnd: close is wanted with that`,
  );
}
