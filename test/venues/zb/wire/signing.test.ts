import { createSecretKey } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  privateFrame,
  publicFrame,
  signatureOf,
  signedFrameText,
  signedText,
  signingKeyOf,
} from '../../../../src/venues/zb/wire/index.ts';

/** A key of which only the signing key is given with the vectors; its secret is not known. */
const RECORDED = createSecretKey('86429c69799d3d6ac5da5c2c514baa874d75a4ba', 'ascii');

describe('signingKeyOf', () => {
  test('is the hexadecimal SHA-1 of the secret', () => {
    const key = signingKeyOf('test-secret-key').export().toString('ascii');
    expect(key).toBe('d4e0e04792fd434b5dc9c4155c178f66edcf4ed3');
  });

  test('shows neither secret nor key when printed', () => {
    expect(inspect(signingKeyOf('test-secret-key'))).not.toMatch(/test-secret|d4e0e047/);
    expect(JSON.stringify(signingKeyOf('test-secret-key'))).not.toMatch(/test-secret|d4e0e047/);
  });
});

describe('signatureOf', () => {
  const vectors = [
    {
      name: 'the plain vector',
      key: signingKeyOf('test-secret-key'),
      text: 'accesskey=test-access-key&method=getAccountInfo',
      sign: '8ea08283b32418ab25f04202ab3d6bd0',
    },
    {
      name: 'the UTF-8 vector',
      key: signingKeyOf('test-secret-key'),
      text: 'accesskey=k&receiveAddr=a_备注',
      sign: '8b6bf0f847775311005b2793dfc969a0',
    },
    {
      name: 'the recorded order',
      key: RECORDED,
      text: 'accesskey=ce2a18e0-dshs-4c44-4515-9aca67dd706e&acctType=0&amount=0.001&currency=zb_qc&method=order&price=1.0&tradeType=1',
      sign: 'b8a452e4f8a1ac26ad9f3dbd835c7e48',
    },
    {
      name: 'the recorded frame',
      key: RECORDED,
      text: '{"accesskey":"ce2a18e0-dshs-4c44-4515-9aca67dd706e","amount":"0.001","channel":"usdtqc_order","event":"addChannel","no":"test001","price":"1.0","tradeType":"1"}',
      sign: '6b9cd4aaee79a6b74fffa49146ae8879',
    },
  ];
  test.each(vectors)('signs $name', ({ key, text, sign }) => {
    expect(signatureOf(key, text)).toBe(sign);
  });
});

describe('signedText', () => {
  test('sorts by name, leaves values unencoded and leaves sign and reqTime out', () => {
    const parameters = {
      tradeType: '1',
      price: '1.0',
      method: 'order',
      currency: 'zb_qc',
      amount: '0.001',
      acctType: '0',
      accesskey: 'ce2a18e0-dshs-4c44-4515-9aca67dd706e',
      sign: 'whatever',
      reqTime: '1645610254524',
    };
    expect(signatureOf(RECORDED, signedText(parameters))).toBe('b8a452e4f8a1ac26ad9f3dbd835c7e48');
    expect(signedText({ receiveAddr: 'a_备注', accesskey: 'k' })).toBe(
      'accesskey=k&receiveAddr=a_备注',
    );
  });

  test('sorts capitals before small letters, as ASCII does', () => {
    expect(signedText({ b: '1', B: '2', a: '3' })).toBe('B=2&a=3&b=1');
  });

  test('leaves an empty customerOrderId out, and no other empty value', () => {
    expect(signedText({ a: '', customerOrderId: '' })).toBe('a=');
    expect(signedText({ a: '1', customerOrderId: 'abcd' })).toBe('a=1&customerOrderId=abcd');
  });
});

describe('signedFrameText', () => {
  test('is compact JSON in ASCII order without sign', () => {
    const fields = { no: 'test001', sign: 'x', event: 'addChannel', accesskey: 'k' };
    expect(signedFrameText(fields)).toBe('{"accesskey":"k","event":"addChannel","no":"test001"}');
  });
});

describe('frames', () => {
  const signer = { accessKey: 'test-access-key', signingKey: signingKeyOf('test-secret-key') };

  test('publicFrame names event and channel', () => {
    expect(publicFrame('addChannel', 'btcusdt_depth')).toBe(
      '{"event":"addChannel","channel":"btcusdt_depth"}',
    );
  });

  test('privateFrame carries the market and a signature of all its other fields', () => {
    const { sign, ...fields } = JSON.parse(
      privateFrame('addChannel', { channel: 'push_user_incr_record', market: 'btc_usdt', signer }),
    );
    expect(fields).toEqual({
      accesskey: 'test-access-key',
      channel: 'push_user_incr_record',
      event: 'addChannel',
      market: 'btcusdtdefault',
    });
    expect(sign).toBe(signatureOf(signer.signingKey, signedFrameText(fields)));
  });

  test('privateFrame of a channel without market is signed likewise', () => {
    const { sign, ...fields } = JSON.parse(
      privateFrame('removeChannel', { channel: 'push_user_incr_asset', signer }),
    );
    expect(fields).toMatchObject({ event: 'removeChannel', channel: 'push_user_incr_asset' });
    expect(fields).not.toHaveProperty('market');
    expect(sign).toBe(signatureOf(signer.signingKey, signedFrameText(fields)));
  });
});
