import { firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { Decimal } from '../../../src/kernel/index.ts';
import { scratchFile } from '../fixture.ts';
import { MAIN_KEY, operatedExchange } from './fixture.ts';

const ALL = { assets: true, orders: true, withdrawals: true };

/** An exchange whose account may withdraw, with what its operator and its owner can do. */
async function moneyExchange() {
  const file = scratchFile(
    'money.yaml',
    stringify({
      accounts: [
        { name: 'other', balances: {} },
        { name: 'main', balances: { usdt: '1000' }, fundsPassword: 'open', permissions: ALL },
      ],
      server: { keys: [{ ...MAIN_KEY, account: 'main', permissions: ALL }] },
    }),
  );
  const exchange = await operatedExchange({ file });
  const { funds } = exchange.client();
  const available = async (currency: string) => {
    const { body } = await exchange.get('/state');
    return body.accounts.main.balances.find((one) => one.currency === currency)?.available;
  };
  const withdraw = async (): Promise<string> => {
    const fees = await firstValueFrom(funds.withdrawalFees('usdt'));
    const fee = fees.get('usdt')![0]!.fee;
    const address = await firstValueFrom(funds.withdrawalAddress('usdt'));
    const amount = Decimal.of('100');
    const request = { currency: 'usdt', amount, fee, address, password: 'open' };
    return (await firstValueFrom(funds.withdraw(request))).withdrawalId;
  };
  const statusOf = async (id: string) => {
    const { items } = await firstValueFrom(funds.withdrawals({ currency: 'usdt' }));
    return items.find((one) => one.id === id)?.status;
  };
  return { ...exchange, available, withdraw, statusOf };
}

describe('the admin port: deposits', () => {
  it('come in over a chain, once their confirmations are there by the stepped clock', async () => {
    const { post, available } = await moneyExchange();
    const deposit = { account: 'main', currency: 'usdt', amount: '250.5' };
    expect((await post('/deposit', deposit)).body.id).toMatch(/^\d+$/);
    expect(await available('usdt')).toBe('1000');
    await post('/time/advance', { ms: 86_400_000 });
    expect(await available('usdt')).toBe('1250.5');
  });

  it('come in at once within the exchange', async () => {
    const { post, available } = await moneyExchange();
    await post('/deposit', { account: 'main', currency: 'usdt', amount: '1', internal: true });
    expect(await available('usdt')).toBe('1001');
  });

  it('fail where the operator says so', async () => {
    const { post, available } = await moneyExchange();
    const deposit = { account: 'main', currency: 'usdt', amount: '250.5' };
    const { id } = (await post('/deposit', deposit)).body;
    expect((await post(`/deposits/${id}/fail`)).status).toBe(200);
    await post('/time/advance', { ms: 86_400_000 });
    expect(await available('usdt')).toBe('1000');
    expect((await post(`/deposits/${id}/fail`)).status).toBe(409);
  });

  it.each([
    [{ account: 'nobody', currency: 'usdt', amount: '1' }, /account nobody/],
    [{ account: 'main', currency: 'gold', amount: '1' }, /currency gold/],
    [{ account: 'main', currency: 'usdt', amount: '0' }, /amount is 0/],
    [{ account: 'main', currency: 'usdt', amount: 1 }, /"amount"/],
    [{ account: 'main', currency: 'usdt', amount: '1', chain: 'moon' }, /chain moon/],
  ])('are refused with a reason: %j', async (deposit, reason) => {
    const { post } = await moneyExchange();
    const { status, body } = await post('/deposit', deposit);
    expect(status).toBe(400);
    expect(body.error).toMatch(reason);
  });
});

describe('the admin port: withdrawals', () => {
  it('are confirmed and succeed ahead of their time', async () => {
    const { post, withdraw, statusOf } = await moneyExchange();
    const id = await withdraw();
    expect(await statusOf(id)).toBe('submitted');
    expect((await post(`/withdrawals/${id}/confirm`)).body).toEqual({ id, status: 'confirmed' });
    expect(await statusOf(id)).toBe('confirmed');
    await post(`/withdrawals/${id}/succeed`);
    expect(await statusOf(id)).toBe('succeeded');
  });

  it.each([
    ['cancel', 'cancelled'],
    ['fail', 'failed'],
  ])('give the money back: %s', async (action, status) => {
    const { post, withdraw, statusOf, available } = await moneyExchange();
    const id = await withdraw();
    expect(await available('usdt')).not.toBe('1000');
    await post(`/withdrawals/${id}/${action}`);
    expect([await statusOf(id), await available('usdt')]).toEqual([status, '1000']);
    expect((await post(`/withdrawals/${id}/confirm`)).status).toBe(409);
  });

  it('are found by their id alone, and not where there is none', async () => {
    const { post } = await moneyExchange();
    const { status, body } = await post('/withdrawals/1/confirm');
    expect(status).toBe(409);
    expect(body.error).toMatch(/^Cannot set the withdrawal 1 to confirmed/);
    expect((await post('/withdrawals/1/burn')).status).toBe(404);
  });
});
