import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { isPath, strategyFolder } from '../strategies/load-strategies.ts';
import type { LocatedYaml } from './yaml.ts';

type Group = Readonly<Record<string, unknown>>;

/**
 * The settings of a file, rewritten for another folder so that they lead to the same files.
 *
 * Paths of strategies stay, since they name the strategies: `strategyFolder` is rewritten instead.
 */
export function movedSettings(
  settings: Group,
  { yaml, folder }: { readonly yaml: LocatedYaml; readonly folder: string },
): Group {
  const [from, to] = [dirname(yaml.file), resolve(folder)];
  const moved = (file: string): string => relative(to, resolve(from, file));
  const entries = settings.strategies as readonly { readonly use: string }[];
  const leads = entries.some(({ use }) => isPath(use) && !isAbsolute(use));
  const backtest = settings.backtest as { readonly latency: Group };
  const latency = Object.entries(backtest.latency).map(([key, one]) => {
    const measured = (one as { readonly measured?: string } | null)?.measured;
    return [key, measured === undefined ? one : { measured: moved(measured) }];
  });
  return {
    ...settings,
    ...(leads && { strategyFolder: relative(to, strategyFolder(yaml)) || '.' }),
    backtest: { ...backtest, latency: Object.fromEntries(latency) },
  };
}
