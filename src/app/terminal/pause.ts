import { firstValueFrom, timer } from 'rxjs';
import type { Clock } from '../../kernel/index.ts';

/** Lets time pass. */
export async function pause(clock: Clock, durationMs: number): Promise<void> {
  await firstValueFrom(timer(durationMs, clock));
}
