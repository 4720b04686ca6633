import type { Level, Market, RecordedTrade, Side } from '../domain/index.ts';
import { fromUnits, toUnits } from '../kernel/index.ts';

/** Levels a side: what the exchange shows at its deepest is 50, and nobody sees beyond 20 here. */
export const LADDER_LEVELS = 20;
/** Weight of the newest observation in the running means: about the last 20 count. */
const WEIGHT = 0.1;
/** Spread as a part of the price before any bounce was seen: 5 basis points, a guess. */
const SPREAD_GUESS = 0.000_5;

/** Both sides of a book, best first. */
export interface Ladder {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/**
 * A resting book for a tape that has none, made from the tape itself.
 *
 * - A buyer takes the best ask, a seller the best bid: the trade's price is one side's best, the
 *   other side's lies one spread away. The book stands so when the trade happens, and the trade
 *   takes from it.
 * - The spread is a running mean of the bounce: the last buyer's price less the last seller's, seen
 *   where the taker's side changes.
 * - Behind the best price lie `LADDER_LEVELS` levels half a spread apart. The best holds a running
 *   mean of the tape's amounts, the second twice, the third three times that much.
 *
 * What it does not model: real depth and its holes; makers that flee before a move or wait after it
 * (each trade finds the whole ladder restored around it); the trace that own orders would leave in
 * the market. Good for trying out a bot, not for judging a strategy that lives off the queue.
 */
export class TapeBook {
  readonly #market: Market;
  readonly #last: { [side in Side]?: number } = {};
  #spread: number | undefined;
  #amount: number | undefined;
  #takerSide: Side | undefined;

  constructor(market: Market) {
    this.#market = market;
  }

  /** Learns from a trade. */
  observe(trade: RecordedTrade): void {
    this.#last[trade.takerSide] = trade.price;
    this.#amount = mean(this.#amount, trade.amount);
    if (this.#takerSide !== undefined && this.#takerSide !== trade.takerSide) {
      const bounce = this.#last.buy! - this.#last.sell!;
      if (bounce > 0) this.#spread = mean(this.#spread, bounce);
    }
    this.#takerSide = trade.takerSide;
  }

  /** The book in which a trade takes place. `price` is on the market's scale. */
  around(trade: { readonly takerSide: Side; readonly price: number }): Ladder {
    const { priceScale, amountScale } = this.#market;
    const touch = toUnits(trade.price, priceScale);
    const spread = this.#spread ?? trade.price * SPREAD_GUESS;
    const spreadUnits = Math.max(1, Math.round(spread * 10 ** priceScale));
    const ladder = {
      stepUnits: Math.max(1, Math.round(spreadUnits / 2)),
      amountUnits: Math.max(1, Math.round((this.#amount ?? 0) * 10 ** amountScale)),
    };
    const bid = trade.takerSide === 'sell' ? touch : touch - spreadUnits;
    return {
      bids: this.#levels(bid, { ...ladder, direction: -1 }),
      asks: this.#levels(bid + spreadUnits, { ...ladder, direction: 1 }),
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

function mean(before: number | undefined, value: number): number {
  return before === undefined ? value : before + WEIGHT * (value - before);
}
