import type { OperatorFunction } from 'rxjs';
import type { Candle } from '../../domain/index.ts';
import { type Bar, type Indicator, indicator, lengthOf } from './indicator.ts';
import { RollingSum } from './rolling.ts';

type VolumeBar = Bar & Pick<Candle, 'volume'>;

/** Adds up without losing small terms: Neumaier's compensated sum (1974). */
class CompensatedSum {
  #sum = 0;
  #lost = 0;

  add(value: number): number {
    if (!Number.isFinite(value)) return this.#sum + this.#lost;
    const sum = this.#sum + value;
    const larger = Math.abs(this.#sum) >= Math.abs(value);
    this.#lost += larger ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
    return sum + this.#lost;
  }
}

/**
 * Volume-weighted average of the typical price (high + low + close) / 3, since the first candle.
 */
export class Vwap implements Indicator<VolumeBar, number> {
  readonly #value = new CompensatedSum();
  readonly #volume = new CompensatedSum();

  next({ high, low, close, volume }: VolumeBar): number | undefined {
    const value = ((high + low + close) / 3) * volume;
    // Volume at a price that is not a number would count as traded at 0.
    const total = this.#volume.add(Number.isFinite(value) ? volume : 0);
    const sum = this.#value.add(value);
    return total === 0 ? undefined : sum / total;
  }
}

/**
 * On-balance volume: volume is added on a rising close, subtracted on a falling one; 0 at first.
 */
export class Obv implements Indicator<VolumeBar, number> {
  readonly #sum = new CompensatedSum();
  #previousClose: number | undefined;

  next({ close, volume }: VolumeBar): number {
    if (!Number.isFinite(close)) return this.#sum.add(0);
    const direction = Math.sign(close - (this.#previousClose ?? close));
    this.#previousClose = close;
    return this.#sum.add(direction * volume);
  }
}

/**
 * Money flow index, 0 to 100: the share of money flow (typical price times volume) on rising
 * typical prices, which are (high + low + close) / 3; 50 when nothing moved or traded.
 */
export class Mfi implements Indicator<VolumeBar, number> {
  readonly #risen: RollingSum;
  readonly #fallen: RollingSum;
  #last: number | undefined;

  constructor(length: number) {
    this.#risen = new RollingSum(lengthOf('an MFI', length));
    this.#fallen = new RollingSum(length);
  }

  next({ high, low, close, volume }: VolumeBar): number | undefined {
    const price = (high + low + close) / 3;
    const flow = price * volume;
    if (!Number.isFinite(flow)) return undefined;
    const last = this.#last;
    this.#last = price;
    if (last === undefined) return undefined;
    const risen = this.#risen.next(price > last ? flow : 0);
    const fallen = this.#fallen.next(price < last ? flow : 0);
    if (risen === undefined || fallen === undefined) return undefined;
    return risen + fallen === 0 ? 50 : (100 * risen) / (risen + fallen);
  }
}

/** Volume-weighted average price since the subscription. Warm with the first volume. */
export const vwap = (): OperatorFunction<VolumeBar, number> => indicator(() => new Vwap());

/** On-balance volume since the subscription. Warm at once. */
export const obv = (): OperatorFunction<VolumeBar, number> => indicator(() => new Obv());

/** Money flow index over candles, 0 to 100. Warm after `length` + 1 candles. */
export const mfi = (length = 14): OperatorFunction<VolumeBar, number> =>
  indicator(() => new Mfi(length));
