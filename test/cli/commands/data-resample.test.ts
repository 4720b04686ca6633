import { expect, it } from 'vitest';
import { dataFolder, ID } from './dataset-fixture.ts';
import { line } from './fixture.ts';

it('tradewind data resample takes no length that is none: the command line is wrong', async () => {
  const root = await dataFolder();
  const { code, stderr } = await line(`data resample ${ID} 1mo --data ${root}`);
  expect(stderr).toContain('a length such as 5min, 1hour or 1day is wanted.');
  expect(code).toBe(2);
  expect((await line(`data resample ${ID} 5min --data ${root}`)).code).toBe(0);
});
