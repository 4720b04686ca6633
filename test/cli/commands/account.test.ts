import { describe, expect, it } from 'vitest';
import { fakeVenue } from '../../app/terminal/fixture.ts';
import { line } from './fixture.ts';

describe('tradewind account', () => {
  it('tells what the key may do', async () => {
    const { stdout } = await line('account info');
    expect(stdout).toMatch(/^key at venue\.test\n/);
    expect(stdout).toMatch(/withdrawals +yes +see addresses and withdraw money\n/);
    expect(stdout).toMatch(/margin +no +borrow and repay\nthe account holds btc, usdt\n$/);
    expect((await line('account info --json')).json()).toMatchObject({
      permissions: { assets: true, orders: true, withdrawals: true, margin: false },
      currencies: ['btc', 'usdt'],
    });
  });

  it('shows balances with their points below each other, empty ones when told', async () => {
    const { stdout } = await line('account balances');
    expect(stdout).toBe(
      [
        'currency  available  frozen     total',
        'btc            2.00     0.5      2.50',
        'usdt       1,000.25     0.0  1,000.25',
        '',
      ].join('\n'),
    );
    const { json } = await line('account balances --all --json');
    expect(json()).toEqual({
      balances: [
        { currency: 'btc', available: '2', frozen: '0.5', total: '2.5' },
        { currency: 'usdt', available: '1000.25', frozen: '0', total: '1000.25' },
        { currency: 'eth', available: '0', frozen: '0', total: '0' },
      ],
    });
  });

  it('asks for the bills that were meant', async () => {
    const venue = fakeVenue();
    const flags = '--currency USDT --from 2024-01-30 --to 2024-01-31T10:00:00Z --older --page 2';
    const { stdout } = await line(`account bills ${flags} --page-size 50`, { venue });
    expect(venue.sent).toContainEqual({
      call: 'bills',
      argument: {
        ...{ currency: 'usdt', older: true, page: 2, pageSize: 50 },
        ...{ startTime: Date.UTC(2024, 0, 30), endTime: Date.UTC(2024, 0, 31, 10) },
      },
    });
    expect(stdout).toMatch(/2024-01-31T10:00:00\.000Z {2}usdt +-12\.5 +987\.75 {2}buy +- +9\n$/);
  });
});

describe('tradewind account: margin', () => {
  it('shows the cross account with what it owes', async () => {
    const { stdout } = await line('account balances --account cross');
    expect(stdout).toContain(
      'worth 120,000, loans 60,000, net 60,000\nrisk rate (worth / loans): 2\n',
    );
    const { json } = await line('account balances --account cross --json');
    expect(json()).toMatchObject({ riskRate: '2', assets: [{ currency: 'btc', loan: '1' }] });
  });

  it('shows the isolated account market by market, empty ones when told', async () => {
    const { stdout } = await line('account balances --account isolated');
    expect(stdout).toBe(
      [
        'btc_usdt',
        "in the exchange's unit of account: worth 120,000, loans 60,000, net 60,000",
        'risk rate (worth / loans): 2',
        'currency  available  frozen  loan  overdraft  transferable',
        'btc             1.5     0.5     1     0.0001             0',
        'usdt            0.0     0.0     0     0.0000             0',
        '',
      ].join('\n'),
    );
    const all = await line('account balances --account isolated --all --json');
    expect(all.json().markets).toMatchObject([
      { market: 'btc_usdt', loan: '60000', base: { loan: '1' }, quote: { currency: 'usdt' } },
      { market: 'eth_usdt', base: { currency: 'eth', available: '0' } },
    ]);
  });

  it('sets the switches of the margin accounts', async () => {
    const venue = fakeVenue();
    const { stdout } = await line('account auto-borrow on', { venue });
    expect(stdout).toBe('auto-borrow is on\n');
    expect((await line('account auto-repay off --json', { venue })).json()).toEqual({
      ...{ switch: 'auto-repay', on: false },
    });
    expect(venue.sent).toEqual([
      { call: 'setAutoBorrow', argument: true },
      { call: 'setAutoRepay', argument: false },
    ]);
    expect((await line('account auto-repay maybe', { venue })).code).toBe(2);
    venue.fail('setAutoBorrow', 'unknown');
    const lost = await line('account auto-borrow off', { venue });
    expect(lost).toMatchObject({ code: 9, stderr: expect.stringContaining('does no harm') });
  });
});

describe('tradewind account: money that comes and goes', () => {
  it('shows where a currency comes in and goes', async () => {
    const { stdout } = await line('account addresses btc');
    expect(stdout).toMatch(/BTC +1In +- +yes +yes\nverified address to withdraw to: 1Out\n$/);
  });

  it('falls back to the one address of a currency without chains, and says that none is', async () => {
    const venue = fakeVenue();
    venue.fail('depositAddresses', 'rejected', { code: 1001 });
    venue.fail('withdrawalAddress', 'rejected', { code: 1001 });
    const { json } = await line('account addresses btc --json', { venue });
    expect(json()).toMatchObject({
      deposits: [{ chain: null, address: '1Single', memo: null }],
      withdrawal: null,
    });
  });

  it('pages deposits and withdrawals', async () => {
    const venue = fakeVenue();
    const { stdout } = await line('account withdrawals BTC --page 2 --page-size 20', { venue });
    expect(venue.sent).toEqual([
      { call: 'withdrawals', argument: { currency: 'btc', page: 2, pageSize: 20 } },
    ]);
    expect(stdout).toMatch(/submitted +0\.5 +0\.0005 +1Out/);
    expect(stdout).toMatch(/page 1 of 2, 21 in all\n$/);
    const { json } = await line('account deposits btc --json');
    expect(json()).toMatchObject({
      ...{ page: 1, totalCount: 1 },
      deposits: [{ amount: '1', confirmations: 3, submitTime: '2024-01-31T10:00:00.000Z' }],
    });
  });

  it('shows what withdrawals cost, of one currency or of all', async () => {
    const { stdout } = await line('account fees');
    expect(stdout).toMatch(/usdt +ERC20 +5\.0000 +yes +no\n$/);
    const { json } = await line('account fees btc --json');
    expect(json()).toMatchObject({ fees: [{ currency: 'btc', chain: 'BTC', fee: '0.0005' }] });
  });

  it('says of a key that may not what it lacks, with code 4', async () => {
    const venue = fakeVenue();
    const message = 'Cannot read bills: the exchange answered 1012 "insufficient permissions"';
    venue.fail('bills', 'rejected', { code: 1012, message });
    const { code, stderr } = await line('account bills', { venue });
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: `venue.test: ${message}\nthe key lacks the permission that this needs`,
    });
  });

  it.each([
    ['account bills --page-size 9', 'a whole number from 10 to 50 is wanted'],
    ['account bills --page 0', 'a whole number 1 or above is wanted'],
    ['account deposits', "missing required argument 'currency'"],
    ['account addresses b/c', 'a currency such as btc is wanted'],
    ['account fees btc eth', 'too many arguments'],
  ])('says what is wanted: %s', async (text, message) => {
    const { code, stderr } = await line(text);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
