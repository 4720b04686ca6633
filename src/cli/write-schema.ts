import { readFileSync, writeFileSync } from 'node:fs';
import { rooms } from '../app/index.ts';

const { generatedFiles } = await rooms.settings();

// Brings everything that is made from the schemas up to date: `npm run schema`.
const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
for (const [path, text] of Object.entries(await generatedFiles(read))) {
  writeFileSync(new URL(path, root), text);
  process.stdout.write(`${path}\n`);
}
