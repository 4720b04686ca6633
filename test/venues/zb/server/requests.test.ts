import fc from 'fast-check';
import { EMPTY, NEVER, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ExchangeFailure, type FailureKind } from '../../../../src/exchange/index.ts';
import { ADDRESS, KEY, ORDER, serverFixture, signedTarget } from './fixture.ts';
import { LIMITS } from './hostile-requests.ts';

const OUT_OF_TIME = '响应超时';

describe('RequestDesk', () => {
  it.each(['/', '/data/v1/tickers', '/data/v2/ticker', '/api', '/api/', '/api/orders', '', 'x'])(
    'answers the path %j with code 1001',
    (path) => expect(serverFixture().ask(path)).toMatchObject({ code: 1001 }),
  );

  it.each(['', '  '])('refuses the User-Agent %j', (userAgent) => {
    const { ask, called } = serverFixture();
    const wanted = { code: 1001, message: 'User-Agent wanted' };
    expect(ask('/data/v1/markets', { userAgent })).toEqual(wanted);
    expect(ask(signedTarget('order', ORDER), { userAgent })).toEqual(wanted);
    expect(called('place')).toEqual([]);
  });

  it.each<[FailureKind, number | undefined, object]>([
    ['rejected', 2009, { code: 2009, message: 'why' }],
    ['rejected', undefined, { code: 1001, message: 'why' }],
    ['limited', undefined, { code: 4002, message: 'why' }],
    ['unsent', undefined, { code: 1009, message: 'why' }],
    ['unknown', 1002, { code: 1001, message: OUT_OF_TIME }],
  ])('tells a failure that is %s with code %s', (kind, code, answer) => {
    const failure = new ExchangeFailure(kind, 'why', { code });
    const { call } = serverFixture({ trading: { place: () => throwError(() => failure) } });
    expect(call('order', ORDER)).toEqual(answer);
  });

  it('tells a host that never answers as timed out, not as refused', () => {
    const { call } = serverFixture({ trading: { place: () => EMPTY } });
    expect(call('order', ORDER)).toEqual({ code: 1001, message: OUT_OF_TIME });
  });

  it('answers a defect of the host with 1002, hides it and logs it', () => {
    const place = () => throwError(() => new TypeError('secret'));
    const { call, lines } = serverFixture({ trading: { place } });
    expect(call('order', ORDER)).toEqual({ code: 1002, message: 'Internal error' });
    expect(lines).toMatchObject([
      { level: 'error', fields: { path: '/api/order', error: 'secret' } },
    ]);
    expect(JSON.stringify(lines)).not.toContain(KEY.accessKey);
  });
});

describe('RequestDesk.handle', () => {
  it('sends nothing to the host until it is subscribed', () => {
    const { server, called } = serverFixture();
    server.handle({ target: signedTarget('order', ORDER), address: ADDRESS, userAgent: 'x' });
    expect([called('place'), server.counts().requests]).toEqual([[], 0]);
  });

  it('answers when the host does, once', () => {
    const answer = new Subject<{ exchangeOrderId: string }>();
    const { server } = serverFixture({ trading: { place: () => answer } });
    const request = { target: signedTarget('order', ORDER), address: ADDRESS, userAgent: 'x' };
    const bodies: string[] = [];
    server.handle(request).subscribe(({ body }) => bodies.push(body));
    expect(bodies).toEqual([]);
    answer.next({ exchangeOrderId: '1' });
    answer.next({ exchangeOrderId: '2' });
    expect(bodies).toEqual(['{"code":1000,"message":"操作成功","id":"1"}']);
  });

  it('waits for the markets of a host that is not at once', () => {
    const { server } = serverFixture({ market: { markets: () => NEVER } });
    const answers: unknown[] = [];
    const request = { target: '/data/v1/markets', address: ADDRESS, userAgent: 'x' };
    server.handle(request).subscribe((answer) => answers.push(answer));
    expect(answers).toEqual([]);
  });
});

describe('RequestDesk under hostile requests', () => {
  it('gives any values under a good signature an answer, and orders on scale to the host alone', () => {
    const { call, called } = serverFixture({ limits: LIMITS });
    fc.assert(
      fc.property(SIGNED, signedValues(), fc.boolean(), (name, given, based) => {
        const answer = call(name, based ? { ...ORDER, market: 'btc_usdt', ...given } : given);
        expect(answer.code ?? 1000).not.toBe(1003);
        expect(answer.code ?? 1000).not.toBe(1002);
      }),
      { seed: 5, numRuns: 2_000 },
    );
    expect(called('place').length).toBeGreaterThan(0);
    for (const order of called('place')) {
      expect(order).toMatchObject({ market: 'btc_usdt', side: expect.stringMatching(/buy|sell/) });
    }
  });
});

const SIGNED = fc.constantFrom('order', 'orderMoreV2', 'cancelOrder', 'getOrder', 'getOrders');

/** Parameters that exist, with values of any kind. */
function signedValues() {
  const text = fc.oneof(
    fc.constantFrom('btc_usdt', 'hsr_usdt', '1', '0', '', 'true', '[[1,1]]', '[[1,1],]', '0.0006'),
    fc.string({ unit: 'grapheme' }),
    fc.double().map(String),
  );
  const names = ['currency', 'market', 'tradeType', 'price', 'amount', 'acctType', 'orderType'];
  const more = ['customerOrderId', 'tradeParams', 'id', 'pageIndex', 'enableExpress', 'zzz'];
  return fc.dictionary(fc.constantFrom(...names, ...more), text);
}
