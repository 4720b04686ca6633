import { firstValueFrom, timer } from 'rxjs';
import type { Clock } from '../../kernel/index.ts';

/**
 * Least pause between two requests of a command that sends many. Counted from an answer to the next
 * request, 40 a second leave at most: what else the key does still has room below its 60.
 */
export const PACE_MS = 25;

/** Lets time pass. */
export async function pause(clock: Clock, durationMs: number): Promise<void> {
  await firstValueFrom(timer(durationMs, clock));
}
