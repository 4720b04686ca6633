import { defer, filter, map, type OperatorFunction } from 'rxjs';
import type { Candle } from '../../domain/index.ts';
import { StrategyError } from '../errors.ts';
import { requireKnown } from '../require-known.ts';

/** An indicator as a plain step in constant time: one input, one output. */
export interface Indicator<I, O> {
  /**
   * The output after one more input. Undefined until there is enough history ("warm"), and for a
   * number that is not finite, such as the mid price of a book without asks: it is skipped.
   */
  next(input: I): O | undefined;
}

/** Upper, middle and lower line of a channel around the price. */
export interface Bands {
  readonly upper: number;
  readonly middle: number;
  readonly lower: number;
}

/** The fields of a candle that indicators use. */
export type Bar = Pick<Candle, 'high' | 'low' | 'close'>;

/**
 * An indicator as an operator: emits nothing until warm, then one output for each input.
 * `make` is called for each subscription, so that no two share their state.
 */
export function indicator<I, O>(make: () => Indicator<I, O>): OperatorFunction<I, O> {
  return (source) =>
    defer(() => {
      const step = make();
      return source.pipe(
        map((input) => step.next(input)),
        filter((output): output is O & {} => output !== undefined),
      );
    });
}

/** The input as it came, for `together`: `together(() => [itself, new Volatility(50)])`. */
export const itself: Indicator<number, number> = { next: (value) => value };

type Outputs<T extends readonly Indicator<never, unknown>[]> = {
  -readonly [K in keyof T]: T[K] extends Indicator<never, infer O> ? O : never;
};

/**
 * Several indicators over one stream, side by side: emits all their outputs at once, from when the
 * slowest is warm. `together(() => [new Ema(12), new Ema(26)])` emits `[fast, slow]`.
 */
export function together<I, const T extends readonly Indicator<I, unknown>[]>(
  make: () => T,
): OperatorFunction<I, Outputs<T>> {
  return indicator(() => {
    const steps = make();
    return {
      next(input: I): Outputs<T> | undefined {
        const outputs = steps.map((step) => step.next(input));
        return outputs.includes(undefined) ? undefined : (outputs as Outputs<T>);
      },
    };
  });
}

/** Checks the length of an indicator. @throws {StrategyError} when it is not whole and positive. */
export function lengthOf(name: string, length: number): number {
  if (Number.isInteger(length) && length > 0) return length;
  throw new StrategyError(
    `Cannot compute ${name}: its length is ${length}, a whole number of at least 1 is wanted`,
  );
}

/**
 * Checks the options of an indicator: a misspelt one would leave its default in force.
 *
 * @throws {StrategyError} when they are no object, or one of them is not known.
 */
export function optionsOf<T extends object>(
  name: string,
  options: T,
  known: readonly (keyof T & string)[],
): T {
  requireKnown(`compute ${name}`, options, known);
  return options;
}
