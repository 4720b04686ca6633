import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the strategies that come with Tradewind. */
export const BUNDLED_FOLDER = fileURLToPath(new URL('../../../strategies', import.meta.url));

/** The names of the strategies that come with Tradewind. */
export function bundledStrategies(): string[] {
  return readdirSync(BUNDLED_FOLDER)
    .filter((file) => extname(file) === '.ts')
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
}
