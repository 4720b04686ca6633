import type { Conventions } from '../config.ts';
import { type Curve, CurveMeter } from '../curve-meter.ts';
import type { RunRecord } from '../record.ts';
import { type Exposure, ExposureMeter } from './exposure-facts.ts';

/** What the curves of an account tell. */
export interface AccountFacts {
  readonly equity: Curve;
  readonly buyAndHold: Curve | undefined;
  /** The starting balances, left alone; undefined where they are of the quote currency alone. */
  readonly leftAlone: Curve | undefined;
  readonly exposure: Exposure;
}

/** One pass over the account's curves, which are worked out anew each time. */
export function accountFactsOf(
  record: Pick<RunRecord, 'curve' | 'fills' | 'markets'>,
  conventions: Conventions,
): AccountFacts {
  const { curve } = record;
  const [beginning] = curve;
  const equity = new CurveMeter(conventions);
  const buyAndHold = beginning?.buyAndHold && new CurveMeter(conventions);
  const leftAlone = beginning?.leftAlone && new CurveMeter(conventions);
  const exposure = new ExposureMeter(record);
  for (const columns of curve) {
    const { time } = columns;
    equity.add({ time, values: columns.equity });
    buyAndHold?.add({ time, values: columns.buyAndHold! });
    leftAlone?.add({ time, values: columns.leftAlone! });
    exposure.add(columns);
  }
  return {
    ...{ equity: equity.told(), exposure: exposure.told() },
    ...{ buyAndHold: buyAndHold?.told(), leftAlone: leftAlone?.told() },
  };
}
