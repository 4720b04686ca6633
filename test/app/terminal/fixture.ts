import { asyncScheduler, NEVER, type Observable, of, type SchedulerAction, throwError } from 'rxjs';
import type { ConnectedVenue } from '../../../src/app/index.ts';
import type { Amount, MarginAsset, OrderRecord, Price } from '../../../src/domain/index.ts';
import {
  CODES,
  CONTRACT_LIMITS,
  ExchangeFailure,
  type FullExchange,
  type OrderReference,
} from '../../../src/exchange/index.ts';
import { type Clock, Decimal } from '../../../src/kernel/index.ts';
import { makeMarket, makeRecord } from '../../domain/fixture.ts';

export const MARKET = makeMarket({ amountScale: 5 });
export const START_MS = Date.UTC(2024, 0, 31, 10);

const decimal = (text: string): Decimal => Decimal.of(text);

/** An order as the exchange would report it. */
export function orderRecord(overrides: Partial<OrderRecord> = {}): OrderRecord {
  return makeRecord({
    ...{ exchangeOrderId: '202401310000000001', price: 50_000 as Price, amount: 0.01 as Amount },
    ...{ filledValue: Decimal.ZERO, exchangeTime: START_MS },
    ...overrides,
  });
}

/** So many open buys, with ids from 1000 on. */
export function manyOrders(count: number): OrderRecord[] {
  return Array.from({ length: count }, (_, at) =>
    orderRecord({ exchangeOrderId: `${1_000 + at}` }),
  );
}

type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

/** A clock whose timers are over at once, yet whose time has passed. */
export function impatientClock(): Clock {
  let nowMs = START_MS;
  return {
    now: () => nowMs,
    elapsedMs: () => nowMs,
    schedule<T>(work: Work<T>, delayMs = 0, state?: T) {
      nowMs += delayMs;
      return asyncScheduler.schedule(work, 0, state);
    },
  };
}

/** An exchange whose every answer a test may replace; it keeps what it was asked. */
export interface FakeVenue extends ConnectedVenue {
  readonly orders: OrderRecord[];
  /** What was sent, oldest first: the call and its argument. */
  readonly sent: { readonly call: string; readonly argument: unknown }[];
  /** Answers that take the place of the next ones. */
  readonly calls: Record<string, Observable<unknown>[]>;
  /** The next call of that name fails. */
  fail(
    call: string,
    kind: ExchangeFailure['kind'],
    options?: { code?: number; message?: string },
  ): void;
  closed: boolean;
}

/** A venue with one market, 2 btc, 1000 usdt, and no orders unless told. */
export function fakeVenue({
  orders = [] as OrderRecord[],
  pageSizeMax = 10,
  overrides = {} as Partial<FullExchange['funds']>,
} = {}): FakeVenue {
  const sent: FakeVenue['sent'] = [];
  const calls: FakeVenue['calls'] = {};
  const answer = <T>(call: string, argument: unknown, value: () => Observable<T>) => {
    sent.push({ call, argument });
    return (calls[call]?.shift() as Observable<T> | undefined) ?? value();
  };
  const exchange = exchangeOf({ answer, orders, pageSizeMax });
  const venue: FakeVenue = {
    exchange: { ...exchange, funds: { ...exchange.funds, ...overrides } },
    host: 'venue.test',
    flags: ['--venue-config', 'my live.yaml'],
    clock: impatientClock(),
    interruption: NEVER,
    nextClientOrderId: () => 'twmade0001',
    close: async () => {
      venue.closed = true;
    },
    closed: false,
    orders,
    sent,
    calls,
    fail: (call, kind, { code, message = `Cannot ${call}: it was told to fail` } = {}) => {
      calls[call] ??= [];
      const options = code === undefined ? {} : { code };
      calls[call].push(throwError(() => new ExchangeFailure(kind, message, options)));
    },
  };
  return venue;
}

/** The venue without the lists that the contract does not name: how it says so, `kind` tells. */
export function lacking(venue: FakeVenue, kind: 'rejected' | 'unknown' = 'unknown'): FakeVenue {
  venue.exchange.orderLists.list = () =>
    throwError(
      () => new ExchangeFailure(kind, 'Cannot list orders: 1001', { code: CODES.general }),
    );
  return venue;
}

interface Parts {
  readonly answer: <T>(
    call: string,
    argument: unknown,
    value: () => Observable<T>,
  ) => Observable<T>;
  readonly orders: OrderRecord[];
  readonly pageSizeMax: number;
}

/** A margin account: 1.5 btc of 2 are free, 1 is owed with its interest. */
const OWED: MarginAsset = {
  ...{ currency: 'btc', available: decimal('1.5'), frozen: decimal('0.5') },
  ...{ loan: decimal('1'), overdraft: decimal('0.0001'), transferable: Decimal.ZERO },
};
const WORTH = {
  ...{ total: decimal('120000'), net: decimal('60000'), loan: decimal('60000'), riskRate: 2 },
};

function nothingOf(currency: string): MarginAsset {
  const none = { available: Decimal.ZERO, frozen: Decimal.ZERO, transferable: Decimal.ZERO };
  return { currency, ...none, loan: Decimal.ZERO, overdraft: Decimal.ZERO };
}

function exchangeOf(parts: Parts): FullExchange {
  const { answer } = parts;
  return {
    ...dataOf(parts),
    ...tradingOf(parts),
    funds: fundsOf(parts),
    margin: {
      crossAccount: () => of({ assets: [OWED], ...WORTH }),
      isolatedAccount: () =>
        of([
          { ...WORTH, market: 'btc_usdt', base: OWED, quote: nothingOf('usdt') },
          { ...WORTH, market: 'eth_usdt', base: nothingOf('eth'), quote: nothingOf('usdt') },
        ]),
      setAutoBorrow: (on) => answer('setAutoBorrow', on, () => of(undefined)),
      setAutoRepay: (on) => answer('setAutoRepay', on, () => of(undefined)),
    },
    limits: CONTRACT_LIMITS,
    accountFeed: { connection: () => NEVER, orders: () => NEVER, balances: () => NEVER },
  };
}

function dataOf({ answer }: Parts): Pick<FullExchange, 'market' | 'marketFeed'> {
  const stamps = { market: 'btc_usdt', exchangeTime: START_MS, receivedTime: START_MS };
  const prices = { open: 59_000, high: 61_000.5, low: 58_000, volume: 1_234.5 };
  const trade = { ...stamps, id: '7', price: 60_000.1, amount: 0.00001, side: 'sell' } as const;
  const ticker = { ...stamps, ...prices, bid: 60_000, ask: 60_001, last: 60_000.5, change: 0.0169 };
  const candle = { ...stamps, ...prices, close: 60_000, openTime: START_MS, closed: false };
  return {
    market: {
      markets: () => answer('markets', undefined, () => of([MARKET])),
      ticker: () => of(ticker),
      tickers: () => answer('tickers', undefined, () => of([ticker])),
      depth: (query) =>
        answer('depth', query, () =>
          of({
            ...stamps,
            bids: [
              [60_000, 0.5],
              [59_999.99, 1_200],
            ],
            asks: [[60_001, 0.25]],
          }),
        ),
      trades: (query) => answer('trades', query, () => of([trade])),
      candles: (query) =>
        answer('candles', query, () => of([{ ...candle, interval: query.interval }])),
    },
    marketFeed: {
      connection: () => NEVER,
      ticker: () => NEVER,
      depth: () => NEVER,
      trades: () => of([trade], [{ ...trade, id: '8' }]),
      candles: () => NEVER,
    },
  };
}

function tradingOf(parts: Parts): Pick<FullExchange, 'trading' | 'account' | 'orderLists'> {
  const { answer, orders, pageSizeMax } = parts;
  const named = (reference: OrderReference): OrderRecord | undefined =>
    orders.find(
      (order) =>
        'exchangeOrderId' in reference && order.exchangeOrderId === reference.exchangeOrderId,
    );
  const balance = (currency: string, available: string, frozen: string) => ({
    ...{ currency, available: decimal(available), frozen: decimal(frozen) },
  });
  const permissions = { assets: true, orders: true, withdrawals: true, margin: false };
  const balances = [balance('btc', '2', '0.5'), balance('usdt', '1000.25', '0')];
  return {
    account: {
      account: () =>
        answer('account', undefined, () =>
          of({ permissions, balances: [...balances, balance('eth', '0', '0')] }),
        ),
    },
    trading: {
      place: (request) => answer('place', request, () => of({ exchangeOrderId: '42' })),
      placeBatch: (request) =>
        answer('placeBatch', request, () =>
          of({ exchangeOrderIds: request.orders.map((_, index) => `${100 + index}`) }),
        ),
      cancelAllAfter: (market) => answer('cancelAllAfter', market, () => of(undefined)),
      orders: (query) =>
        answer('orders', query, () => {
          const wanted = orders.filter(({ side }) => side === query.side);
          const from = ((query.page ?? 1) - 1) * 10;
          return of(wanted.slice(from, from + 10));
        }),
      order: (reference) => answer('order', reference, () => found(named(reference))),
      cancel: (reference) =>
        answer('cancel', reference, () => {
          const order = named(reference);
          if (order === undefined || order.closed) return found(undefined);
          orders.splice(orders.indexOf(order), 1, { ...order, closed: true });
          const { amount, price, filledAmount, filledValue } = order;
          return of({ amount, price, filledAmount, filledValue });
        }),
    },
    orderLists: {
      list: (query) =>
        answer('list', query, () => {
          const wanted = orders.filter(
            ({ closed, side }) =>
              (query.filter === 'all' || closed === (query.filter === 'finished')) &&
              (query.side === undefined || side === query.side),
          );
          const size = Math.min(pageSizeMax, query.pageSize ?? 10);
          const from = ((query.page ?? 1) - 1) * size;
          return of(wanted.slice(from, from + size));
        }),
    },
  };
}

function found(order: OrderRecord | undefined): Observable<never> | Observable<OrderRecord> {
  const missing = new ExchangeFailure('rejected', 'Cannot read an order: 3001 "not found"', {
    code: CODES.orderNotFound,
  });
  return order === undefined ? throwError(() => missing) : of(order);
}

function fundsOf({ answer }: Parts): FullExchange['funds'] {
  const open = { mainChain: 'BTC', canDeposit: true, canWithdraw: true };
  const fee = { ...open, chain: 'BTC', fee: decimal('0.0005') };
  const time = { submitTime: START_MS };
  return {
    bills: (query) =>
      answer('bills', query, () =>
        of([
          {
            ...{ id: '9', currency: 'usdt', change: decimal('-12.5'), balance: decimal('987.75') },
            ...{ time: START_MS, type: 'buy', remark: '' },
          },
        ]),
      ),
    depositAddress: (currency) => answer('depositAddress', currency, () => of('1Single')),
    depositAddresses: (currency) =>
      answer('depositAddresses', currency, () =>
        of([
          { chain: 'BTC', address: '1In', memo: undefined, canDeposit: true, canWithdraw: true },
        ]),
      ),
    withdrawalAddress: (currency) => answer('withdrawalAddress', currency, () => of('1Out')),
    withdrawals: (query) =>
      answer('withdrawals', query, () =>
        of({
          items: [
            {
              ...{ id: '5', amount: decimal('0.5'), fee: decimal('0.0005'), status: 'submitted' },
              ...{ ...time, manageTime: undefined, address: '1Out', merchantOrderNumber: '' },
              hash: '',
            } as const,
          ],
          ...{ page: 1, pageSize: 20, totalCount: 21 },
        }),
      ),
    deposits: (query) =>
      answer('deposits', query, () =>
        of({
          items: [
            {
              ...{ id: '6', currency: 'btc', amount: decimal('1'), address: '1In', hash: 'abc' },
              ...{ confirmations: 3, description: 'done', internal: false, ...time },
              status: 'succeeded',
            } as const,
          ],
          ...{ page: 1, pageSize: 20, totalCount: 1 },
        }),
      ),
    withdrawalFees: (currency) =>
      answer('withdrawalFees', currency, () =>
        of(
          new Map([
            ['BTC', [fee]],
            [
              'USDT',
              [
                { ...fee, chain: 'TRC20', fee: decimal('1') },
                { ...fee, chain: 'ERC20', fee: decimal('5'), canWithdraw: false },
              ],
            ],
          ]),
        ),
      ),
    withdraw: (request) => answer('withdraw', request, () => of({ withdrawalId: '77' })),
  };
}
