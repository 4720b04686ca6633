import { filter, map } from 'rxjs';
import type { Intent, Market } from '../../src/domain/index.ts';
import type { StrategyInstance } from '../../src/engine/index.ts';
import marketMaker from '../../strategies/market-maker.ts';
import flood from './flood.ts';
import medley from './medley.ts';
import roundTrip from './round-trip.ts';
import swing from './swing.ts';
import type { Settled } from './world-options.ts';

/** A market maker that requotes often. */
const MAKER_PARAMS = {
  volatilityLength: 10,
  step: 0.0003,
  spread: 0.0004,
  requote: 2e-4,
  volatilityFactor: 1,
};

/** The strategy of a market; it is heard while `speaks` says so, its quotes PostOnly or not. */
export function strategyIn(
  market: Market,
  { options, speaks }: { readonly options: Settled; readonly speaks: () => boolean },
): StrategyInstance {
  const { strategy, postOnly } = options;
  const { definition, given } = spokenBy(options);
  const spoken = definition as unknown as StrategyInstance['definition'];
  const meant = (intent: Intent) => (intent.kind === 'quotes' ? { ...intent, postOnly } : intent);
  return {
    name: `${strategy} ${market.id}`,
    definition: {
      ...spoken,
      run: (context) => spoken.run(context).pipe(filter(speaks), map(meant)),
    },
    params: definition.params.parse(given),
    markets: [market],
  };
}

function spokenBy({ strategy, levels, positionMax, floodPeriodMs, postOnly }: Settled) {
  const amount = positionMax / (2 * levels);
  const periodMs = floodPeriodMs;
  switch (strategy) {
    case 'flood': {
      const given = { amount: amount / 2, levels, positionMax, periodMs, postOnly };
      return { definition: flood, given };
    }
    case 'round-trip':
      return { definition: roundTrip, given: { amount: positionMax } };
    case 'medley':
      return { definition: medley, given: { positionMax, levels, postOnly } };
    case 'swing':
      return { definition: swing, given: { positionMax } };
    case 'market-maker':
      return {
        definition: marketMaker,
        given: { ...MAKER_PARAMS, amount, positionMax, levels },
      };
    default:
      return strategy satisfies never;
  }
}
