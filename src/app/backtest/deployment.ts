import { AppError } from '../errors.ts';
import { type LoadedDeployment, loadDeployment } from '../load-deployment.ts';
import type { BacktestConfig } from './config.ts';

/** A deployment with what is to be replayed. */
export interface BacktestDeployment extends LoadedDeployment {
  readonly backtest: BacktestConfig;
}

/** What the command line says in place of the file. */
export interface BacktestChoices {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly folder?: string | undefined;
  readonly dataFolder?: string | undefined;
  readonly seed?: string | undefined;
  readonly report?: boolean | undefined;
}

/** Where a run without a seed of its own begins to draw. */
const DEFAULT_SEED = 'tradewind';

/** Reads a deployment that can be replayed. @throws {AppError} `configuration` when it can't be. */
export function loadBacktest(file: string, choices: BacktestChoices = {}): BacktestDeployment {
  const loaded = loadDeployment(file);
  const { backtest } = loaded.config;
  if (backtest === undefined) {
    throw new AppError(
      'configuration',
      `${loaded.yaml.locate([])}: Cannot replay this deployment: it has no section backtest, ` +
        'one with balances and data is wanted (see docs/backtest.md)',
    );
  }
  const { seed = loaded.config.seed ?? DEFAULT_SEED, ...others } = choices;
  const stated = Object.entries(others).filter(([, value]) => value !== undefined);
  const changed: BacktestConfig = { ...backtest, ...Object.fromEntries(stated) };
  const fees = {
    maker: changed.fees.maker ?? loaded.config.fees.maker,
    taker: changed.fees.taker ?? loaded.config.fees.taker,
  };
  const effective = { ...changed, fees: { ...changed.fees, ...fees } };
  const config = { ...loaded.config, seed, fees, backtest: effective };
  return { ...loaded, config, backtest: effective };
}
