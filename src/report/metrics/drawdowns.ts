import type { Curve } from '../curve-meter.ts';
import { curveMetric, type FamilyMetric, type Measured } from './metric.ts';
import { RUINED } from './returns.ts';

const NONE = 'there was no drawdown';

export const DRAWDOWN_METRICS: readonly FamilyMetric[] = [
  curveMetric({
    id: 'maxDrawdown',
    label: 'Max drawdown',
    unit: 'fraction',
    better: 'more',
    definition:
      'The deepest fall of the equity below its highest value so far, as a fraction of that ' +
      'peak, over every sample of the curve.',
    of: ofDeepest(({ drawdown }) => ({ value: drawdown.depth })),
  }),
  curveMetric({
    id: 'maxDrawdownAmount',
    label: 'Max drawdown, money',
    unit: 'quote',
    better: 'more',
    definition: 'What the deepest drawdown lost, in the currency of the account.',
    of: ofDeepest(({ drawdown }) => ({ value: drawdown.amount })),
  }),
  curveMetric({
    id: 'maxDrawdownLength',
    label: 'Max drawdown, length',
    unit: 'duration',
    better: 'less',
    definition:
      'Time from the peak before the deepest drawdown until that peak was reached again, or ' +
      'until the end.',
    of: ofDeepest(lengthOf),
  }),
  curveMetric({
    id: 'maxDrawdownRecovery',
    label: 'Max drawdown, recovery',
    unit: 'duration',
    better: 'less',
    definition:
      'Time from the lowest point of the deepest drawdown until its peak was reached again.',
    of: ofDeepest(({ drawdown: { depth, recoveryTime, troughTime } }) => {
      if (depth === 0) return { reason: NONE };
      if (recoveryTime === undefined) return { reason: 'not recovered by the end' };
      return { value: recoveryTime - troughTime };
    }),
  }),
  curveMetric({
    id: 'longestDrawdown',
    label: 'Longest drawdown',
    unit: 'duration',
    better: 'less',
    definition: 'The longest time from any peak until it was reached again, or until the end.',
    of: ({ drawdown }) => ({ value: drawdown.longestMs }),
  }),
];

/** A figure of the deepest drawdown, which is unknown if one began at zero or below. */
function ofDeepest(measure: (curve: Curve) => Measured) {
  return (curve: Curve): Measured =>
    Number.isFinite(curve.drawdown.depth) ? measure(curve) : { reason: RUINED };
}

function lengthOf({ drawdown, endTime }: Curve): Measured {
  if (drawdown.depth === 0) return { reason: NONE };
  return { value: (drawdown.recoveryTime ?? endTime) - drawdown.peakTime };
}
