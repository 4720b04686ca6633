import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS, SECOND_MS } from '../../../kernel/index.ts';
import { manifestFile, type Part } from '../manifest.ts';

/** How long a replaced file stays. Our choice: few read a dataset for longer. */
const KEPT_MS = HOUR_MS;

/** The files of a dataset, and those that were replaced. */
export interface Replacement {
  readonly parts: readonly Part[];
  readonly replaced: readonly string[];
}

/**
 * Deletes replaced files an hour later, by the disk's own time. Whoever began to read the dataset
 * before, such as a backtest of what is still being recorded, can read on.
 */
export function letGo(folder: string, { parts, replaced }: Replacement): void {
  const nowMs = statSync(manifestFile(folder)).mtimeMs;
  for (const file of replaced) stamp(join(folder, file), nowMs);
  const named = new Set(parts.map(({ file }) => file));
  for (const name of readdirSync(folder)) {
    if (named.has(name) || !name.endsWith('.parquet')) continue;
    const path = join(folder, name);
    if (statSync(path).mtimeMs <= nowMs - KEPT_MS) rmSync(path, { force: true });
  }
}

/** Dates a replaced file. Only its owner may: a file of somebody else goes by its own age. */
function stamp(path: string, timeMs: number): void {
  try {
    utimesSync(path, timeMs / SECOND_MS, timeMs / SECOND_MS);
  } catch {
    // It may be gone too.
  }
}
