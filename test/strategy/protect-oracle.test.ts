import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StandingWish } from '../../src/domain/index.ts';
import { type ExitRules, scriptedMarket } from '../../src/strategy/index.ts';
import { type NaiveRules, type NaiveStep, naiveProtect } from './naive-protect.ts';
import { book, ETHER, hold, played, quote, type Step, wish } from './protect-fixture.ts';

const price = fc.integer({ min: 85, max: 115 });
const amount = fc.constantFrom(0, 0, 0.00005, 0.005, 0.0095, 0.5, 1, 2, -0.00005, -0.5, -1, -2);
const side = fc.option(price, { nil: undefined, freq: 8 });

const naiveStep: fc.Arbitrary<NaiveStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wish' as const),
      position: fc.constantFrom(0, 1, 1, 2, -1, -2),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'quotes' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('hold' as const),
      amount,
      price: fc.oneof({ weight: 9, arbitrary: price }, fc.constant(0)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('book' as const), bid: side, ask: side }),
  },
  {
    weight: 6,
    arbitrary: price.map((bid) => ({ kind: 'book' as const, bid, ask: bid + 1 })),
  },
);

const steps = fc.array(fc.record({ isOther: fc.nat(4).map((of) => of === 0), step: naiveStep }), {
  maxLength: 60,
});

const fraction = fc.option(fc.integer({ min: 1, max: 120 }), { nil: undefined });
/** Odd half seconds, so that no timer goes off at the time of a step. */
const spanMs = fc.option(
  fc.integer({ min: 0, max: 12 }).map((seconds) => seconds * 1_000 + 500),
  { nil: undefined },
);
const profits = fc.option(
  fc.uniqueArray(fc.tuple(fc.nat(12), fc.integer({ min: -120, max: 120 })), {
    ...{ minLength: 1, maxLength: 4, selector: ([second]) => second },
  }),
  { nil: undefined },
);
/** Steps of rising profit and falling loss, each of which sells below the profit it begins at. */
const losses = fc.option(
  fc
    .tuple(
      fc.uniqueArray(fc.nat(120), { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(fc.integer({ min: -100, max: 120 }), { minLength: 4, maxLength: 4 }),
    )
    .map(([fromProfits, all]) => {
      const falling = all.sort((a, b) => b - a);
      return fromProfits.sort((a, b) => a - b).map((from, at) => [from, falling[at]!] as const);
    })
    .filter((all) => all.every(([fromProfit, loss]) => loss > -fromProfit)),
  { nil: undefined },
);
const naiveRules = fc
  .record({
    steps: profits.map((all) =>
      all?.map(([seconds, profit]) => [seconds * 1_000, profit] as const).sort(([a], [b]) => a - b),
    ),
    losses,
    ...{ stopLoss: fraction, takeProfit: fraction, trailing: fraction, trailingFrom: fraction },
    ...{ holdMaxMs: spanMs, reenterAfterMs: spanMs },
  })
  .map((rules) => (rules.trailing === undefined ? { ...rules, trailingFrom: undefined } : rules))
  .map((rules) => (rules.steps === undefined ? rules : { ...rules, takeProfit: undefined }))
  .map((rules) => (rules.losses === undefined ? rules : { ...rules, stopLoss: undefined }))
  .filter(({ trailingFrom: _, reenterAfterMs: __, ...closing }) =>
    Object.values(closing).some((rule) => rule !== undefined),
  );

const thousandths = (value: number | undefined) => (value === undefined ? value : value / 1_000);

/** The same rules in the form that `protect` takes: all that decide when it wishes. */
function rulesOf(rules: NaiveRules): Omit<Required<ExitRules>, 'slippage'> {
  const { stopLoss, losses: borne, takeProfit, steps: taken, trailing, trailingFrom } = rules;
  const lossSteps = borne?.map(([fromProfit, loss]) => ({
    fromProfit: fromProfit / 1_000,
    loss: loss / 1_000,
  }));
  const profitSteps = taken?.map(([afterMs, profit]) => ({ afterMs, profit: profit / 1_000 }));
  return {
    stopLoss: lossSteps ?? thousandths(stopLoss),
    takeProfit: profitSteps ?? thousandths(takeProfit),
    trailing: thousandths(trailing),
    trailingFrom: thousandths(trailingFrom),
    holdMaxMs: rules.holdMaxMs,
    reenterAfterMs: rules.reenterAfterMs,
  };
}

function stepOf({ isOther, step }: { isOther: boolean; step: NaiveStep }): Step {
  const market = isOther ? ETHER : scriptedMarket;
  if (step.kind === 'quotes') return quote(market);
  if (step.kind === 'book') return book(step.bid, step.ask, market);
  if (step.kind === 'hold') return hold(step.amount, step.price, market);
  return wish(step.position, {}, market);
}

describe('protect', () => {
  it('wishes what a plain loop over all that was wishes', () => {
    fc.assert(
      fc.property(naiveRules, steps, (rules, script) => {
        const { intents, times } = played(rulesOf(rules), script.map(stepOf));
        const wishes: readonly StandingWish[] = intents;
        for (const isOther of [false, true]) {
          const market = isOther ? ETHER : scriptedMarket;
          const own = script.flatMap(({ step, ...of }, second) =>
            of.isOther === isOther ? [{ timeMs: second * 1_000, step }] : [],
          );
          const seen = wishes.flatMap((wished, at) =>
            wished.market === market.id
              ? [[times[at], wished.kind === 'target' ? wished.position : wished.kind]]
              : [],
          );
          expect(seen).toEqual(naiveProtect(rules, own));
        }
      }),
      { numRuns: 500 },
    );
  });
});
