import type { TradingEvent } from '../../../domain/index.ts';
import type { Engine } from '../../../engine/index.ts';
import { type Bus, SECOND_MS, type VirtualClock } from '../../../kernel/index.ts';

interface SecondTriesParts {
  readonly clock: VirtualClock;
  readonly bus: Bus<TradingEvent>;
  readonly engine: Pick<Engine, 'askAgain' | 'isRefused'>;
}

/**
 * Puts wishes that risk refused forward again once a second, as a live run does: at whole seconds
 * in UTC, wherever the run began. It needs no row, because pauses end by time alone. While nothing
 * is refused there is no timer.
 */
export function trySeconds({ clock, bus, engine }: SecondTriesParts): void {
  let isDue = false;
  const tryNext = (): void => {
    if (isDue || !engine.isRefused) return;
    isDue = true;
    clock.schedule(
      () => {
        isDue = false;
        engine.askAgain();
        tryNext();
      },
      SECOND_MS - (clock.now() % SECOND_MS),
    );
  };
  bus.listen('refusal', tryNext);
}
