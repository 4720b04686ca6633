import {
  isRecordOf,
  type Market,
  type OrderNews,
  type OrderRecord,
  type OrderState,
  type RecordNews,
  toldAmount,
  toldPrice,
} from '../domain/index.ts';
import type { Logger } from '../kernel/index.ts';
import {
  type FeeRates,
  feeCurrencyOf,
  feeMax,
  leastFeeMax,
  type OrderFeeTerms,
  withGuessedFee,
} from './fees.ts';
import { withSoundValue } from './fills.ts';

/** How many disbelieved records are remembered. */
const DISOWNED_MAX = 1_000;

export interface TestimonyOptions {
  readonly markets: ReadonlyMap<string, Market>;
  readonly feeRates: FeeRates;
  /** Logs what is not believed. */
  readonly logger: Logger;
}

/** Filters what the exchange tells of orders for credibility, and fills gaps with guesses. */
export class Testimony {
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #feeRates: FeeRates;
  readonly #logger: Logger;
  /** Markets in which a fee was not believed. */
  readonly #feesDoubted = new Set<string>();
  /** The newest disbelieved records. They are read again and again, but logged once. */
  readonly #disowned = new Set<string>();

  constructor({ markets, feeRates, logger }: TestimonyOptions) {
    this.#markets = markets;
    this.#feeRates = feeRates;
    this.#logger = logger;
  }

  /** The record with price and amounts rounded to scale: an exchange may sum them up in doubles. */
  record(record: OrderRecord): OrderRecord {
    const market = this.#markets.get(record.market);
    if (market === undefined) return record;
    return {
      ...record,
      price: toldPrice(market, record.price),
      amount: toldAmount(market, record.amount),
      filledAmount: toldAmount(market, record.filledAmount, { of: record.amount }),
    };
  }

  /** The news with amounts rounded to scale; undefined where it cannot be of that order. */
  news(
    news: OrderNews,
    { order, market }: { readonly order: OrderState; readonly market: Market },
  ): OrderNews | undefined {
    if (news.kind !== 'record') return news;
    const filledAmount = toldAmount(market, news.filledAmount, { of: order.amount });
    const told = filledAmount === news.filledAmount ? news : { ...news, filledAmount };
    if (!isRecordOf(order, told)) {
      this.#disown(order, told);
      return undefined;
    }
    const terms = { order, market, feeRates: this.#feeRates };
    return withGuessedFee(this.#withCredibleFee(withSoundValue(told, order), terms), terms);
  }

  #disown(order: OrderState, { exchangeOrderId, terms = order, filledAmount }: RecordNews): void {
    const { clientOrderId, market, side, amount, price } = order;
    const told = `${filledAmount} of ${terms.side} ${terms.amount} at ${terms.price}`;
    const key = `${clientOrderId} ${exchangeOrderId} ${told}`;
    if (this.#disowned.has(key)) return;
    if (this.#disowned.size === DISOWNED_MAX) this.#disowned.clear();
    this.#disowned.add(key);
    this.#logger.warn(
      { clientOrderId, exchangeOrderId, market },
      `Cannot believe what is told of an order: it is ${told}, ${side} ${amount} at ${price} is wanted`,
    );
  }

  /** The news without an incredible fee. Logged once a market: all its fees may be like that. */
  #withCredibleFee(news: RecordNews, terms: OrderFeeTerms): RecordNews {
    const { fee, exchangeOrderId } = news;
    if (fee === undefined || news.filledAmount === 0) return news;
    const ofRate = feeMax(news, terms);
    if (fee.compare(ofRate) <= 0) return news;
    const ofLeast = leastFeeMax(news, terms);
    if (fee.compare(ofLeast) <= 0) return news;
    const most = ofLeast.compare(ofRate) > 0 ? ofLeast : ofRate;
    const market = terms.market.id;
    const currency = feeCurrencyOf(terms.order, terms);
    if (!this.#feesDoubted.has(market)) {
      this.#feesDoubted.add(market);
      this.#logger.warn(
        { market, exchangeOrderId, currency },
        `Cannot believe a fee of ${market}: it is ${fee}, at most ${most} ${currency} is wanted; ` +
          'fees there are estimated by the rate while the exchange tells such fees',
      );
    }
    return { ...news, fee: undefined };
  }
}
