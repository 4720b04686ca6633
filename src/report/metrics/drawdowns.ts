import type { Curve } from '../curve-meter.ts';
import { curveMetric, type Measured, type Metric } from './metric.ts';

const NONE = 'there was no drawdown';

export const DRAWDOWN_METRICS: readonly Metric[] = [
  curveMetric({
    id: 'maxDrawdown',
    label: 'Max drawdown',
    unit: 'fraction',
    family: 'drawdown',
    better: 'more',
    definition:
      'The deepest fall of the equity below its highest so far, a fraction of that peak, ' +
      'taken over every sample of the curve.',
    of: ({ drawdown }) => ({ value: drawdown.depth }),
  }),
  curveMetric({
    id: 'maxDrawdownAmount',
    label: 'Max drawdown, money',
    unit: 'quote',
    family: 'drawdown',
    better: 'more',
    definition: 'What the deepest drawdown lost, in the currency of the account.',
    of: ({ drawdown }) => ({ value: drawdown.amount }),
  }),
  curveMetric({
    id: 'maxDrawdownLength',
    label: 'Max drawdown, length',
    unit: 'duration',
    family: 'drawdown',
    better: 'less',
    definition:
      'From the peak before the deepest drawdown until it was reached again, or until the end.',
    of: lengthOf,
  }),
  curveMetric({
    id: 'maxDrawdownRecovery',
    label: 'Max drawdown, recovery',
    unit: 'duration',
    family: 'drawdown',
    better: 'less',
    definition: 'From the lowest point of the deepest drawdown until its peak was reached again.',
    of: ({ drawdown: { depth, recoveryTime, troughTime } }) => {
      if (depth === 0) return { reason: NONE };
      if (recoveryTime === undefined) return { reason: 'not recovered by the end' };
      return { value: recoveryTime - troughTime };
    },
  }),
  curveMetric({
    id: 'longestDrawdown',
    label: 'Longest drawdown',
    unit: 'duration',
    family: 'drawdown',
    better: 'less',
    definition: 'The longest time from any peak until it was reached again, or until the end.',
    of: ({ drawdown }) => ({ value: drawdown.longestMs }),
  }),
];

function lengthOf({ drawdown, endTime }: Curve): Measured {
  if (drawdown.depth === 0) return { reason: NONE };
  return { value: (drawdown.recoveryTime ?? endTime) - drawdown.peakTime };
}
