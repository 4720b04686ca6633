import { didYouMean } from '../../config/suggest.ts';
import { AppError } from '../../errors.ts';
import type { GeneratedSettings } from '../config.ts';
import type { BacktestDeployment } from '../deployment.ts';
import { generatedRange, generatedRows } from './generated.ts';
import { marketOf, requireHeld, worthOf } from './market.ts';
import { recordedSource } from './recorded.ts';
import type { Source } from './source.ts';

/**
 * Opens the data of every market of a deployment, in the order of its markets.
 *
 * @throws {AppError} `configuration` for a market without data, with two kinds of it, or with data
 * that the fill model cannot use; `recording` as `recordedSource`.
 */
export async function openSources(deployment: BacktestDeployment): Promise<Source[]> {
  const { config, yaml, backtest } = deployment;
  for (const section of ['data', 'generate', 'markets'] as const) {
    for (const id of Object.keys(backtest[section])) {
      if (config.markets.includes(id)) continue;
      const place = yaml.locate(['backtest', section], id);
      const hint =
        didYouMean(id, config.markets) || `, one of ${config.markets.join(', ')} is wanted`;
      const what = `Cannot use backtest.${section} of ${id}: the deployment does not trade it`;
      throw new AppError('configuration', `${place}: ${what}${hint}`);
    }
  }
  const sources: Source[] = [];
  for (const id of config.markets) sources.push(await openSource(id, deployment));
  return sources;
}

async function openSource(id: string, deployment: BacktestDeployment): Promise<Source> {
  const { yaml, backtest } = deployment;
  const name = backtest.data[id];
  const settings = backtest.generate[id];
  if (name !== undefined && settings !== undefined) {
    const what = `Cannot make up the prices of ${id}: it has a dataset, one of both is wanted`;
    throw new AppError('configuration', `${yaml.locate(['backtest', 'generate'], id)}: ${what}`);
  }
  if (name !== undefined) {
    const source = await recordedSource(id, { deployment, name });
    requirePlayable(source, { deployment, place: yaml.locate(['backtest', 'data', id]) });
    return source;
  }
  if (settings !== undefined) return generatedSource(id, { deployment, settings });
  const what =
    `Cannot replay ${id}: it has no data, its dataset in backtest.data is wanted ` +
    '(`tradewind data list` shows those there are)';
  throw new AppError('configuration', `${yaml.locate(['backtest'], 'data')}: ${what}`);
}

async function generatedSource(
  id: string,
  { deployment, settings }: { deployment: BacktestDeployment; settings: GeneratedSettings },
): Promise<Source> {
  const { yaml, backtest } = deployment;
  const { priceScale } = settings;
  const rows = generatedRows(id, { backtest, settings });
  const range = () => generatedRange(rows);
  const worth = await worthOf(id, { deployment, priceScale, range });
  const market = marketOf(id, { deployment, scales: settings, worth });
  const source = { ...rows, market, worth };
  requirePlayable(source, { deployment, place: yaml.locate(['backtest', 'generate'], id) });
  return source;
}

function requirePlayable(
  { kind, name, market, worth }: Source,
  { deployment, place }: { deployment: BacktestDeployment; place: string },
): void {
  requireHeld(market, { worth, place });
  const { model } = deployment.backtest.fill;
  if (model === kind) return;
  const what = `Cannot fill by the model ${model} from ${name}: it holds ${kind}`;
  throw new AppError('configuration', `${place}: ${what}, backtest.fill.model: ${kind} is wanted`);
}
