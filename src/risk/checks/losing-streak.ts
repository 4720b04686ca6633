import type { Refusal } from '../../domain/index.ts';
import { formatDuration } from '../../kernel/index.ts';
import { isSetAnywhere } from '../config.ts';
import { LosingStreaks } from '../losing-streaks.ts';
import type { Check, Review, RiskView } from '../review.ts';
import { askOpening } from './each.ts';

/** After too many losses in a row a market cools down: only what shrinks its position leaves. */
export function losingStreak(view: RiskView): Check {
  const about = {
    code: 'losingStreak',
    scope: 'market',
    describe: 'Refuses for a while, after losses in a row, all that does not shrink the position.',
  } as const;
  if (!isSetAnywhere(view.config, 'lossesInRowMax')) return about;
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
  return { ...about, ...askOpening(refusalOf) };
}
