import { firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../../../src/kernel/index.ts';
import { failureOf, zbFixture } from '../fixture.ts';

describe('margin', () => {
  test.each([1000, '1000'])('reads the cross account under code %j', async (code) => {
    const { exchange, http } = zbFixture();
    const result = { loanIn: 0, total: '71.167', riskRate: '-', net: 71.167, list: [] };
    http.answers = { '/api/getCrossAssets': JSON.stringify({ code, message: 'ok', result }) };
    expect(await firstValueFrom(exchange.margin.crossAccount())).toEqual({
      assets: [],
      total: Decimal.of('71.167'),
      net: Decimal.of('71.167'),
      loan: Decimal.of(0),
      riskRate: undefined,
    });
  });

  test('switches borrowing and repayment, done on the code of success alone', async () => {
    const { exchange, http } = zbFixture();
    const { margin } = exchange;
    http.answers = { '/api/setExpressState': '{"code":"1000","message":"ok"}' };
    expect(await firstValueFrom(margin.setAutoBorrow(true))).toBeUndefined();
    expect(http.targets[0]!.searchParams.get('state')).toBe('true');
    http.answers = { '/api/setRepayState': '{}' };
    expect((await failureOf(margin.setAutoRepay(false))).kind).toBe('unknown');
    http.answers = { '/api/setRepayState': '{"code":1012,"message":"no right"}' };
    expect(await failureOf(margin.setAutoRepay(false))).toMatchObject({ code: 1012 });
    expect(http.targets[2]!.searchParams.get('state')).toBe('false');
  });
});
