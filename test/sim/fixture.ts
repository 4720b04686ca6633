import type { Observable } from 'rxjs';
import type { Amount, OrderType, Price, Side } from '../../src/domain/index.ts';
import type { Exchange, ExchangeFailure, PlaceRequest } from '../../src/exchange/index.ts';
import { toFailure } from '../../src/exchange/index.ts';
import { VirtualClock } from '../../src/kernel/index.ts';
import {
  SimulatedExchange,
  type SimulatedExchangeOptions,
  type SyntheticParameters,
  syntheticSchema,
} from '../../src/sim/index.ts';
import { makeMarket } from '../domain/fixture.ts';

/** Saturday, 22 January 2022, noon UTC. */
export const START_MS = Date.UTC(2022, 0, 22, 12);

export const MARKET = makeMarket();
/** Of prices with many places. */
export const FINE = makeMarket({
  ...{ id: 'shib_usdt', base: 'shib', priceScale: 10, amountScale: 2 },
  ...{ minAmount: 0.01, minSize: 0 },
});

/** Two rich accounts on a market without fees, unless told otherwise. */
export function exchangeFixture(overrides: Partial<SimulatedExchangeOptions> = {}) {
  const clock = new VirtualClock(START_MS);
  const balances = { usdt: '1000000', btc: '100' };
  const exchange = new SimulatedExchange({
    clock,
    markets: [MARKET],
    accounts: [
      { name: 'alice', balances },
      { name: 'bob', balances },
    ],
    fees: { maker: 0, taker: 0 },
    ...overrides,
  });
  const liquidity = exchange.anonymous((overrides.markets?.[0] ?? MARKET).id);
  return {
    clock,
    exchange,
    liquidity,
    alice: exchange.account('alice')!,
    bob: exchange.account('bob')!,
  };
}

/** A request to place 1 btc at 100 usdt, unless told otherwise. */
export function requestFixture(
  overrides: {
    market?: string;
    side?: Side;
    type?: OrderType;
    price?: number;
    amount?: number;
  } & Pick<PlaceRequest, 'clientOrderId' | 'accountType' | 'borrow' | 'repay'> = {},
): PlaceRequest {
  const { price = 100, amount = 1, ...rest } = overrides;
  return {
    market: MARKET.id,
    side: 'buy',
    type: 'limit',
    ...rest,
    price: price as Price,
    amount: amount as Amount,
  };
}

/** Places an order; its id. */
export function place(account: Exchange, overrides: Parameters<typeof requestFixture>[0]): string {
  return answerOf(account.trading.place(requestFixture(overrides))).exchangeOrderId;
}

/** The answer of a call that answers at once; throws its failure. */
export function answerOf<T>(call: Observable<T>): T {
  const answers: T[] = [];
  let failure: unknown;
  call.subscribe({
    next: (value) => answers.push(value),
    error: (error) => {
      failure = error;
    },
  });
  if (failure !== undefined) throw failure;
  if (answers.length !== 1) throw new Error(`one answer was expected, there are ${answers.length}`);
  return answers[0]!;
}

/** The failure of a call that fails at once. */
export function failureOf(call: Observable<unknown>): ExchangeFailure {
  try {
    answerOf(call);
  } catch (failure) {
    return toFailure(failure);
  }
  throw new Error('a failure was expected');
}

/** Collects everything that a stream emits. */
export function collect<T>(stream: Observable<T>): T[] {
  const values: T[] = [];
  stream.subscribe((value) => values.push(value));
  return values;
}

/** A wallet as texts: currency -> [available, frozen]. */
export function walletOf(exchange: SimulatedExchange, name: string) {
  return Object.fromEntries(
    exchange
      .inspect(name)
      .balances.map(({ currency, available, frozen }) => [
        currency,
        [available.toString(), frozen.toString()],
      ]),
  );
}

/** The book as [price, amount] levels. */
export function bookOf(exchange: SimulatedExchange, market = MARKET.id) {
  const { bids, asks } = answerOf(exchange.market.depth({ market }));
  return { bids, asks };
}

export function syntheticFixture(
  overrides: Partial<SyntheticParameters> = {},
): SyntheticParameters {
  return { ...syntheticSchema.parse({ startPrice: 30_000 }), ...overrides };
}
