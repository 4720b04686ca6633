import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAmount, isPrice, type Market, ORDER_TYPES, SIDES } from '../../src/domain/index.ts';
import { Decimal, roundToScale } from '../../src/kernel/index.ts';
import { isRefusal } from '../../src/risk/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import {
  makeDepth,
  makeDraft,
  makeHeld,
  makeOrderIntent,
  makeQuotes,
  makeTarget,
  makeTrader,
  pendingOf,
} from './fixture.ts';

/** Any number that a venue may tell: mostly `usual`, at times one that no scale holds. */
function sizes(usual: fc.Arbitrary<number>): fc.Arbitrary<number> {
  const edges = fc.constantFrom(0, 2 ** 51, 2 ** 53, 0.1 + 0.2, 22_517_998_136_852.47);
  const powers = fc.integer({ min: -13, max: 25 }).map((power) => 10 ** power);
  const odd = fc.oneof(edges, powers, fc.double({ min: 1e-13, max: 1e16, noNaN: true }));
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

const price = sizes(fc.integer({ min: 95, max: 105 }));
const amount = sizes(fc.integer({ min: 1, max: 40 }).map((quarters) => quarters / 4));
const plenty = sizes(fc.constant(1e9));
const maybe = fc.option(price, { nil: undefined });
const strategy = fc.constantFrom('maker', 'other');
const sign = fc.constantFrom(1, -1);

const step = fc.record({
  ask: fc.constantFrom('order', 'order', 'intent', 'target', 'quotes', 'unwelcome', 'room', 'book'),
  ...{ side: fc.constantFrom(...SIDES), type: fc.constantFrom(...ORDER_TYPES) },
  ...{ price, amount, sign, strategy },
  answer: fc.constantFrom('take', 'fill', 'lose', 'cancelled', 'none'),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const scale = fc.integer({ min: 0, max: 12 });
const scene = fc.record({
  ...{ priceScale: scale, amountScale: scale, bid: maybe, ask: maybe, last: maybe },
  held: fc.array(fc.record({ strategy, amount, sign }), { maxLength: 3 }),
  isReducing: fc.boolean(),
  limits: fc.record(
    {
      ...{ longMax: plenty, shortMax: plenty, positionValueMax: plenty, exposureMax: plenty },
      ...{ orderValueMax: plenty, orderAmountMax: plenty, openValueMax: plenty },
      ...{ dailyLossMax: plenty, drawdownMax: plenty, tradedValuePerDayMax: plenty },
      ...{ fillLossMax: plenty, bandFraction: plenty, priceMax: price },
      ownSpreadMin: fc.constant(0.01),
    },
    { requiredKeys: [] },
  ),
  balances: fc.record({ btc: fc.tuple(plenty, plenty), usdt: fc.tuple(plenty, plenty) }),
  steps: fc.array(step, { maxLength: 12 }),
});
type Scene = typeof scene extends fc.Arbitrary<infer S> ? S : never;

/** Rounded to scale if the scale can hold it. */
function onScale(value: number, places: number): number {
  return value * 10 ** places < 2 ** 51 - 1 ? roundToScale(value, places, 'down') : value;
}

function start({ priceScale, amountScale, limits, held, isReducing, ...scene }: Scene) {
  const market = makeMarket({ priceScale, amountScale, minAmount: 10 ** -amountScale });
  const text = (value: number) => Decimal.of(value).toString();
  const [btc, usdt] = [scene.balances.btc, scene.balances.usdt].map(
    ([available, frozen]) => [text(available), text(frozen)] as const,
  ) as [readonly [string, string], readonly [string, string]];
  const sound = Object.entries(limits).filter(([, most]) => most > 0);
  const trader = makeTrader({
    ...{ markets: [market], limits: Object.fromEntries(sound), balances: { btc, usdt } },
    ...{ book: [scene.bid, scene.ask], last: scene.last },
  });
  for (const part of held) {
    const size = onScale(part.amount, amountScale);
    if (size === 0) continue;
    const { strategy: holder } = part;
    trader.positions.restore(makeHeld({ strategy: holder, held: part.sign * size, price: 100 }));
  }
  if (isReducing) trader.state.set('REDUCING', 'daily loss');
  return { ...trader, market };
}

type Trader = ReturnType<typeof start>;

function play(trader: Trader, told: Step, clientOrderId: string): void {
  const { gate, clock, orders, market } = trader;
  const terms = {
    ...{ side: told.side, type: told.type, strategy: told.strategy, clientOrderId },
    price: onScale(told.price, market.priceScale),
    amount: onScale(told.amount, market.amountScale),
  };
  switch (told.ask) {
    case 'order': {
      const answer = gate.order(makeDraft(terms));
      if (isRefusal(answer)) break;
      orders.create(pendingOf(answer.value, clock.now()));
      if (told.answer !== 'none') trader[told.answer](clientOrderId);
      break;
    }
    case 'room':
      if (isSound(market, terms)) gate.roomTakers(makeDraft({ ...terms, type: 'ioc' }), () => true);
      break;
    case 'unwelcome':
      for (const order of gate.unwelcome()) gate.whyUnwelcome(order);
      break;
    case 'book':
      trader.knobs.last = told.amount;
      trader.knobs.depth = { ...makeDepth(told.price, 2 * told.price), receivedTime: clock.now() };
      break;
    default:
      gate.intent(told.strategy, wishOf(told, terms));
  }
  clock.advanceBy(400);
}

function wishOf(told: Step, terms: { readonly price: number; readonly amount: number }) {
  if (told.ask === 'target') return makeTarget(told.sign * terms.amount);
  if (told.ask === 'intent') return makeOrderIntent({ ...terms, side: told.side, type: told.type });
  return makeQuotes([[terms.price, terms.amount]], [[2 * terms.price, terms.amount]]);
}

function isSound(market: Market, terms: { readonly price: number; readonly amount: number }) {
  return isPrice(market, terms.price) && isAmount(market, terms.amount);
}

describe('RiskGate, whatever books, positions and wishes come to,', () => {
  it('answers: what it threw would end the run in all markets', () => {
    let left = 0;
    fc.assert(
      fc.property(scene, (made) => {
        const trader = start(made);
        made.steps.forEach((told, at) => {
          play(trader, told, `draft${at}`);
        });
        left += trader.orders.liveCount;
      }),
      { seed: 3, numRuns: 2_000 },
    );
    expect(left).toBeGreaterThan(200);
  });
});
