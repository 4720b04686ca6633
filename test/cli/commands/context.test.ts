import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { firstValueFrom, NEVER, Subject } from 'rxjs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Findings, printInTurn, processContext } from '../../../src/cli/commands/context.ts';
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

const PLACE = 'orders place --market btc_usdt --side buy --price 50000 --amount 0.01';

it.each([
  [PLACE, 'place', 'npx tradewind orders show --market btc_usdt --client-id twmade0001'],
  [
    'orders place-batch --market btc_usdt --side buy 0.01@50000',
    'placeBatch',
    'npx tradewind orders list --market btc_usdt',
  ],
  ['withdraw btc 0.5 --yes', 'withdraw', 'npx tradewind account withdrawals btc'],
])(
  'change tells who interrupts it how to look up what is on its way: %s',
  async (text, call, how) => {
    const interruption = new Subject<string>();
    const venue = { ...fakeVenue(), interruption };
    venue.calls[call] = [NEVER];
    const environment = { ZB_FUNDS_PASSWORD: 'secret' };
    const ended = line(text, { venue, environment });
    await vi.waitFor(() => expect(interruption.observed).toBe(true));
    interruption.next('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(9);
    expect(stderr).toContain('venue.test: Cannot wait for the answer: SIGINT asked for an end');
    expect(stderr).toContain(how);
    expect(interruption.observed).toBe(false);
  },
);

it('lookedUp tells who interrupts it what was placed', async () => {
  const interruption = new Subject<string>();
  const venue = { ...fakeVenue(), interruption };
  venue.calls.order = [NEVER];
  const ended = line(PLACE, { venue });
  await vi.waitFor(() => expect(venue.sent.at(-1)?.call).toBe('order'));
  interruption.next('SIGINT');
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  expect(stdout).toContain('placed, id 42');
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

it('processContext shows what cannot be seen in a warning of what an exchange named', async () => {
  const rules = { priceScale: 2, amountScale: 4, minAmount: 0.001, minSize: 1 };
  const markets = { btc_usdt: rules, 'odd\u001b[2J_usdt': { ...rules, minSize: null } };
  const server = createServer((_request, response) => response.end(JSON.stringify(markets)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    told.mockRestore();
    server.close();
  });
  const dataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const venue = await processContext().connect({ dataUrl }, {});
  await firstValueFrom(venue.exchange.market.markets());
  await venue.close();
  expect(told.mock.calls.map(([text]) => text)).toEqual([
    'tradewind: the rules of a market cannot be read, it is left out: odd\\u{1b}[2J_usdt\n',
  ]);
});

it.each([true, false])(
  'printInTurn goes on once a piece is taken, and ends where none is: json %s',
  async (json) => {
    const endless = function* () {
      while (true) yield 'x'.repeat(100);
    };
    const findings: Findings = { json: { events: endless() }, lines: endless() };
    const told: string[] = [];
    const context = {
      ...processContext(),
      write: () => told.push('written'),
      taken: async () => told.push('taken') < 4,
    };
    await printInTurn(context, { json }, findings);
    expect(told).toEqual(['written', 'taken', 'written', 'taken']);
  },
);
