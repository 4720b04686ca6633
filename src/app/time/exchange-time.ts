import { Subject } from 'rxjs';
import type { Clock } from '../../kernel/index.ts';
import type { TimeConfig } from '../config/time.ts';
import { pass } from './drive.ts';
import { RehearsalClock } from './rehearsal-clock.ts';
import { ScaledClock } from './scaled-clock.ts';

/** The time that a served exchange lives in. */
export interface ExchangeTime {
  readonly mode: TimeConfig['mode'];
  /** Milliseconds of the exchange for one real one; 0 where it moves only when told. */
  readonly scale: number;
  readonly clock: Clock;
  /** How far pending work holds the clock behind where it should be, milliseconds. */
  behindMs(): number;
  /** Moves the time forward; done when all that fell due has run. Absent in real time. */
  readonly advance?: (durationMs: number) => Promise<void>;
  /** Ends it; what is under way is cut short. */
  stop(): void;
}

/** Opens the time that is configured; `base` is the real one. */
export function openTime(config: TimeConfig, base: Clock): ExchangeTime {
  const startMs = config.start === undefined ? base.now() : Date.parse(config.start);
  switch (config.mode) {
    case 'real':
      return { mode: 'real', scale: 1, clock: base, behindMs: () => 0, stop: () => {} };
    case 'scaled':
      return scaledTime(new ScaledClock({ base, scale: config.scale ?? 1, startMs }));
    case 'stepped':
      return steppedTime(new SteppedClock(startMs));
    default:
      return config.mode satisfies never;
  }
}

function scaledTime(clock: ScaledClock): ExchangeTime {
  const { scale } = clock;
  return {
    mode: 'scaled',
    scale,
    clock,
    behindMs: () => clock.behindMs,
    advance: (durationMs) =>
      new Promise((resolve) => {
        clock.schedule(() => resolve(), durationMs);
        clock.leap(durationMs);
      }),
    stop: () => clock.stop(),
  };
}

/** Steps run one after another, even if they are asked for at once. */
function steppedTime(clock: SteppedClock): ExchangeTime {
  const stopped = new Subject<void>();
  let steps = Promise.resolve();
  const step = async (durationMs: number): Promise<void> => {
    if (stopped.closed) return;
    const targetMs = clock.now() + durationMs;
    await pass(clock, { durationMs, until: stopped });
    if (!stopped.closed) clock.advanceTo(targetMs);
  };
  return {
    mode: 'stepped',
    scale: 0,
    clock,
    behindMs: () => 0,
    advance: (durationMs) => {
      const next = steps.then(() => step(durationMs));
      steps = next.catch(() => {});
      return next;
    },
    stop: () => {
      stopped.next();
      stopped.complete();
      stopped.unsubscribe();
    },
  };
}

/** A clock that moves only when told, in whole milliseconds, as an exchange stamps them. */
class SteppedClock extends RehearsalClock {
  /** Puts an action into the queue. Called by the actions themselves. */
  override enqueue(action: Parameters<RehearsalClock['enqueue']>[0], delayMs: number): void {
    super.enqueue(action, Math.ceil(delayMs));
  }
}
