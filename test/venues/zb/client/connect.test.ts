import { inspect } from 'node:util';
import { firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { signatureOf, signedText, signingKeyOf } from '../../../../src/venues/zb/wire/index.ts';
import { failureOf, KEYS, zbFixture } from './fixture.ts';

describe('call', () => {
  test('sends any operation signed and gives its answer without loss', async () => {
    const { exchange, http } = zbFixture();
    http.answers = {
      '/api/setExpressState': '{"code":"1000","message":"ok","id":202202224851151555}',
    };
    const call = exchange.call('setExpressState', { state: true, market: 'btc_usdt' });
    expect(http.targets).toHaveLength(0);
    expect(await firstValueFrom(call)).toEqual({
      ...{ code: '1000', message: 'ok', id: '202202224851151555' },
    });
    const parameters = Object.fromEntries(http.targets[0]!.searchParams);
    expect(parameters).toMatchObject({
      ...{ accesskey: KEYS.accessKey, method: 'setExpressState', state: 'true' },
      sign: signatureOf(signingKeyOf(KEYS.secretKey), signedText(parameters)),
    });
  });

  test('gives a bare list as it is', async () => {
    const { exchange, http } = zbFixture();
    http.answers = { '/api/getOrders': '[{"id":"1"}]' };
    expect(await firstValueFrom(exchange.call('getOrders'))).toEqual([{ id: '1' }]);
  });

  test.each([
    ['{"code":1003,"message":"x"}', 'rejected'],
    ['{"code":1000,"message":{"des":"x","isSuc":false}}', 'unknown'],
    ['{"code":9999,"message":"x"}', 'unknown'],
    ['<html>', 'unknown'],
    ['null', 'unknown'],
    ['5', 'unknown'],
  ])('fails with %s as %s, sent once', async (body, kind) => {
    const { exchange, http } = zbFixture();
    http.answers = { '/api/setRepayState': body };
    expect((await failureOf(exchange.call('setRepayState'))).kind).toBe(kind);
    expect(http.targets).toHaveLength(1);
  });

  test('is unsent where name or parameters are none', async () => {
    const { exchange, http } = zbFixture();
    expect((await failureOf(exchange.call('../data/v1/markets'))).kind).toBe('unsent');
    expect((await failureOf(exchange.call('order', { sign: 'x' }))).kind).toBe('unsent');
    expect(http.targets).toHaveLength(0);
  });

  test('repeats the funds password in no failure', async () => {
    const { exchange, http } = zbFixture();
    http.answers = { '/api/withdraw': '{"code":1005,"message":"wrong: 20220223"}' };
    const failure = await failureOf(exchange.call('withdraw', { safePwd: 20_220_223 }));
    expect(failure.code).toBe(1005);
    expect(inspect(failure, { depth: 10 })).not.toContain('20220223');
  });
});
