import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../app/fixture.ts';
import { line } from './fixture.ts';

const T = 1_700_000_040_000;
const TRADES =
  'exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n' +
  `okex-swap,BTC-USDT-SWAP,${T}000,${T}000,a,buy,100,7\n`;

function trades(): { readonly root: string; readonly file: string } {
  const [root, folder] = [scratchFolder(), scratchFolder()];
  const file = join(folder, 'swap.csv');
  writeFileSync(file, TRADES);
  return { root, file };
}

describe('tradewind data import', () => {
  it('warns of amounts that count contracts; list and check tell it ever since', async () => {
    const { root, file } = trades();
    const { code, stdout } = await line(`data import ${file} --data ${root}`);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'warning: the amounts of okex-swap.btc_usdt.trades count contracts, not the base currency',
    );
    const listed = await line(`data list --json --data ${root}`);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ amountUnits: ['contracts'] }]);
    const checked = await line(`data check --strict --data ${root}`);
    expect(checked.code).toBe(8);
    expect(checked.stdout).toContain('other unit (1): amounts count contracts, US dollars');
  });

  it('makes base currency of them by --contract-size', async () => {
    const { root, file } = trades();
    const { code, stdout } = await line(`data import ${file} --contract-size 0.01 --data ${root}`);
    expect([code, stdout.includes('warning')]).toEqual([0, false]);
    const listed = await line(`data list --json --data ${root}`);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ amountUnits: [], amountScale: 2 }]);
  });

  it.each(['0', '-1', 'x', '0.1234567890123'])('refuses --contract-size %s', async (size) => {
    const { file } = trades();
    const { code, stderr } = await line(`data import ${file} --contract-size=${size}`);
    expect(code).not.toBe(0);
    expect(stderr).toContain('a number above zero of at most 12 digits is wanted');
  });
});
