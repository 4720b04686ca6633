import { expect, it } from 'vitest';
import { journalOf } from './fixture.ts';

it('checkJournalFile refuses what is neither file nor folder before it is opened', () => {
  expect(() => journalOf({ path: '/dev/null' })).toThrow(
    'Cannot open the journal /dev/null: it is no file, a file is wanted',
  );
});
