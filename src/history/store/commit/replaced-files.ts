import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS, SECOND_MS } from '../../../kernel/index.ts';
import { manifestFile, type Part } from '../manifest.ts';

/** How long a file stays that others took the place of. Our choice: few read a dataset for longer. */
const KEPT_MS = HOUR_MS;

/** What a dataset has now, and what it no longer has. */
export interface Replacement {
  readonly parts: readonly Part[];
  readonly replaced: readonly string[];
}

/**
 * Lets go of the files that others took the place of. They stay for an hour, by the disk's own time:
 * whoever began to read the dataset before, such as a backtest of what is recorded still, reads on.
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

/** Who does not own a file may not date it: it is let go of by its own age, for what is new stands. */
function stamp(path: string, timeMs: number): void {
  try {
    utimesSync(path, timeMs / SECOND_MS, timeMs / SECOND_MS);
  } catch {
    // It may be gone too.
  }
}
