import { expect, it } from 'vitest';
import { dataFolder, ID } from './dataset-fixture.ts';
import { line } from './fixture.ts';

it('tradewind data takes no length that is none: the command line is wrong', async () => {
  const root = await dataFolder();
  for (const command of [`resample ${ID} 1mo`, 'import rows.csv --resolution 1mo']) {
    const { code, stderr } = await line(`data ${command} --data ${root}`);
    expect(stderr).toContain('a length such as 5min, 1hour or 1day is wanted.');
    expect(code).toBe(2);
  }
  expect((await line(`data resample ${ID} 5min --data ${root}`)).code).toBe(0);
});
