import type { Engine } from '../../../engine/index.ts';
import { SECOND_MS, type VirtualClock } from '../../../kernel/index.ts';

export interface SecondTriesParts {
  readonly clock: VirtualClock;
  readonly engine: Pick<Engine, 'askAgain' | 'isRefused'>;
}

/**
 * Has wishes that risk refused put forward again once a second, as a live run does: at whole ones in
 * UTC, wherever the run began. Where nothing happens nothing changes for them, and no timer is kept.
 */
export class SecondTries {
  readonly #parts: SecondTriesParts;
  #isDue = false;

  constructor(parts: SecondTriesParts) {
    this.#parts = parts;
  }

  /** Something happened, in whichever market: what is refused by now is tried at the next second. */
  note(): void {
    const { clock, engine } = this.#parts;
    if (this.#isDue || !engine.isRefused) return;
    this.#isDue = true;
    clock.schedule(
      () => {
        this.#isDue = false;
        engine.askAgain();
      },
      SECOND_MS - (clock.now() % SECOND_MS),
    );
  }
}
