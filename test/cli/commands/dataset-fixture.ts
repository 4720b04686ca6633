import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImportChoice, importData } from '../../../src/app/history/index.ts';
import { scratchFolder } from '../../app/fixture.ts';
import { candles, json } from '../../history/store/fixture.ts';

/** The dataset of `dataFolder`. */
export const ID = 'local.btc_usdt.1min';

/** A new folder of datasets, with one of minutes. Default: ten of them. */
export async function dataFolder(
  rows = candles(0, 10),
  options: Partial<ImportChoice> = {},
): Promise<string> {
  const [root, file] = [scratchFolder(), join(scratchFolder(), 'btc_usdt.json')];
  writeFileSync(file, json(rows));
  await importData({ root, files: [file], ...options });
  return root;
}
