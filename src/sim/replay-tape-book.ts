import type { Level, Market, RecordedTrade, Side } from '../domain/index.ts';
import { fromUnits, toUnits } from '../kernel/index.ts';
import { TradesTape } from './models/trades-tape.ts';

/** Levels on each side: the exchange shows up to 50, here there are never more than 20. */
export const LADDER_LEVELS = 20;

/** Both sides of a book, best level first. */
export interface Ladder {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/**
 * A resting book for a tape that has none, made from the tape itself.
 *
 * - Best bid and best ask are those that a `TradesTape` implies: the price of the trade is the best
 *   of one side. The book is so when the trade happens, and the trade takes from it.
 * - Behind the best price lie `LADDER_LEVELS` levels half a spread apart. The best holds a running
 *   mean of the tape's amounts, the second twice, the third three times that much.
 *
 * What it does not model: real depth and its holes; makers that flee before a move or wait after it
 * (each trade finds the whole ladder restored around it); the trace that own orders would leave in
 * the market. Good for trying out a bot, not for judging a strategy that lives off the queue.
 */
export class TapeBook {
  readonly #market: Market;
  readonly #tape = new TradesTape();

  constructor(market: Market) {
    this.#market = market;
  }

  /** Learns from a trade. */
  observe({ price, amount, takerSide }: RecordedTrade): void {
    const { priceScale, amountScale } = this.#market;
    this.#tape.observe(price * 10 ** priceScale, {
      amount: amount * 10 ** amountScale,
      buys: takerSide === 'buy',
    });
  }

  /** The book in which the trade observed last takes place. `price` is on the market's scale. */
  around(trade: { readonly takerSide: Side; readonly price: number }): Ladder {
    const touch = toUnits(trade.price, this.#market.priceScale);
    const { spread, meanAmount } = this.#tape;
    const ladder = {
      stepUnits: Math.max(1, Math.round(spread / 2)),
      amountUnits: Math.max(1, Math.round(meanAmount)),
    };
    const bid = trade.takerSide === 'sell' ? touch : touch - spread;
    return {
      bids: this.#levels(bid, { ...ladder, direction: -1 }),
      asks: this.#levels(bid + spread, { ...ladder, direction: 1 }),
    };
  }

  #levels(
    bestUnits: number,
    ladder: { direction: 1 | -1; stepUnits: number; amountUnits: number },
  ): Level[] {
    const { priceScale, amountScale } = this.#market;
    const levels: Level[] = [];
    for (let index = 0; index < LADDER_LEVELS; index++) {
      const units = bestUnits + ladder.direction * index * ladder.stepUnits;
      if (units <= 0) break;
      const amount = fromUnits(ladder.amountUnits * (index + 1), amountScale);
      levels.push([fromUnits(units, priceScale), amount]);
    }
    return levels;
  }
}
