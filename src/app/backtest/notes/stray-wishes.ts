import { defer, type Observable } from 'rxjs';
import type { TradingEvent } from '../../../domain/index.ts';
import type { StrategyInstance } from '../../../engine/index.ts';
import { type Bus, counted } from '../../../kernel/index.ts';
import type { StrategyContext } from '../../../strategy/index.ts';
import type { ShownNames } from '../record/shown-names.ts';

/**
 * Counts wishes made while no row is played, as after a promise, and notes strategies that begin to
 * listen then. How many rows were played by then depends on the machine, so that runs may differ.
 */
export class StrayWishes {
  readonly #counts = new Map<string, number>();
  readonly #late = new Set<string>();
  readonly #names: ShownNames;
  #isWaiting = false;

  constructor(names: ShownNames) {
    this.#names = names;
  }

  /** Counts the stray wishes on a bus. */
  count(bus: Bus<TradingEvent>): void {
    bus.on('intent').subscribe(({ strategy }) => {
      if (this.#isWaiting) this.#counts.set(strategy, (this.#counts.get(strategy) ?? 0) + 1);
    });
  }

  /** The strategy, watched for when it begins to listen to market data. */
  watched(instance: StrategyInstance): StrategyInstance {
    const { name, definition } = instance;
    const note = <T>(stream: Observable<T>): Observable<T> =>
      defer(() => {
        if (this.#isWaiting) this.#late.add(name);
        return stream;
      });
    const run = (context: StrategyContext): ReturnType<typeof definition.run> =>
      definition.run({
        ...context,
        depth: (...asked) => note(context.depth(...asked)),
        ticker: (...asked) => note(context.ticker(...asked)),
        trades: (...asked) => note(context.trades(...asked)),
        candles: (...asked) => note(context.candles(...asked)),
      });
    return { ...instance, definition: { ...definition, run } };
  }

  /** The bot has started: from here on only played rows should call a strategy. */
  begin(): void {
    this.#isWaiting = true;
  }

  /** Plays rows and all that follows from them: wishes made meanwhile are no strays. */
  readonly played = (play: () => void): void => {
    this.#isWaiting = false;
    play();
    this.#isWaiting = true;
  };

  /** The last row was played: the run ends by itself from then on. */
  end(): void {
    this.#isWaiting = false;
  }

  /** A sentence for each strategy that did either. */
  notes(): string[] {
    const wished = Array.from(this.#counts, ([strategy, count]) => {
      return { strategy, did: `wished ${counted(count, 'time')} outside of the events of the run` };
    });
    const listened = Array.from(this.#late, (strategy) => {
      return { strategy, did: 'began to listen to market data outside of the events of the run' };
    });
    return [...wished, ...listened].map(
      ({ strategy, did }) =>
        `Strategy ${this.#names.get(strategy) ?? strategy} ${did}, as after a promise or a ` +
        'timer of the machine: when that happens depends on the machine, and the next run may differ.',
    );
  }
}
