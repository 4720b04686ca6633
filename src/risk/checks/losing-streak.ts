import { formatDuration } from '../../kernel/index.ts';
import { isSetAnywhere } from '../config.ts';
import { LosingStreaks } from '../losing-streaks.ts';
import type { Check, Objection, Review, RiskView } from '../review.ts';
import { ofOpening } from './each.ts';

/**
 * After too many losses in a row a market cools down: only orders that shrink its position leave.
 */
export function losingStreak(view: RiskView): Check {
  const check = { code: 'losingStreak', scope: 'market' } as const;
  if (!isSetAnywhere(view.config, 'lossesInRowMax')) return check;
  const streaks = new LosingStreaks(view);
  const objectionTo = ({ rules: { market, limits }, nowMs }: Review): Objection | undefined => {
    const { lossesInRowMax, lossPauseMs } = limits;
    if (lossesInRowMax === undefined) return undefined;
    const streak = streaks.of(market.id);
    if (streak === undefined || streak.row <= lossesInRowMax) return undefined;
    if (nowMs >= streak.lostMs + lossPauseMs) return undefined;
    const limit = `${lossesInRowMax} losses in a row, then ${formatDuration(lossPauseMs)} of rest`;
    return { limit, observed: `${streak.row} in a row` };
  };
  return { ...check, ask: ofOpening(objectionTo) };
}
