import { NEVER } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { fakeVenue } from '../../app/terminal/fixture.ts';
import { line } from './fixture.ts';

it.each([
  [
    'orders place --market btc_usdt --side buy --price 50000.5 --amount 0.01',
    'place',
    { clientOrderId: 'twmade0001', price: '50000.5' },
  ],
  [
    'orders place-batch --market btc_usdt --side buy 0.01@50000',
    'placeBatch',
    { orders: [{ amount: '0.01', price: '50000', outcome: 'sending', id: null }] },
  ],
] as const)('sendOnce tells a program ahead what is sent: %s', async (text, call, terms) => {
  const venue = fakeVenue();
  const told: string[] = [];
  vi.spyOn(venue.exchange.trading, call).mockImplementation(() => {
    told.push('sent');
    return NEVER;
  });
  void line(`${text} --json`, { venue, aside: (part) => told.push(part) });
  await vi.waitFor(() => expect(told).toHaveLength(2));
  expect(told[1]).toBe('sent');
  expect(told[0]).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(told[0]!)).toMatchObject({
    outcome: 'sending',
    market: 'btc_usdt',
    ...terms,
  });
});

it('sendOnce tells a program no outcome of what was refused', async () => {
  const venue = fakeVenue();
  venue.fail('withdraw', 'rejected', { code: 2009 });
  const environment = { ZB_FUNDS_PASSWORD: 'secret' };
  const text = 'withdraw btc 0.5 --yes --json';
  const { code, stdout, stderr } = await line(text, { venue, environment });
  expect([code, stdout]).toEqual([10, '']);
  expect(stderr).toMatch(/^\{"outcome":"sending".*\}\nvenue\.test: Cannot withdraw/);
});
