import { map, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Amount } from '../../../src/domain/index.ts';
import { CODES, ExchangeFailure } from '../../../src/exchange/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { fakeVenue, orderRecord } from '../../app/terminal/fixture.ts';
import { line, person } from './fixture.ts';

const PLACE = 'orders place --market btc_usdt --side buy --price 50000.5 --amount 0.01';

const openOrders = (count: number) =>
  Array.from({ length: count }, (_, at) => orderRecord({ exchangeOrderId: String(1_000 + at) }));

describe('tradewind orders list', () => {
  const orders = [
    orderRecord(),
    orderRecord({ exchangeOrderId: '2', side: 'sell', closed: true }),
    orderRecord({ exchangeOrderId: '3', closed: true, filledAmount: 0.01 as Amount }),
    orderRecord({ exchangeOrderId: '4', filledAmount: 0.002 as Amount }),
  ];

  it('lists where the exchange tells no rules of the market', async () => {
    const venue = fakeVenue({ orders: [...orders] });
    venue.fail('markets', 'unknown');
    const { code, stdout } = await line('orders list --market btc_usdt', { venue });
    expect(code).toBe(0);
    expect(stdout).toMatch(/ price usdt +amount btc +filled btc +average usdt .*\n(?:.+\n){2}$/);
  });

  it.each([
    ['', ['open', 'partly filled']],
    ['--show finished', ['cancelled', 'filled']],
    ['--show all', ['open', 'cancelled', 'filled', 'partly filled']],
    ['--show all --side sell', ['cancelled']],
  ])('lists which are meant: %s', async (flags, states) => {
    const venue = fakeVenue({ orders: [...orders] });
    const { json } = await line(`orders list --market btc_usdt ${flags} --json`, { venue });
    const { orders: found } = json() as { orders: { status: string }[] };
    expect(found.map(({ status }) => status)).toEqual(states);
  });

  it('shows a table, and whether there is more', async () => {
    const venue = fakeVenue({ orders: openOrders(25), pageSizeMax: 100 });
    const first = await line('orders list --market btc_usdt --page-size 10', { venue });
    expect(first.stdout).toMatch(
      /^time +side +type +price usdt +amount btc +filled btc +average usdt +fee +status +id\n2024-01-31T10:00:00\.000Z {2}buy +limit +50,000 +0\.01 +0 +- +- +open +1000\n/,
    );
    expect(first.stdout).toMatch(/more: --page 2\n$/);
    const last = await line('orders list --market btc_usdt --page 3 --page-size 10', { venue });
    expect(last.stdout.trim().split('\n')).toHaveLength(6);
    const every = await line('orders list --market btc_usdt --every --json', { venue });
    expect((every.json() as { orders: unknown[] }).orders).toHaveLength(25);
  });

  it('says that there is more though an order of the page cannot be read', async () => {
    const venue = fakeVenue({ orders: openOrders(25) });
    const { list } = venue.exchange.orderLists;
    venue.exchange.orderLists.list = (query) =>
      list(query).pipe(map(([, ...page]) => Object.assign(page, { illegible: ['1000'] })));
    const { stdout } = await line('orders list --market btc_usdt --page-size 10', { venue });
    expect(stdout).toMatch(/more: --page 2\n$/);
  });

  it('shows the mean price of what has filled, and the fee where it is told', async () => {
    const filled = orderRecord({
      ...{ filledAmount: 0.003 as Amount, filledValue: Decimal.of('149.5') },
      ...{ exchangeOrderId: '7', fee: Decimal.of('0.000003') },
    });
    const venue = fakeVenue({ orders: [filled] });
    const { stdout } = await line('orders list --market btc_usdt', { venue });
    expect(stdout).toMatch(/ 0\.003 +49,833\.333 +0\.000003 btc +partly filled +7\n/);
  });

  it('says that there are none', async () => {
    expect((await line('orders list --market btc_usdt')).stdout).toMatch(/\n\(none\)\n$/);
  });
});

describe('tradewind orders place', () => {
  it('shows what it places, places it, and tells the id', async () => {
    const venue = fakeVenue();
    const { code, stdout } = await line(PLACE, { venue });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'venue.test: buy 0.01 btc at 50,000.5 usdt (500.005 usdt), limit\n' +
        'client id twmade0001\nplaced, id 42\n' +
        'what it filled at once could not be read\n',
    });
    expect(venue.sent.filter(({ call }) => call === 'place')).toHaveLength(1);
    expect(venue.sent.find(({ call }) => call === 'place')).toMatchObject({
      call: 'place',
      argument: { type: 'limit', accountType: 0, borrow: false, repay: false },
    });
  });

  it('takes type, client id, account and loans', async () => {
    const venue = fakeVenue();
    const flags = '--type ioc --client-id mine0001 --account isolated --borrow --repay';
    const { json } = await line(`${PLACE} ${flags} --json`, { venue });
    expect(json()).toEqual({
      ...{ outcome: 'placed', id: '42', clientOrderId: 'mine0001', market: 'btc_usdt' },
      ...{ side: 'buy', type: 'ioc', price: '50000.5', amount: '0.01', value: '500.005' },
      ...{ account: 'isolated', borrow: true, repay: true, warning: null },
      ...{ filledAmount: null, filledValue: null, fee: null, status: null },
    });
    expect(venue.sent.find(({ call }) => call === 'place')?.argument).toMatchObject({
      accountType: 1,
      borrow: true,
    });
  });

  it('sends nothing on a dry run', async () => {
    const venue = fakeVenue();
    const { stdout } = await line(`${PLACE} --dry-run`, { venue });
    expect(stdout).toMatch(/not sent \(--dry-run\)\n$/);
    expect(venue.sent.map(({ call }) => call)).toEqual(['markets', 'depth']);
  });
});

describe('tradewind orders place, where it goes wrong,', () => {
  it('ends with 9 when the outcome is unknown, and says how to look it up', async () => {
    const venue = fakeVenue();
    venue.fail('place', 'unknown');
    const { code, stderr } = await line(PLACE, { venue });
    expect(code).toBe(9);
    expect(stderr).toContain(
      "npx tradewind orders show --market btc_usdt --client-id twmade0001 --venue-config 'my live.yaml'",
    );
    venue.fail('place', 'unknown');
    const forPrograms = await line(`${PLACE} --json`, { venue });
    expect(forPrograms.code).toBe(9);
    expect(forPrograms.json()).toMatchObject({ outcome: 'unknown', clientOrderId: 'twmade0001' });
  });

  it('ends with 10 when the exchange or a rule refuses', async () => {
    const venue = fakeVenue();
    venue.fail('place', 'rejected', { code: 2009, message: 'Cannot place an order: 2009 "poor"' });
    expect(await line(PLACE, { venue })).toMatchObject({
      code: 10,
      stderr: 'venue.test: Cannot place an order: 2009 "poor"',
    });
    const offScale = await line(PLACE.replace('50000.5', '50000.005'), { venue });
    expect(offScale).toMatchObject({ code: 10, stdout: '' });
  });

  it.each([
    ['--side long', 'Allowed choices are buy, sell'],
    ['--price 1e5', 'plain digits'],
    ['--price -5', 'plain digits'],
    ['--amount 0', 'a number above 0 in plain digits'],
    ['--type market', 'Allowed choices are limit, postOnly, ioc'],
    ['--account margin', 'Allowed choices are spot, isolated, cross'],
  ])('says what is wanted of %s', async (flags, message) => {
    const { code, stderr } = await line(`${PLACE} ${flags}`);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it.each(['--market', '--side', '--price', '--amount'])('wants %s', async (flag) => {
    const { code, stderr } = await line(PLACE.replace(new RegExp(` ${flag} \\S+`), ''));
    expect(code).toBe(2);
    expect(stderr).toContain(`required option '${flag}`);
  });
});

describe('a command by hand, with a deployment as an argument,', () => {
  it.each([
    'orders list my/ex.yaml',
    'orders list my/ex.yaml --market btc_usdt',
    'market candles my/ex.yaml',
  ])('names the flag for a deployment: %s', async (command) => {
    const { code, stderr } = await line(command);
    expect(code).toBe(2);
    expect(stderr).toContain('(Did you mean --venue-config my/ex.yaml?)\n');
  });

  it('names no flag for another word', async () => {
    expect((await line('orders list --market btc_usdt other')).stderr).not.toContain(
      'Did you mean',
    );
  });
});

describe('tradewind orders place: what it filled', () => {
  const placed = (told: Parameters<typeof orderRecord>[0]) => {
    const order = orderRecord({ exchangeOrderId: '42', ...told });
    return line(PLACE, { venue: fakeVenue({ orders: [order] }) });
  };
  const part = { filledAmount: 0.004 as Amount, filledValue: Decimal.of('199.5') };

  it.each([
    [{}, 'nothing filled yet'],
    [{ closed: true }, 'nothing filled, it is cancelled'],
    [part, 'filled 0.004 of 0.01 btc at 49,875 on average, worth 199.5 usdt, the rest rests'],
    [
      { ...part, fee: Decimal.of('0.000004'), closed: true },
      'filled 0.004 of 0.01 btc at 49,875 on average, worth 199.5 usdt, fee 0.000004 btc, the rest is cancelled',
    ],
    [
      { filledAmount: 0.01 as Amount, filledValue: Decimal.of('500'), closed: true },
      'filled 0.01 of 0.01 btc at 50,000 on average, worth 500 usdt',
    ],
  ])('is told as the exchange reads it', async (told, words) => {
    expect((await placed(told)).stdout).toMatch(/placed, id 42\n.*\n$/);
    expect((await placed(told)).stdout).toContain(`placed, id 42\n${words}\n`);
  });

  it('is looked up again where reads lag, and is in the document', async () => {
    const venue = fakeVenue({ orders: [orderRecord({ exchangeOrderId: '42', ...part })] });
    venue.fail('order', 'rejected', { code: CODES.orderNotFound });
    const { json } = await line(`${PLACE} --json`, { venue });
    expect(json()).toMatchObject({
      ...{ outcome: 'placed', filledAmount: '0.004', filledValue: '199.5', fee: null },
      status: 'partly filled',
    });
  });
});

describe('tradewind orders place, far through the book,', () => {
  const FAR = 'orders place --market btc_usdt --side buy --price 600010 --amount 0.01';
  const WORDS = 'the price 600,010 is 900.0 % above the best ask of 60,001 usdt';
  const sentOf = (venue: ReturnType<typeof fakeVenue>) =>
    venue.sent.filter(({ call }) => call.startsWith('place')).length;

  it('asks, and sends it on yes alone', async () => {
    const venue = fakeVenue();
    const prompts = person(['yes']);
    const { code, stdout } = await line(FAR, { venue, prompts });
    expect(prompts.shown).toBe(`${WORDS}. Type yes to place it all the same: `);
    expect(stdout).toContain('placed, id 42');
    expect({ code, sent: sentOf(venue) }).toEqual({ code: 0, sent: 1 });
  });

  it.each([['no'], ['y'], [''], [undefined]])('sends nothing on %s', async (word) => {
    const venue = fakeVenue();
    const { code, stderr } = await line(FAR, { venue, prompts: person([word]) });
    expect({ code, stderr, sent: sentOf(venue) }).toEqual({
      ...{ code: 11, sent: 0 },
      stderr: 'Cannot place the order: the answer was not yes; nothing was sent',
    });
  });

  it('is refused where nobody can be asked, and sent with --yes', async () => {
    const venue = fakeVenue();
    expect(await line(FAR, { venue })).toMatchObject({
      code: 11,
      stderr: `Cannot place the order: ${WORDS}, and there is no terminal to ask at, one or --yes is wanted; nothing was sent`,
    });
    expect(sentOf(venue)).toBe(0);
    const { stdout } = await line(`${FAR} --yes`, { venue });
    expect(stdout).toContain(`${WORDS}\nplaced, id 42`);
    expect((await line(`${FAR} --yes --json`)).json()).toMatchObject({ warning: WORDS });
    expect((await line(`${FAR} --dry-run`)).stdout).toContain(`${WORDS}\nnot sent`);
  });

  it('shows the order where it asks beside a document', async () => {
    const prompts = person(['yes']);
    const { json } = await line(`${FAR} --json`, { prompts });
    expect(prompts.shown).toMatch(/^venue\.test: buy 0\.01 btc at 600,010 usdt/);
    expect(json()).toMatchObject({ outcome: 'placed', warning: WORDS });
  });

  it('asks where the book cannot be read, or has nothing on that side', async () => {
    const unread = fakeVenue();
    unread.fail('depth', 'rejected', { code: 1000, message: 'Cannot read the book' });
    expect((await line(PLACE, { venue: unread })).stderr).toContain(
      'the book could not be read to check the price (venue.test: Cannot read the book)',
    );
    const empty = fakeVenue();
    const stamps = { market: 'btc_usdt', exchangeTime: 0, receivedTime: 0 };
    empty.calls.depth = [of({ ...stamps, bids: [[60_000, 1]], asks: [] })];
    expect((await line(PLACE, { venue: empty })).stderr).toContain('the book has no ask to');
    expect(sentOf(unread) + sentOf(empty)).toBe(0);
  });

  it('asks of sells far below, and of no post-only order', async () => {
    const sell = FAR.replace('buy', 'sell').replace('600010', '6000');
    expect((await line(sell)).stderr).toContain(
      'the price 6,000 is 90.0 % below the best bid of 60,000 usdt',
    );
    expect((await line(`${FAR} --type postOnly`)).code).toBe(0);
  });

  it('asks of the worst price of a batch', async () => {
    const batch = 'orders place-batch --market btc_usdt --side buy 0.01@50000 0.01@600010';
    const venue = fakeVenue();
    expect(await line(batch, { venue })).toMatchObject({ code: 11 });
    expect(sentOf(venue)).toBe(0);
    const prompts = person(['yes']);
    expect(await line(batch, { venue, prompts })).toMatchObject({ code: 0 });
    expect(prompts.shown).toContain(WORDS);
    expect((await line(`${batch} --yes --json`)).json()).toMatchObject({ warning: WORDS });
  });
});

describe('tradewind orders place-batch', () => {
  const BATCH = 'orders place-batch --market btc_usdt --side buy 0.01@50000 0.02@49000';

  it('shows the sum of what it places, and the id of each order', async () => {
    const { stdout, code } = await line(BATCH);
    expect(stdout).toBe(
      [
        'venue.test: buy 0.03 btc, worth 1,480 usdt, in 2 limit orders',
        'placed 2 of 2',
        'price usdt  amount btc  outcome  id',
        '    50,000        0.01  placed   100',
        '    49,000        0.02  placed   101',
        '',
      ].join('\n'),
    );
    expect(code).toBe(0);
  });

  it('names the orders that were refused, what the exchange says, and ends with 10', async () => {
    const orders = [orderRecord({ exchangeOrderId: '8' })];
    const venue = fakeVenue({ orders });
    venue.calls.placeBatch = [of({ exchangeOrderIds: ['8'], remark: 'no money\u202e' })];
    const { stdout, code } = await line(BATCH, { venue });
    expect(code).toBe(10);
    expect(stdout).toMatch(/placed 1 of 2\n/);
    expect(stdout).toMatch(/49,000 +0\.02 +refused +-\nthe exchange says: no money\\u\{202e\}\n$/);
    venue.calls.placeBatch = [of({ exchangeOrderIds: ['8'] })];
    expect((await line(`${BATCH} --json`, { venue })).json()).toMatchObject({
      ...{ outcome: 'placed in part', remark: null, value: '1480' },
      orders: [
        { outcome: 'placed', id: '8' },
        { outcome: 'refused', id: null },
      ],
    });
  });

  it('ends with 9 where it cannot tell, with a document for programs', async () => {
    const venue = fakeVenue();
    venue.calls.placeBatch = [of({ exchangeOrderIds: ['8'] })];
    expect(await line(BATCH, { venue })).toMatchObject({ code: 9 });
    venue.fail('placeBatch', 'unknown');
    const { code, json, stderr } = await line(`${BATCH} --json`, { venue });
    expect([code, json().outcome]).toEqual([9, 'unknown']);
    expect(stderr).toContain('orders list --market btc_usdt');
  });

  it('sends nothing on a dry run, or of what is not written as amount@price', async () => {
    const venue = fakeVenue();
    expect((await line(`${BATCH} --dry-run --json`, { venue })).json()).toMatchObject({
      ...{ outcome: 'not sent', orders: [{ id: null }, { id: null }] },
    });
    for (const order of ['0.01', '0.01@', '0.01@5@6', '-1@5', '0.01@1e3']) {
      expect((await line(`${BATCH} ${order}`, { venue })).code).toBe(2);
    }
    expect(venue.sent.map(({ call }) => call)).toEqual(['markets', 'depth']);
  });
});

const CANCEL = 'orders cancel --market btc_usdt --id 55';
const order = orderRecord({ exchangeOrderId: '55', filledAmount: 0.002 as Amount });

describe('tradewind orders show and cancel', () => {
  it('show one order', async () => {
    const venue = fakeVenue({ orders: [order] });
    const { stdout } = await line('orders show --market btc_usdt --id 55', { venue });
    expect(stdout).toMatch(
      /price +50,000 usdt\namount +0\.01 btc\nfilled +0\.002 btc, worth .* usdt\nfee +-\nstatus +partly filled\n$/,
    );
  });

  it('show a sale with its fee in what it brings, and no worth of nothing', async () => {
    const sale = { ...order, side: 'sell', fee: Decimal.of('0.05') } as const;
    const shown = async (one: typeof sale) => {
      const venue = fakeVenue({ orders: [one] });
      return (await line('orders show --market btc_usdt --id 55', { venue })).stdout;
    };
    expect(await shown(sale)).toContain('\nfee     0.05 usdt\n');
    const unfilled = { ...sale, filledAmount: 0 as Amount, filledValue: Decimal.ZERO };
    expect(await shown(unfilled)).toContain('\nfilled  0 btc\n');
  });

  it.each(['show', 'cancel'])('%s an order by its client id', async (name) => {
    const venue = fakeVenue();
    const text = `orders ${name} --market btc_usdt --client-id mine0001`;
    const { code } = await line(text, { venue });
    expect(code).toBe(10);
    expect(venue.sent.at(-1)?.argument).toEqual({ market: 'btc_usdt', clientOrderId: 'mine0001' });
  });

  it.each(['show', 'cancel'])('%s wants exactly one of the two ids', async (name) => {
    const none = await line(`orders ${name} --market btc_usdt`);
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain('--id or --client-id is wanted');
    const both = await line(`orders ${name} --market btc_usdt --id 5 --client-id mine0001`);
    expect(both).toMatchObject({ code: 2 });
  });

  it.each(['show', 'cancel'])('%s wants a client id that there may be', async (name) => {
    const { code, stderr } = await line(`orders ${name} --market btc_usdt --client-id x_y`);
    expect(code).toBe(2);
    expect(stderr).toContain('4 to 36 letters or digits are wanted');
  });
});

describe('tradewind orders cancel', () => {
  it('tells how much of the order had filled', async () => {
    const venue = fakeVenue({ orders: [order] });
    const { code, stdout } = await line(CANCEL, { venue });
    const wanted = 'cancelled 55, 0.002 of 0.01 btc had been filled, verified\n';
    expect({ code, stdout }).toEqual({ code: 0, stdout: wanted });
  });

  it('tells of an order that filled before its cancel', async () => {
    const venue = fakeVenue({ orders: [order] });
    const filled = { ...order, closed: true, filledAmount: order.amount };
    venue.calls.order = [of(order), of(filled)];
    expect((await line(CANCEL, { venue })).stdout).toContain(
      'filled before its cancel 55, 0.01 of',
    );
  });

  it.each([
    ['rests on', () => of(order), 'the exchange shows it as open', '0.002'],
    ['cannot be read', () => throwError(() => new ExchangeFailure('unsent', 'gone')), 'gone', null],
  ])('ends with 6 where an order that the exchange says to have cancelled %s', async (...given) => {
    const [, read, reason, filledAmount] = given;
    const venue = fakeVenue({ orders: [order] });
    venue.calls.order = [read(), read(), read()];
    const { code, stdout } = await line(`${CANCEL} --json`, { venue });
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ outcome: 'unverified', exchangeOrderId: '55', verified: false, filledAmount },
      reason: expect.stringContaining(reason),
    });
  });

  it('takes a lost answer for done where the order is shown to be gone', async () => {
    const venue = fakeVenue({ orders: [order] });
    venue.fail('cancel', 'unknown');
    venue.calls.order = [of(order), of({ ...order, closed: true })];
    const { code, stdout } = await line(CANCEL, { venue });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'cancelled 55, 0.002 of 0.01 btc had been filled, verified\n',
    });
  });

  it.each([
    [0.01, 'it has filled'],
    [0.002, 'it is over, 0.002 of 0.01 filled'],
  ])('tells of an order that is over how it ended: %s', async (filled, end) => {
    const closed = { ...order, closed: true, filledAmount: filled as Amount };
    const { code, stderr } = await line(CANCEL, { venue: fakeVenue({ orders: [closed] }) });
    expect(code).toBe(10);
    expect(stderr).toContain(end);
  });

  it('says of a lost answer to a cancel how to look', async () => {
    const venue = fakeVenue({ orders: [order] });
    venue.fail('cancel', 'unknown');
    const { code, stderr } = await line(CANCEL, { venue });
    expect(code).toBe(9);
    expect(stderr).toContain('to cancel it once more does no harm:\n  npx tradewind orders show');
  });
});

describe('npx tradewind orders cancel-all', () => {
  it('cancels and verifies', async () => {
    const venue = fakeVenue({ orders: openOrders(12) });
    const { code, stdout } = await line('orders cancel-all --market btc_usdt', { venue });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'cancelled 12 of 12, verified\n' });
  });

  it('says that none is open', async () => {
    const { stdout } = await line('orders cancel-all --market btc_usdt');
    expect(stdout).toBe('no open order on btc_usdt, verified\n');
  });

  it('ends with 6 and names what may still rest', async () => {
    const venue = fakeVenue({ orders: openOrders(1) });
    for (let times = 0; times < 10; times++) venue.fail('cancel', 'unknown');
    const { code, stdout } = await line('orders cancel-all --market btc_usdt', { venue });
    expect(code).toBe(6);
    expect(stdout).toMatch(/^cancelled 0 of 1, NOT VERIFIED: .*\nmay still rest: 1000\n$/);
  });

  it('has the exchange cancel in a minute', async () => {
    const venue = fakeVenue();
    const flags = '--market btc_usdt --in-a-minute';
    const { stdout } = await line(`orders cancel-all ${flags}`, { venue });
    expect(stdout).toBe('the exchange cancels every order on btc_usdt in a minute\n');
    expect(venue.sent.at(-1)).toEqual({ call: 'cancelAllAfter', argument: 'btc_usdt' });
    venue.fail('cancelAllAfter', 'unknown');
    expect((await line(`orders cancel-all ${flags}`, { venue })).code).toBe(9);
  });

  it.each([
    ['does not tell its markets', throwError(() => new ExchangeFailure('unknown', 'no answer'))],
    ['tells no rules of it that can be read', of(Object.assign([], { illegible: ['btc_usdt'] }))],
  ])('needs no rules of the market: the exchange %s', async (_how, markets) => {
    const venue = fakeVenue({ orders: openOrders(2) });
    venue.calls.markets = [markets];
    const { stdout } = await line('orders cancel-all --market btc_usdt', { venue });
    expect(stdout).toBe('cancelled 2 of 2, verified\n');
  });

  it('cancels nothing in a market that the exchange does not have', async () => {
    const venue = fakeVenue();
    expect(await line('orders cancel-all --market btc_usd', { venue })).toMatchObject({ code: 10 });
    expect(venue.sent.map(({ call }) => call)).toEqual(['markets']);
  });

  it('knows no market without being told', async () => {
    expect(await line('orders cancel-all')).toMatchObject({ code: 2 });
  });
});
