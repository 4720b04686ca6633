import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Store } from './store/fixture.ts';

it('importFiles refuses a pipe to which nobody writes, and what is no file, without waiting', async () => {
  const store = new Store();
  const pipe = join(store.root, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  await expect(store.import(pipe)).rejects.toThrow(
    'Cannot import pipe: it is a pipe, which cannot be read twice, a file is wanted',
  );
  await expect(store.import('/dev/null')).rejects.toThrow('null: it is no file, a file is wanted');
});
