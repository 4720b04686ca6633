import type { Refusal } from '../../domain/index.ts';
import { blackoutAt } from '../blackouts.ts';
import type { Check, Review } from '../review.ts';
import { askOpening } from './each.ts';

/** In windows of the day that settings name, only what shrinks the market's position leaves. */
export const blackout: Check = {
  code: 'blackout',
  scope: 'market',
  describe: 'Refuses, in windows of the day, all that does not shrink the position.',
  ...askOpening(refusalOf),
};

function refusalOf({ rules: { limits }, nowMs }: Review): Refusal | undefined {
  const { blackouts } = limits;
  const window = blackouts.length === 0 ? undefined : blackoutAt(blackouts, nowMs);
  if (window === undefined) return undefined;
  const days = window.days === undefined ? '' : ` (${window.days.join(', ')})`;
  return {
    code: 'blackout',
    limit: `nothing that opens from ${window.from} to ${window.to} UTC${days}`,
    observed: `${new Date(nowMs).toISOString().slice(11, 16)} UTC`,
    scope: 'market',
  };
}
