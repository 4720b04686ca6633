import { describe, expect, it } from 'vitest';
import { venueConfigSchema } from '../../../src/app/config/venue.ts';
import { venueSettings } from '../../../src/app/venue/venue-settings.ts';
import type { Refusal } from '../../../src/domain/index.ts';

const embedded = venueConfigSchema.parse({
  kind: 'simulated',
  seed: 'test',
  markets: [{ id: 'btc_usdt' }],
  accounts: [{ name: 'main', balances: { usdt: '1' } }],
}) as Parameters<typeof venueSettings>[0];

/** Where a deployment says so, of a market. */
function setting(refusal: Omit<Refusal, 'scope'>, market = 'btc_usdt'): string | undefined {
  return venueSettings(embedded)({ ...refusal, scope: 'order' }, market);
}

const OFF_SCALE = { code: 'shape', observed: 'amount 0.12', limit: 'a positive multiple of 0.1' };

describe('venueSettings', () => {
  it('names the rules of a market that an embedded exchange has', () => {
    expect(setting(OFF_SCALE)).toBe('venue.markets.btc_usdt.amountScale');
    expect(setting({ ...OFF_SCALE, observed: 'price limit 0.12' })).toBe(
      'venue.markets.btc_usdt.priceScale',
    );
    const least = { code: 'belowMinimum', observed: '1' };
    expect(setting({ ...least, limit: 'at least 5 usdt' })).toBe('venue.markets.btc_usdt.minSize');
    expect(setting({ ...least, limit: 'at least 5 btc' })).toBe('venue.markets.btc_usdt.minAmount');
    expect(setting(OFF_SCALE, 'eth_usdt')).toBeUndefined();
  });

  it('names the balance that is too little', () => {
    const refusal = { code: 'balance', observed: '5 usdt', limit: 'at most 1 usdt' };
    expect(setting(refusal)).toBe('venue.accounts.main.balances.usdt');
  });

  it('names none of another refusal', () => {
    expect(setting({ code: 'shape', observed: 'type x', limit: 'one of limit' })).toBeUndefined();
    expect(setting({ code: 'staleData', observed: 'x', limit: 'fresh data' })).toBeUndefined();
  });

  it('names none of a venue that says itself what it asks for', () => {
    const live = { kind: 'zb' } as Parameters<typeof venueSettings>[0];
    expect(venueSettings(live)({ ...OFF_SCALE, scope: 'order' }, 'btc_usdt')).toBeUndefined();
  });
});
