import { defer, map } from 'rxjs';
import { isAmount, isPrice, type Market, orderValue } from '../../src/domain/index.ts';
import {
  CODES,
  ExchangeFailure,
  type ExchangeHost,
  type FullExchange,
  type PlaceRequest,
} from '../../src/exchange/index.ts';
import { Decimal, type Random } from '../../src/kernel/index.ts';

type Terms = Pick<PlaceRequest, 'market' | 'price' | 'amount'>;

/**
 * The rules of an exchange's markets, which it changes as it likes: what it tells of them, and what it
 * holds new orders against. Orders that rest are as they were placed, and others trade by finer steps:
 * what they placed before rests too.
 */
export class ChangingRules {
  readonly #finest: readonly Market[];
  readonly #now: Map<string, Market>;

  /** `finest`: the steps that the exchange itself counts in. */
  constructor(finest: readonly Market[]) {
    this.#finest = finest;
    this.#now = new Map(finest.map((market) => [market.id, market]));
  }

  /** As they are told now. */
  get now(): readonly Market[] {
    return [...this.#now.values()];
  }

  /** Draws other rules for a market. `mild`: any strategy can trade by them. */
  change(random: Random, { mild = false } = {}): Market {
    const one = <T>(...values: readonly T[]): T => values[random.integer(values.length)]!;
    const finest = one(...this.#finest);
    const market = {
      ...finest,
      priceScale: finest.priceScale - random.integer(3),
      amountScale: finest.amountScale - (mild ? 0 : random.integer(2)),
      minAmount: mild ? finest.minAmount : one(0.001, 0.004),
      minSize: mild ? finest.minSize : one(1, 5, 30),
    };
    this.#now.set(market.id, market);
    return market;
  }

  /** The exchange under these rules. */
  host(host: ExchangeHost): ExchangeHost {
    const { market, marketFeed } = host;
    return {
      market: {
        markets: () => market.markets().pipe(map((listed) => this.#nowOf(listed))),
        ticker: (id) => market.ticker(id),
        tickers: () => market.tickers(),
        depth: (query) => market.depth(query),
        trades: (query) => market.trades(query),
        candles: (query) => market.candles(query),
      },
      marketFeed,
      account: (name, rights) => {
        const exchange = host.account(name, rights);
        return exchange && this.#ruled(exchange);
      },
    };
  }

  /** What is told of the markets that are listed. */
  #nowOf(listed: readonly Market[]): readonly Market[] {
    return listed.map((market) => this.#now.get(market.id) ?? market);
  }

  #ruled(exchange: FullExchange): FullExchange {
    const { trading } = exchange;
    return {
      ...exchange,
      trading: {
        cancel: (reference) => trading.cancel(reference),
        cancelAllAfter: (market) => trading.cancelAllAfter(market),
        order: (reference) => trading.order(reference),
        orders: (query) => trading.orders(query),
        place: (request) =>
          defer(() => {
            this.#check(request);
            return trading.place(request);
          }),
        placeBatch: (request) =>
          defer(() => {
            for (const terms of request.orders) this.#check({ ...terms, market: request.market });
            return trading.placeBatch(request);
          }),
      },
    };
  }

  /** @throws {ExchangeFailure} in the exchange's own words where an order is against the rules. */
  #check(terms: Terms): void {
    const market = this.#now.get(terms.market);
    if (market === undefined) return;
    if (!isPrice(market, terms.price)) throw refusal(CODES.invalidPrice, 'Invalid price');
    const fits = isAmount(market, terms.amount) && terms.amount >= market.minAmount;
    if (fits && orderValue(market, terms).compare(Decimal.of(market.minSize)) >= 0) return;
    throw refusal(CODES.invalidAmount, 'Invalid amount');
  }
}

function refusal(code: number, message: string): ExchangeFailure {
  return new ExchangeFailure('rejected', message, { code });
}
