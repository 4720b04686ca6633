import { expect, it } from 'vitest';
import { withDatabase } from '../../../src/history/store/database.ts';

it('withDatabase takes a quarter of a gigabyte for four threads at most, whatever the machine', async () => {
  const sql = `SELECT current_setting('memory_limit') AS memory,
    current_setting('threads')::INTEGER AS threads`;
  const { memory, threads } = await withDatabase((database) => database.row(sql));
  expect(memory).toBe('244.1 MiB');
  expect(threads).toBeLessThanOrEqual(4);
});
