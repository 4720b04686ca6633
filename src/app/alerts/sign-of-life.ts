import { type Subscription, timer } from 'rxjs';
import type { Clock, Logger } from '../../kernel/index.ts';
import type { Posted } from './post.ts';

export interface SignOfLifeOptions {
  readonly clock: Clock;
  /** Told once whenever calls begin to fail. */
  readonly logger: Logger;
  readonly call: () => Promise<Posted>;
  readonly everyMs: number;
  /** The environment variable that holds the address. */
  readonly variable: string;
}

/**
 * Calls an address at intervals, for a service that alerts when the calls stop. Nobody else can
 * tell that a run was killed, hangs, or has lost its machine or its network.
 */
export function signsOfLife(options: SignOfLifeOptions): Subscription {
  const { clock, logger, call, everyMs, variable } = options;
  let isFailing = false;
  const note = (posted: Posted): void => {
    const isOver = signs.closed;
    const failed = posted.kind !== 'taken';
    if (failed && !isFailing && !isOver) {
      const { reason } = posted;
      logger.warn(
        { reason },
        `Cannot call the address in ${variable}: ${reason}; it is tried again`,
      );
    } else if (!failed && isFailing) logger.info({}, `the address in ${variable} answers again`);
    isFailing = failed;
  };
  const signs = timer(0, everyMs, clock).subscribe(() => void call().then(note));
  return signs;
}
