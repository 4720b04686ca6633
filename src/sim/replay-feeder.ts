import {
  amountOf,
  isPrice,
  type Level,
  type LevelChange,
  type MarketRecord,
  priceOf,
  type RecordedTrade,
} from '../domain/index.ts';
import { SimulationError } from './errors.ts';
import type { Liquidity } from './liquidity.ts';
import { TapeBook } from './replay-tape-book.ts';

/**
 * Applies records to a simulated market.
 *
 * Recorded depth is taken as it is. Where there is none (a tape of trades; a recording after its
 * depth broke, until the next whole book) a `TapeBook` stands in. Amounts, and prices of trades,
 * that are finer than the market's scales are rounded to the nearest.
 */
export class ReplayFeeder {
  readonly #liquidity: Liquidity;
  readonly #tape: TapeBook;
  #hasDepth: boolean;

  /** `sample`: the first records. They tell whether there is depth, and the tape's first spread. */
  constructor(liquidity: Liquidity, sample: readonly MarketRecord[]) {
    this.#liquidity = liquidity;
    this.#tape = new TapeBook(liquidity.market);
    this.#hasDepth = sample.some(({ kind }) => kind === 'book' || kind === 'levels');
    for (const record of sample) {
      if (record.kind === 'trade' && canBe(record)) this.#tape.observe(record);
    }
  }

  /** @throws {SimulationError} when depth has prices that the market can't hold. */
  apply(record: MarketRecord): void {
    switch (record.kind) {
      case 'trade':
        this.#trade(record);
        break;
      case 'book':
        this.#hasDepth = true;
        this.#liquidity.replace({
          bids: record.bids.map((level) => this.#level(level)),
          asks: record.asks.map((level) => this.#level(level)),
        });
        break;
      case 'levels':
        this.#changes(record.changes);
        break;
      case 'gap':
        this.#hasDepth = false;
        break;
      default:
        record satisfies never;
    }
  }

  /** A tape book moves first: levels between it and the trade must have been gone by then. */
  #trade(record: RecordedTrade): void {
    const { market } = this.#liquidity;
    if (!canBe(record)) return;
    const { takerSide } = record;
    const price = priceOf(market, record.price);
    const amount = amountOf(market, record.amount, 'nearest');
    this.#tape.observe(record);
    if (price === 0) return;
    if (!this.#hasDepth) this.#liquidity.replace(this.#tape.around({ takerSide, price }));
    if (amount > 0) this.#liquidity.print({ takerSide, price, amount });
  }

  /** Removes levels before it adds others, so that the book is never crossed by its own past. */
  #changes(changes: readonly LevelChange[]): void {
    if (!this.#hasDepth) this.#liquidity.replace({ bids: [], asks: [] });
    this.#hasDepth = true;
    const levels = changes.map(([side, ...level]) => {
      const [price, amount] = this.#level(level);
      return { side, price, amount };
    });
    this.#liquidity.setLevels([
      ...levels.filter(({ amount }) => amount === 0),
      ...levels.filter(({ amount }) => amount > 0),
    ]);
  }

  /** Two prices rounded to one would be one level too few: depth is taken on scale or not at all. */
  #level([price, amount]: Level): Level {
    const { market } = this.#liquidity;
    if (isPrice(market, price)) return [price, amountOf(market, amount, 'nearest')];
    throw new SimulationError(
      `Cannot replay the depth of ${market.id}: it has the price ${price}, ` +
        `at most ${market.priceScale} decimals are wanted`,
    );
  }
}

/** Whether a print makes sense: feeds have some with prices up to 0 or negative amounts. */
function canBe({ price, amount }: RecordedTrade): boolean {
  return price > 0 && amount >= 0;
}
