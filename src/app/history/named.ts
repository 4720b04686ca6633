import { distance } from 'fastest-levenshtein';
import { type Dataset, datasetNames, requireDataset } from '../../history/index.ts';
import { messageOf } from '../../kernel/index.ts';
import { didYouMean } from '../config/suggest.ts';
import { AppError } from '../errors.ts';
import { requireLegible } from './data-folder.ts';

/** Names that a message lists. */
const NAMES_SHOWN = 3;

/** The dataset of that name. @throws {AppError} `recording`, with the names nearest to it. */
export function datasetNamed(root: string, id: string): Dataset {
  requireName(root, id);
  return requireDataset(root, id);
}

/** The datasets of a folder, and what is wrong with unreadable ones. @throws {AppError} */
export function openDatasets(root: string): {
  readonly datasets: readonly Dataset[];
  readonly damaged: readonly { readonly id: string; readonly reason: string }[];
} {
  requireLegible(root);
  const datasets: Dataset[] = [];
  const damaged: { id: string; reason: string }[] = [];
  for (const id of datasetNames(root)) {
    try {
      datasets.push(requireDataset(root, id));
    } catch (thrown) {
      damaged.push({ id, reason: messageOf(thrown) });
    }
  }
  return { datasets, damaged };
}

/** Refuses a name that no dataset has. @throws {AppError} as `datasetNamed`. */
export function requireName(root: string, id: string): void {
  requireLegible(root);
  const names = datasetNames(root);
  if (names.includes(id)) return;
  const hint = didYouMean(id, names) || `, ${wanted(id, names)}`;
  const what = `Cannot use dataset "${id}": the folder ${root} has none of that name`;
  throw new AppError('recording', `${what}${hint}`);
}

function wanted(id: string, names: readonly string[]): string {
  if (names.length === 0) return '`tradewind data import` makes one';
  const nearest = names.toSorted((a, b) => distance(id, a) - distance(id, b));
  const shown = `one of ${nearest.slice(0, NAMES_SHOWN).join(', ')}`;
  if (names.length <= NAMES_SHOWN) return `${shown} is wanted`;
  return `${shown} or another of ${names.length} is wanted, \`tradewind data list\` shows them`;
}
