import type { TradingEvent } from '../../../domain/index.ts';
import { type Bus, counted } from '../../../kernel/index.ts';
import type { ShownNames } from './shown-names.ts';

/**
 * Counts wishes that come while no row is played, as from a promise: how many rows were played by
 * then is up to the machine, and no two runs need be alike.
 */
export class StrayWishes {
  readonly #counts = new Map<string, number>();
  readonly #names: ShownNames;
  #isWaiting = false;

  constructor(bus: Bus<TradingEvent>, names: ShownNames) {
    this.#names = names;
    bus.on('intent').subscribe(({ strategy }) => {
      if (this.#isWaiting) this.#counts.set(strategy, (this.#counts.get(strategy) ?? 0) + 1);
    });
  }

  /** Rows are played, and all that follows from them. */
  readonly played = (play: () => void): void => {
    this.#isWaiting = false;
    play();
    this.#isWaiting = true;
  };

  /** The last row was played: the run ends by itself from then on. */
  end(): void {
    this.#isWaiting = false;
  }

  /** A sentence for each strategy that made some. */
  notes(): string[] {
    return Array.from(this.#counts, ([strategy, count]) => {
      const name = this.#names.get(strategy) ?? strategy;
      const wishes = counted(count, 'time');
      return (
        `Strategy ${name} wished ${wishes} outside of its events, as on a promise or a timer of the ` +
        "machine's: when that comes to pass hangs on the machine, and the next run may differ."
      );
    });
  }
}
