import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { strategyMarket } from '../../../src/risk/checks/strategy-market.ts';
import { makeDraft, makeQuotes, makeRisk, reviewIntent, reviewOrder } from '../fixture.ts';

describe('strategyMarket', () => {
  it('refuses just what a strategy asks for in a market that is not its own', () => {
    const market = fc.constantFrom('btc_usdt', 'eth_usdt');
    const own = fc.uniqueArray(market, { minLength: 1 });
    const owners = fc.dictionary(fc.constantFrom('maker', 'other'), own);
    fc.assert(
      fc.property(owners, market, (marketsOf, id) => {
        const sets = Object.entries(marketsOf).map(([name, ids]) => [name, new Set(ids)] as const);
        const { view } = makeRisk({ marketsOf: new Map(sets) });
        const { maker } = marketsOf;
        const objection = { limit: `one of ${maker?.join(', ')}`, observed: id };
        const wanted = maker?.includes(id) === false ? objection : undefined;
        const wish = { ...makeQuotes([[99, 1]], []), market: id };
        const answers = [
          strategyMarket.ask?.(reviewOrder(view, makeDraft({ market: id }))),
          strategyMarket.ask?.(reviewIntent(view, wish)),
        ];
        expect(answers).toEqual([wanted, wanted]);
      }),
      { seed: 42, numRuns: 200 },
    );
  });
});
