import { firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../docs/pages.ts';
import { operatedExchange, RESTING } from '../admin/fixture.ts';
import { scratchFile } from '../fixture.ts';

/** The accounts and keys that the documentation shows. */
async function documentedKeys(rewrite = (text: string) => text) {
  const example = examplesOf('docs/exchange-simulator.md').find(({ text }) =>
    text.includes('cashier-access'),
  )!;
  const file = scratchFile('keys.yaml', rewrite(example.text));
  const { client } = await operatedExchange({ file });
  return (name: string) => client({ accessKey: `${name}-access`, secretKey: `${name}-secret` });
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 1000,
    ({ code }: { code: number }) => code,
  );

describe('the keys of a served exchange', () => {
  it('open each its own account, and may do what they say', async () => {
    const keyed = await documentedKeys();
    const [trader, cashier] = [keyed('trader'), keyed('cashier')];
    const usdt = async (zb: typeof trader) => {
      const { balances } = await firstValueFrom(zb.account.account());
      return balances.find(({ currency }) => currency === 'usdt')?.available.toString();
    };
    expect(await Promise.all([usdt(trader), usdt(cashier)])).toEqual(['10000', '500']);
    expect(await codeOf(firstValueFrom(trader.trading.place(RESTING)))).toBe(1000);
    expect(await codeOf(firstValueFrom(cashier.trading.place(RESTING)))).toBe(1012);
    const address = (zb: typeof trader) => firstValueFrom(zb.funds.withdrawalAddress('usdt'));
    expect(await codeOf(address(cashier))).toBe(1000);
    expect(await codeOf(address(trader))).toBe(1012);
  });

  it('are refused from addresses that they are not bound to, and while disabled', async () => {
    const keyed = await documentedKeys((text) => text.replace('[127.0.0.1]', '[10.1.2.3]'));
    const account = (name: string) => codeOf(firstValueFrom(keyed(name).account.account()));
    expect(await account('cashier')).toBe(3006);
    expect(await account('old')).toBe(4001);
    expect(await account('trader')).toBe(1000);
  });
});
