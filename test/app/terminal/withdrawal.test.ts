import { describe, expect, it } from 'vitest';
import {
  prepareWithdrawal,
  submitWithdrawal,
  type WithdrawalWish,
} from '../../../src/app/terminal/withdrawal.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { fakeVenue } from './fixture.ts';

function wish(overrides: Partial<WithdrawalWish> = {}): WithdrawalWish {
  return { currency: 'BTC', amount: Decimal.of('0.5'), internal: false, ...overrides };
}

const sentOf = (venue: ReturnType<typeof fakeVenue>) =>
  venue.sent.filter(({ call }) => call === 'withdraw');

describe('prepareWithdrawal', () => {
  it('puts amount and fee together, to the verified address', async () => {
    const prepared = await prepareWithdrawal(fakeVenue(), wish());
    const { fee, leaves, available } = prepared;
    expect([fee, leaves, available].map(String)).toEqual(['0.0005', '0.5005', '2']);
    expect(prepared).toMatchObject({ currency: 'btc', chain: 'BTC', address: '1Out' });
    expect(prepared.lookUp).toBe(
      "npx tradewind account withdrawals btc --venue-config 'my live.yaml'",
    );
  });

  it('joins account and memo as the exchange wants them', async () => {
    const prepared = await prepareWithdrawal(fakeVenue(), wish({ address: 'acme', memo: '12' }));
    expect(prepared).toMatchObject({ address: 'acme_12', verified: '1Out' });
  });

  it.each<[string, Partial<WithdrawalWish>, string]>([
    ['too much, the fee counted', { amount: Decimal.of('1.9996') }, '2.0001 btc would leave'],
    ['an unknown currency', { currency: 'doge' }, 'no withdrawal fee of doge is known'],
    ['several chains', { currency: 'usdt' }, 'usdt has the chains TRC20, ERC20, one of them'],
    [
      'one of several chains without its address',
      { currency: 'usdt', chain: 'TRC20' },
      '(--chain) and a verified address on it (--address) are wanted',
    ],
    [
      'an address of an unnamed chain',
      { currency: 'usdt', address: 'T1' },
      'one of them (--chain)',
    ],
    ['an unknown chain', { chain: 'LN' }, 'btc has no chain "LN", one of BTC is wanted'],
    [
      'a chain at rest',
      { currency: 'usdt', chain: 'erc20', address: '0x1' },
      'withdrawals of usdt by ERC20 are suspended',
    ],
    [
      'more than there is within the exchange too',
      { amount: Decimal.of('2.0001'), internal: true },
      '2.0001 btc would leave, but 2 btc is available',
    ],
    ['a memo alone', { memo: '12' }, '--address is wanted beside --memo'],
    ['nothing', { amount: Decimal.ZERO }, 'one above 0 is wanted'],
  ])('refuses %s', async (_what, overrides, message) => {
    const refusal = { reason: 'refused', message: expect.stringContaining(message) };
    await expect(prepareWithdrawal(fakeVenue(), wish(overrides))).rejects.toMatchObject(refusal);
  });

  it('takes all that is there, to the last digit', async () => {
    const { leaves } = await prepareWithdrawal(fakeVenue(), wish({ amount: Decimal.of('1.9995') }));
    expect(leaves.toString()).toBe('2');
  });

  it('checks the amount alone where a fee may not be charged', async () => {
    const all = wish({ amount: Decimal.of('2'), internal: true });
    const { leaves, fee } = await prepareWithdrawal(fakeVenue(), all);
    expect([leaves, fee].map(String)).toEqual(['2.0005', '0.0005']);
  });

  it('takes the fee of the chain that is named and the address that is given', async () => {
    const terms = { currency: 'usdt', chain: 'trc20', address: 'T1' };
    const prepared = await prepareWithdrawal(fakeVenue(), wish(terms));
    expect(prepared).toMatchObject({ chain: 'TRC20', address: 'T1', verified: '1Out' });
  });

  it('leaves a transfer within the exchange to it, though the chain rests', async () => {
    const terms = { currency: 'usdt', chain: 'ERC20', address: '0x1', internal: true };
    expect(await prepareWithdrawal(fakeVenue(), wish(terms))).toMatchObject({ chain: 'ERC20' });
  });

  it('wants an address where none is verified, but tells a key that may not ask apart', async () => {
    const venue = fakeVenue();
    venue.fail('withdrawalAddress', 'rejected', { code: 3004 });
    await expect(prepareWithdrawal(venue, wish())).rejects.toThrow('is wanted (--address)');
    venue.fail('withdrawalAddress', 'rejected', { code: 1012 });
    await expect(prepareWithdrawal(venue, wish())).rejects.toThrow('the key lacks the permission');
  });
});

describe('submitWithdrawal', () => {
  it('sends it once, with the password', async () => {
    const venue = fakeVenue();
    const prepared = await prepareWithdrawal(venue, wish());
    const answer = await submitWithdrawal(venue, prepared, { password: 'sesame' });
    expect(answer).toEqual({ withdrawalId: '77' });
    expect(sentOf(venue)).toMatchObject([
      { argument: { currency: 'btc', address: '1Out', password: 'sesame', internal: false } },
    ]);
  });

  it('never repeats what may have been taken, and says where to look', async () => {
    const venue = fakeVenue();
    const prepared = await prepareWithdrawal(venue, wish());
    venue.fail('withdraw', 'unknown');
    const sending = submitWithdrawal(venue, prepared, { password: 'sesame' });
    await expect(sending).rejects.toMatchObject({
      reason: 'unknown',
      message: expect.stringMatching(
        /Do not repeat it; wait a minute, then look for 0\.5 btc in the list:\n {2}npx tradewind account withdrawals btc/,
      ),
    });
    expect(sentOf(venue)).toHaveLength(1);
  });
});
