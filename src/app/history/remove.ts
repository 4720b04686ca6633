import { type Dataset, HistoryError, removeDatasets, requireDataset } from '../../history/index.ts';
import { onDisk } from './disk.ts';
import { requireName } from './named.ts';

/** A dataset that a person wants to be rid of. */
export interface DatasetToRemove {
  readonly id: string;
  /** Undefined when it can't be read. */
  readonly dataset: Dataset | undefined;
}

/** The datasets of those names. @throws {AppError} `recording` when one of them does not exist. */
export function datasetsToRemove(root: string, ids: readonly string[]): DatasetToRemove[] {
  return [...new Set(ids)].map((id) => {
    requireName(root, id);
    return { id, dataset: readable(root, id) };
  });
}

function readable(root: string, id: string): Dataset | undefined {
  try {
    return requireDataset(root, id);
  } catch (thrown) {
    if (thrown instanceof HistoryError) return undefined;
    throw thrown;
  }
}

/** Removes datasets. @throws {AppError} `recording` when one can't be: none is removed. */
export function removeData(root: string, datasets: readonly DatasetToRemove[]): Promise<void> {
  const ids = datasets.map(({ id }) => id);
  return onDisk(`remove ${ids.join(', ')} from ${root}`, () => removeDatasets(root, ids));
}
