import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { tradeEvent } from './events.ts';
import { journalOf, scratchPath } from './fixture.ts';

/** Who may write nowhere that is not open to all. Source: Linux, user_namespaces(7), overflowuid. */
const NOBODY = 65_534;

/** Prints how many events a journal has, read by somebody who may not write in its folder. */
const SCRIPT = `
  import { openJournalReader } from ${JSON.stringify(new URL('../../src/storage/index.ts', import.meta.url).href)};
  if (process.getuid() === 0) {
    process.setgid(${NOBODY});
    process.setuid(${NOBODY});
  }
  const reader = openJournalReader(process.argv[1]);
  process.stdout.write(String([...reader.events()].length));
  reader.close();
`;

it('reads a journal in a folder in which nothing can be written', () => {
  const path = scratchPath();
  const journal = journalOf({ path });
  journal.append(tradeEvent(1));
  journal.close();
  const before = readdirSync(dirname(path));
  chmodSync(dirname(path), 0o555);
  const args = ['--input-type=module', '-e', SCRIPT, path];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  chmodSync(dirname(path), 0o755);
  expect({ stdout, stderr }).toEqual({ stdout: '1', stderr: '' });
  expect(readdirSync(dirname(path))).toEqual(before);
});
