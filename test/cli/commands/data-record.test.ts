import { expect, it } from 'vitest';
import { scratchFolder } from '../../app/fixture.ts';
import { line } from './fixture.ts';

it('tradewind data record takes the length of candles where it records some', async () => {
  const flags = `btc_usdt --interval 5min --data ${scratchFolder()}`;
  const { code, stderr } = await line(`data record ${flags} --kinds depth trades`);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--interval is of candles')]);
});
