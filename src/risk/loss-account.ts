import { Decimal } from '../kernel/index.ts';
import type { CurrencyLimits } from './config.ts';

/** Largest relative error of sums of doubles. */
export const ROUNDING = 1e-9;

/** A passed limit of losses. */
export interface LossBreach {
  readonly key: 'dailyLossMax' | 'drawdownMax';
  /** The loss and the limit, for people. */
  readonly what: string;
}

/**
 * The profit of one quote currency, and the limits against which its losses are measured.
 *
 * Exact sums are too slow for every tick that moves the mark of a position. So the account knows
 * how far its profit may move before it must be judged again; doubles tell whether it surely moved
 * less.
 */
export class LossAccount {
  readonly currency: string;
  /** Realized and unrealized profit, as last worked out. */
  net = Decimal.ZERO;
  /** A market whose position, of now or of midnight, has no known value. */
  unpriced: string | undefined;
  /** How far the profit has moved since it was worked out, and the largest error of that. */
  drift = 0;
  doubt = 0;
  readonly #dailyLossMax: Decimal;
  readonly #drawdownMax: Decimal;
  /**
   * Profit at midnight UTC, or at the first look after it; undefined: to be taken at the next look.
   */
  #dayStart: Decimal | undefined;
  #peak: Decimal | undefined;
  /** A move of the profit between these passes no limit and makes no new high. */
  #quietFrom = Number.NaN;
  #quietTo = Number.NaN;

  /** `start`: the profit from which it counts; undefined: the profit at the next look. */
  constructor(
    currency: string,
    { limits, start }: { readonly limits: CurrencyLimits; readonly start: Decimal | undefined },
  ) {
    this.currency = currency;
    this.#dailyLossMax = Decimal.of(limits.dailyLossMax);
    this.#drawdownMax = Decimal.of(limits.drawdownMax);
    this.#dayStart = start;
    this.#peak = start;
  }

  /**
   * A new day begins, or a person has reset the losses; a reset also restarts the highest profit.
   */
  turnPage({ isReset }: { readonly isReset: boolean }): void {
    this.#dayStart = undefined;
    if (isReset) this.#peak = undefined;
  }

  /** Takes the profit from which a new count starts, if one is due. Default: the present profit. */
  takeUp(dayStart: () => Decimal | undefined): void {
    this.#dayStart ??= dayStart() ?? this.net;
    this.#peak = higher(this.#peak ?? this.#dayStart, this.net);
  }

  /** The limits that the present profit passes. */
  breaches(): readonly LossBreach[] {
    const { net, currency } = this;
    const found: LossBreach[] = [];
    const loss = (this.#dayStart ?? net).minus(net);
    if (loss.compare(this.#dailyLossMax) > 0) {
      const what = `daily loss of ${loss} ${currency}, at most ${this.#dailyLossMax}`;
      found.push({ key: 'dailyLossMax', what });
    }
    const drawdown = (this.#peak ?? net).minus(net);
    if (drawdown.compare(this.#drawdownMax) > 0) {
      const what = `drawdown of ${drawdown} ${currency}, at most ${this.#drawdownMax}`;
      found.push({ key: 'drawdownMax', what });
    }
    return found;
  }

  /** Works out how far the profit may move before it must be judged again. */
  settle(): void {
    const { net } = this;
    const high = this.#peak ?? net;
    const ofDay = (this.#dayStart ?? net).minus(this.#dailyLossMax).minus(net).toNumber();
    const ofPeak = high.minus(this.#drawdownMax).minus(net).toNumber();
    this.#quietFrom = Math.max(ofDay, ofPeak) * (1 - ROUNDING);
    this.#quietTo = high.minus(net).toNumber() * (1 - ROUNDING);
  }

  /** Whether its move surely passes no limit and makes no new high. */
  get isQuiet(): boolean {
    const { drift, doubt } = this;
    return drift === 0 || (drift - doubt > this.#quietFrom && drift + doubt < this.#quietTo);
  }
}

function higher(a: Decimal, b: Decimal): Decimal {
  return a.compare(b) >= 0 ? a : b;
}
