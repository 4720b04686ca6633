import { describe, expect, it } from 'vitest';
import { keyAdvice } from '../../src/app/key-advice.ts';
import { CODES, ExchangeFailure } from '../../src/exchange/index.ts';

const PLACES = { accessKey: 'ACCESS', secretKey: 'SECRET' };

function refusedWith(code?: number) {
  return new ExchangeFailure('rejected', 'refused', code === undefined ? {} : { code });
}

describe('keyAdvice', () => {
  it('names both places where the signature does not fit', () => {
    expect(keyAdvice(refusedWith(CODES.unverified), PLACES)).toBe(
      'the access key in ACCESS or its secret key in SECRET is wrong',
    );
  });

  it.each([CODES.noPermission, CODES.foreignAddress, CODES.locked])(
    'names the key that code %s speaks of',
    (code) => {
      expect(keyAdvice(refusedWith(code), PLACES)).toBe('the key is the one in ACCESS');
    },
  );

  it('is silent about other failures, and where nothing is signed', () => {
    expect(keyAdvice(refusedWith(CODES.balance), PLACES)).toBeUndefined();
    expect(keyAdvice(refusedWith(), PLACES)).toBeUndefined();
    expect(keyAdvice(refusedWith(CODES.unverified), undefined)).toBeUndefined();
  });
});
