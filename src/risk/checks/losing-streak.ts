import type { Refusal } from '../../domain/index.ts';
import { formatDuration } from '../../kernel/index.ts';
import { isSetAnywhere } from '../config.ts';
import { LosingStreaks } from '../losing-streaks.ts';
import type { Check, Review, RiskView } from '../review.ts';
import { ofOpening } from './each.ts';

/** After too many losses in a row a market cools down: only what shrinks its position leaves. */
export function losingStreak(view: RiskView): Check {
  if (!isSetAnywhere(view.config, 'lossesInRowMax')) return { code: 'losingStreak' };
  const streaks = new LosingStreaks(view);
  const refusalOf = ({ rules: { market, limits }, nowMs }: Review): Refusal | undefined => {
    const { lossesInRowMax, lossPauseMs } = limits;
    if (lossesInRowMax === undefined) return undefined;
    const streak = streaks.of(market.id);
    if (streak === undefined || streak.row <= lossesInRowMax) return undefined;
    if (nowMs >= streak.lostMs + lossPauseMs) return undefined;
    const limit = `${lossesInRowMax} losses in a row, then ${formatDuration(lossPauseMs)} of rest`;
    return { code: 'losingStreak', limit, observed: `${streak.row} in a row`, scope: 'market' };
  };
  return { code: 'losingStreak', ask: ofOpening(refusalOf) };
}
