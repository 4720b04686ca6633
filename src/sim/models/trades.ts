import { opposite, type TradeColumns } from '../../domain/index.ts';
import type { Placement } from '../matching-engine.ts';
import type { FillModel, ModelledMarket } from './model.ts';
import { Queues, type Terms } from './queue.ts';
import { tradesConfession } from './trades-confession.ts';
import type { TradesModelSettings } from './trades-config.ts';
import { TradesTape } from './trades-tape.ts';

/** The most levels that an order which takes can trade through. */
const LEVELS = 20;

/** Fills from public trades alone: see its confession. */
export class TradesModel implements FillModel<TradeColumns> {
  readonly name = 'trades';
  readonly confession: readonly string[];
  readonly #market: ModelledMarket;
  readonly #settings: TradesModelSettings;
  readonly #queues: Queues;
  readonly #tape = new TradesTape();
  /** The amount that own orders took on each side since the last trade, units. */
  readonly #taken = { buy: 0, sell: 0 };
  /** Whether liquidity was offered to an order since the last trade. */
  #offered = false;

  constructor(market: ModelledMarket, settings: TradesModelSettings) {
    this.#market = market;
    this.#settings = settings;
    this.#queues = new Queues(market.engine);
    this.confession = tradesConfession(settings);
  }

  play(rows: TradeColumns, at: number): number {
    const { priceFactor, amountFactor } = this.#market.engine.units;
    const price = Math.round(rows.price[at]! * priceFactor);
    const amount = Math.round(rows.amount[at]! * amountFactor);
    const buys = rows.side[at]! > 0;
    if (this.#offered) this.#withdraw();
    if (this.#queues.isReached(price)) this.#meet({ price, amount, buys, time: rows.time[at]! });
    this.#tape.observe(price, { amount, buys });
    return at + 1;
  }

  arriving({ side, price, amount, type }: Placement): void {
    this.#takeBack();
    this.#queues.sweep();
    if (!this.#tape.isKnown) return;
    const { priceFactor, amountFactor } = this.#market.engine.units;
    const limit = Math.round(price * priceFactor);
    const reaches = side === 'buy' ? limit >= this.#tape.ask : limit <= this.#tape.bid;
    if (reaches) {
      this.#offer({ side, limit, wanted: Math.round(amount * amountFactor) });
      return;
    }
    const betters = side === 'buy' ? limit > this.#tape.bid : limit < this.#tape.ask;
    if (betters || type === 'ioc') return;
    const waiting = this.#queues.waiting(side, limit);
    this.#queues.join(side, { price: limit, amount: this.#ahead() - waiting });
  }

  #meet({ price, amount, buys, time }: Terms & { buys: boolean; time: number }): void {
    const takerSide = buys ? 'buy' : 'sell';
    const print = { takerSide, capped: this.#settings.printCap, time } as const;
    if (this.#queues.print({ price, amount }, print)) this.#market.pushChanges();
  }

  /** A new trade restores the book: what own orders took no longer counts. */
  #withdraw(): void {
    this.#queues.takeBack();
    this.#taken.buy = 0;
    this.#taken.sell = 0;
    this.#offered = false;
  }

  /** Offers an order that takes the liquidity within its limit. */
  #offer({ side, limit, wanted }: { side: 'buy' | 'sell'; limit: number; wanted: number }): void {
    const makers = opposite(side);
    const away = side === 'buy' ? 1 : -1;
    const best = side === 'buy' ? this.#tape.ask : this.#tape.bid;
    const step = Math.max(1, Math.round(this.#tape.spread / 2));
    const first = Math.max(1, Math.round(this.#tape.meanAmount * this.#settings.touchMeanTrades));
    let gone = this.#taken[makers];
    let left = wanted;
    this.#offered = true;
    for (let level = 0; level < LEVELS && left > 0; level++) {
      const price = best + away * level * step;
      if (price <= 0 || (limit - price) * away < 0) return;
      const amount = first * (level + 1);
      const passed = Math.min(gone, amount);
      gone -= passed;
      if (passed === amount) continue;
      left -= this.#queues.lend(makers, { price, amount: amount - passed });
    }
  }

  #takeBack(): void {
    this.#queues.takeBack((side, { amount }) => {
      this.#taken[side] += amount;
    });
  }

  /** The amount that waits ahead of a new resting order, units. */
  #ahead(): number {
    const { queueAhead } = this.#settings;
    if (queueAhead === 'none') return 0;
    if ('amount' in queueAhead) {
      return Math.round(queueAhead.amount * this.#market.engine.units.amountFactor);
    }
    return Math.round(this.#tape.meanAmount * queueAhead.meanTrade);
  }
}
