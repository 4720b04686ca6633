import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HmacMd5 } from '../../../../src/venues/zb/wire/hmac.ts';
import { signatureOf, signingKeyOf } from '../../../../src/venues/zb/wire/signing.ts';

describe('HmacMd5', () => {
  it('makes the golden signatures of the wire', () => {
    const hmac = new HmacMd5(signingKeyOf('test-secret-key'));
    expect(hmac.of('accesskey=test-access-key&method=getAccountInfo')).toBe(
      '8ea08283b32418ab25f04202ab3d6bd0',
    );
    expect(hmac.of('accesskey=k&receiveAddr=a_备注')).toBe('8b6bf0f847775311005b2793dfc969a0');
  });

  it('agrees with createHmac for any key and one text after another, long ones too', () => {
    const text = fc.string({ unit: 'binary', maxLength: 3_000 });
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 130 });
    fc.assert(
      fc.property(bytes, fc.array(text, { minLength: 1, maxLength: 4 }), (secret, texts) => {
        const key = createSecretKey(secret);
        const hmac = new HmacMd5(key);
        for (const one of texts) expect(hmac.of(one)).toBe(signatureOf(key, one));
      }),
      { seed: 8 },
    );
  });
});
