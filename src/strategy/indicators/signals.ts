import { distinctUntilChanged, filter, map, type OperatorFunction, startWith } from 'rxjs';
import { type DataStream, type Depth, midOf } from '../../domain/index.ts';
import type { Freshness } from '../context.ts';
import { type Indicator, indicator } from './indicator.ts';
import { RollingMoments } from './rolling.ts';

/** Which way the first of two lines crossed the second. */
export type Cross = 'up' | 'down';

/** Says when the first of two lines goes from below the second to above it, or back. */
export class Crossover {
  #side: Cross | undefined;

  /**
   * The cross that the newest values make, if any. Touching is not crossing, nor is the side on
   * which the lines start. While a line is not warm yet (undefined), nothing happens.
   */
  next(first: number | undefined, second: number | undefined): Cross | undefined {
    if (first === undefined || second === undefined) return undefined;
    const side = first > second ? 'up' : first < second ? 'down' : this.#side;
    const crossed = this.#side !== undefined && side !== this.#side;
    this.#side = side;
    return crossed ? side : undefined;
  }
}

/** The change from one value to the next, as a fraction of the former. */
export class Returns implements Indicator<number, number> {
  #last: number | undefined;

  next(value: number): number | undefined {
    if (!Number.isFinite(value)) return undefined;
    const last = this.#last;
    this.#last = value;
    return last === undefined ? undefined : value / last - 1;
  }
}

/** Population deviation of the newest `length` returns: a fraction of the price, per value. */
export class Volatility implements Indicator<number, number> {
  readonly #returns = new Returns();
  readonly #moments: RollingMoments;

  constructor(length: number) {
    this.#moments = new RollingMoments(length);
  }

  next(value: number): number | undefined {
    const change = this.#returns.next(value);
    return change === undefined ? undefined : this.#moments.next(change)?.deviation;
  }
}

/** Emits `up` or `down` when the first of a pair crosses the second. Warm with the first cross. */
export const crossover = (): OperatorFunction<readonly [number, number], Cross> =>
  indicator(() => {
    const step = new Crossover();
    return { next: ([first, second]) => step.next(first, second) };
  });

/** The change from value to value as a fraction: 0.01 is one percent. Warm after 2 values. */
export const returns = (): OperatorFunction<number, number> => indicator(() => new Returns());

/** Population deviation of the newest `length` returns. Warm after `length` + 1 values. */
export const volatility = (length: number): OperatorFunction<number, number> =>
  indicator(() => new Volatility(length));

/** The price halfway between best bid and ask; nothing while a side is empty. Warm at once. */
export const midPrice = (): OperatorFunction<Depth, number> => indicator(() => ({ next: midOf }));

/** Whether a market's stream is fresh, said at each change; true at first. Warm at once. */
export const isFresh =
  (stream: DataStream): OperatorFunction<Freshness, boolean> =>
  (source) =>
    source.pipe(
      filter((word) => word.stream === stream),
      map((word) => word.fresh),
      startWith(true),
      distinctUntilChanged(),
    );
