import { describe, expect, it } from 'vitest';
import { priceDoubt } from '../../../src/app/terminal/price-doubt.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { fakeVenue } from './fixture.ts';

const doubtOf = (side: 'buy' | 'sell', ...prices: string[]) =>
  priceDoubt(fakeVenue(), { market: 'btc_usdt', side, prices: prices.map(Decimal.of) });

describe('priceDoubt', () => {
  it('looks at the price that goes furthest', async () => {
    const doubt = await doubtOf('buy', '50000', '120002', '63000');
    expect(doubt).toMatchObject({ kind: 'through', beyond: 1 });
    expect(`${doubt?.kind === 'through' && doubt.price}`).toBe('120002');
    expect(await doubtOf('sell', '60001', '30000')).toMatchObject({ beyond: 0.5 });
  });

  it('has none up to 5 % through', async () => {
    expect(await doubtOf('buy', '63001.05')).toBeUndefined();
    expect(await doubtOf('sell', '57000')).toBeUndefined();
    expect(await doubtOf('sell', '56999.99')).toMatchObject({ kind: 'through' });
  });
});
