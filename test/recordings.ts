import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Set to anything: the tests run as in a clone that has no recordings beside it. */
const WITHOUT = 'TRADEWIND_NO_RECORDINGS';

/** A file of the recordings beside the repository; undefined where there are none. */
export function dataFile(path: string): string | undefined {
  if (process.env[WITHOUT]) return undefined;
  const file = fileURLToPath(new URL(`../../shared/data/${path}`, import.meta.url));
  return existsSync(file) ? file : undefined;
}

/** The JSON of such a file; `standIn` where there is none. */
export function dataOr<T>(path: string, standIn: T): T {
  const file = dataFile(path);
  return file === undefined ? standIn : JSON.parse(readFileSync(file, 'utf8'));
}
