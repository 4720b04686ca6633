import { Decimal } from '../kernel/index.ts';
import type { CurrencyLimits } from './config.ts';

/** What sums of doubles may be off, as a part of them. */
export const ROUNDING = 1e-9;

/** A limit of losses that is passed. */
export interface LossBreach {
  readonly key: 'dailyLossMax' | 'drawdownMax';
  /** What was lost, and the limit, for people. */
  readonly what: string;
}

/**
 * The profit of one quote currency, and the limits against which its losses are measured.
 *
 * Exact sums are dear where every tick moves the mark of a position. So it knows how far its profit
 * may move until it has to be judged anew, and doubles tell whether it surely moved less.
 */
export class LossAccount {
  readonly currency: string;
  /** Realized and unrealized, as it was worked out last. */
  net = Decimal.ZERO;
  /** A market where a position is, or was at midnight, whose worth cannot be told. */
  unpriced: string | undefined;
  /** How far the profit has moved since it was worked out, and what that may be off. */
  drift = 0;
  doubt = 0;
  readonly #dailyLossMax: Decimal;
  readonly #drawdownMax: Decimal;
  /** Profit at midnight UTC, or at the first look after it; undefined: take it at the next look. */
  #dayStart: Decimal | undefined;
  #peak: Decimal | undefined;
  /** Between these a move passes no limit and makes no new high. */
  #quietFrom = Number.NaN;
  #quietTo = Number.NaN;

  /** `start`: the profit that its counts begin with; undefined: that of the next look. */
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

  /** A new day begins, or a person has reset the losses: then the highest profit counts anew too. */
  turnPage({ isReset }: { readonly isReset: boolean }): void {
    this.#dayStart = undefined;
    if (isReset) this.#peak = undefined;
  }

  /** Counts from `dayStart` on where it counts anew. Default: from the profit of now. */
  takeUp(dayStart: () => Decimal | undefined): void {
    this.#dayStart ??= dayStart() ?? this.net;
    this.#peak = higher(this.#peak ?? this.#dayStart, this.net);
  }

  /** The limits that the profit of now passes. */
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

  /** Notes how far the profit may move until it has to be judged again. */
  settle(): void {
    const { net } = this;
    const high = this.#peak ?? net;
    const ofDay = (this.#dayStart ?? net).minus(this.#dailyLossMax).minus(net).toNumber();
    const ofPeak = high.minus(this.#drawdownMax).minus(net).toNumber();
    this.#quietFrom = Math.max(ofDay, ofPeak) * (1 - ROUNDING);
    this.#quietTo = high.minus(net).toNumber() * (1 - ROUNDING);
  }

  /** Whether what moved it surely passes no limit and makes no new high. */
  get isQuiet(): boolean {
    const { drift, doubt } = this;
    return drift === 0 || (drift - doubt > this.#quietFrom && drift + doubt < this.#quietTo);
  }
}

function higher(a: Decimal, b: Decimal): Decimal {
  return a.compare(b) >= 0 ? a : b;
}
