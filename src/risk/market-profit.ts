import type { Position } from '../domain/index.ts';
import type { Decimal } from '../kernel/index.ts';
import { type LossAccount, ROUNDING } from './loss-account.ts';
import { exactMark, type MarkBefore, markGrain, markOf } from './mark.ts';
import type { RiskView } from './review.ts';

/** The inputs of a profit. */
export interface ProfitSource {
  readonly market: string;
  readonly position: Position;
  /**
   * The price at which the position is valued; undefined while none is known: it counts at its
   * cost.
   */
  readonly mark: number | undefined;
  /** The account of the market's quote currency; undefined where the market is not known. */
  readonly account: LossAccount | undefined;
}

/**
 * The net profit of one market as last worked out exactly; doubles follow how far it moved since.
 */
export class MarketProfit implements MarkBefore {
  readonly market: string;
  readonly position: Position;
  readonly mark: number | undefined;
  readonly account: LossAccount | undefined;
  readonly net: Decimal;
  /** The newest mark, perhaps newer than the exact profit. */
  before: number | undefined;
  /** The last traded price at the time of that mark. */
  told: number | undefined;
  readonly #netDouble: number;
  /** A tenth of the market's price step. */
  readonly #grain: number;
  /** The present holding, perhaps newer than the exact profit. */
  #held: HeldDoubles;

  constructor(view: RiskView, { market, position, mark, account }: ProfitSource) {
    const priceScale = priceScaleOf(view, market);
    this.market = market;
    this.position = position;
    this.mark = mark;
    this.account = account;
    this.net =
      mark === undefined
        ? position.realizedProfit.minus(position.fees)
        : view.positions.profit(market, exactMark(mark, priceScale)).net;
    this.#netDouble = this.net.toNumber();
    this.#grain = markGrain(priceScale);
    this.#held = heldDoubles(position);
    this.before = mark;
    this.told = view.prices.last(market);
  }

  /** Takes the present mark, following the previous one. */
  markAnew(view: RiskView): number | undefined {
    const last = view.prices.last(this.market);
    this.before = markOf(view, this, last);
    this.told = last;
    return this.before;
  }

  /** Whether the exact profit was worked out of these. */
  isOf({ position, mark }: Pick<ProfitSource, 'position' | 'mark'>): boolean {
    return this.position === position && this.mark === mark;
  }

  /** Adds its move since then to its account; false where doubles cannot tell. */
  follow(view: RiskView): boolean {
    const position = view.positions.position(this.market);
    if (this.#held.position !== position) this.#held = heldDoubles(position);
    const isSamePosition = position === this.position;
    if (isSamePosition && this.#held.amount === 0) return true;
    const mark = this.markAnew(view);
    if (isSamePosition && mark === this.mark) return true;
    if (mark === undefined || this.mark === undefined || this.account === undefined) return false;
    const { account } = this;
    const { amount, rest, sums } = this.#held;
    const size = Math.abs(amount);
    account.doubt += size * this.#grain;
    if (isSamePosition) {
      account.drift += amount * (mark - this.mark);
      account.doubt += ROUNDING * size * (mark + this.mark);
    } else {
      account.drift += rest + amount * mark - this.#netDouble;
      account.doubt += ROUNDING * (sums + size * mark + Math.abs(this.#netDouble));
    }
    return true;
  }
}

/** The decimal places of a market's prices; 0 where the market is not known. */
export function priceScaleOf({ markets }: RiskView, market: string): number {
  return markets.get(market)?.priceScale ?? 0;
}

interface HeldDoubles {
  readonly position: Position;
  readonly amount: number;
  /** The net profit without the value of the amount held. */
  readonly rest: number;
  /** The sum of the absolute terms of `rest`, which bounds its rounding error. */
  readonly sums: number;
}

function heldDoubles(position: Position): HeldDoubles {
  const amount = position.amount.toNumber();
  const [cost, fees] = [position.cost.toNumber(), position.fees.toNumber()];
  const realized = position.realizedProfit.toNumber();
  const sums = Math.abs(realized) + Math.abs(cost) + Math.abs(fees);
  return { position, amount, rest: realized - cost - fees, sums };
}
