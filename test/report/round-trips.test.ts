import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Amount, amountOf, type Side } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { flatPosition, foldFill } from '../../src/ledger/index.ts';
import {
  isClosed,
  type PassedPrices,
  type RecordedFill,
  type RoundTrip,
  roundTrips,
} from '../../src/report/index.ts';
import { dataOr } from '../recordings.ts';
import { MINUTE, makeFill, makeMarket, START } from './fixture.ts';

const market = makeMarket({ minAmount: 0.0001, minSize: 0 });

function trips(fills: readonly RecordedFill[], passed: PassedPrices = {}): RoundTrip[] {
  return [...roundTrips({ fills, markets: [market], passed: new Map([[market.id, passed]]) })];
}

type Step = readonly [side: Side, price: number, amount: number, rest?: Partial<RecordedFill>];

function fillsOf(...steps: readonly Step[]): RecordedFill[] {
  return steps.map(([side, price, amount, rest], at) =>
    makeFill({ side, price, amount: amount as Amount, time: START + at * MINUTE, ...rest }),
  );
}

function charged(fee: string): Partial<RecordedFill> {
  return { fee: Decimal.of(fee), feeCurrency: 'btc' };
}

describe('the money of roundTrips', () => {
  test('one that sells for what it paid has earned nothing, whatever doubles say', () => {
    const [trip] = trips(fillsOf(['buy', 0.1, 1], ['buy', 0.2, 1], ['sell', 0.15, 2]));
    expect([trip?.profit, trip?.profitShare]).toEqual([0, 0]);
  });

  test('money has the last digit that the fills have', () => {
    const value = (text: string) => ({ value: Decimal.of(text) });
    const [trip] = trips(
      fillsOf(
        ['buy', 49_962.42, 1, value('49962.41650389')],
        ['sell', 49_962.31, 1, value('49962.30650388')],
      ),
    );
    expect([trip?.entryValue, trip?.profit]).toEqual([49_962.41650389, -0.11000001]);
  });
});

describe('the prices of roundTrips', () => {
  test('are those of the fills, not their cut values over the amounts', () => {
    const value = (text: string) => ({ value: Decimal.of(text) });
    const [trip] = trips(
      fillsOf(
        ['buy', 65_751.82, 0.12345678, value('8117.50797633')],
        ['sell', 60_822.02, 0.12345678, value('7508.89074103')],
      ),
    );
    expect([trip?.entryPrice, trip?.exitPrice]).toEqual([65_751.82, 60_822.02]);
  });

  test('are averages by amount, exact where those end', () => {
    const inBase = { fee: Decimal.of('0.00001'), feeCurrency: 'btc' };
    const [trip] = trips(
      fillsOf(
        ['buy', 0.1, 0.7],
        ['buy', 0.1, 0.2],
        ['buy', 0.3, 0.1],
        ['buy', 0.2, 1.00001, inBase],
        ['sell', 1, 1],
        ['sell', 2, 0.5],
        ['sell', 2, 0.5],
      ),
    );
    expect([trip?.entryPrice, trip?.exitPrice]).toEqual([0.16, 1.5]);
  });

  test('of an average that does not end are the nearest double', () => {
    const [trip] = trips(fillsOf(['buy', 1, 1], ['buy', 2, 2], ['sell', 2, 3]));
    expect(trip?.entryPrice).toBe(5 / 3);
  });
});

describe('roundTrips', () => {
  test('one from flat to flat has its prices, profit net of fees, and time', () => {
    const fee = Decimal.of(0.5);
    const [trip, ...rest] = trips(
      fillsOf(['buy', 100, 1, { fee }], ['buy', 110, 1, { fee }], ['sell', 120, 2, { fee }]),
    );
    expect(rest).toEqual([]);
    expect(trip).toMatchObject({
      ...{ side: 'long', amount: 2, entryPrice: 105, exitPrice: 120, entryValue: 210 },
      ...{ fees: 1.5, profit: 28.5, fills: 3, openTime: START, closeTime: START + 2 * MINUTE },
    });
    expect(trip?.profitShare).toBeCloseTo(28.5 / 210, 12);
  });

  test('a fill through flat ends one and begins the next on the other side', () => {
    const fee = Decimal.of(3);
    const [long, short] = trips(
      fillsOf(['buy', 100, 1], ['sell', 130, 3, { fee }], ['buy', 120, 2]),
    );
    expect(long).toMatchObject({ side: 'long', amount: 1, profit: 29, fees: 1, fills: 2 });
    expect(short).toMatchObject({ side: 'short', amount: 2, fees: 2, fills: 2 });
    expect(short!.profit).toBeCloseTo(18, 10);
  });

  test('what is still held is a trip without an end', () => {
    const [trip] = trips(fillsOf(['buy', 100, 2], ['sell', 130, 1]));
    expect(trip).toMatchObject({ closeTime: undefined, exitPrice: 130, profit: 30 });
    expect(isClosed(trip!)).toBe(false);
  });

  test('the dust that a fee in base leaves does not keep a trip open, nor is its cost lost', () => {
    const inBase = { fee: Decimal.of('0.00105'), feeCurrency: 'btc' };
    const first = fillsOf(['buy', 100, 1, inBase], ['sell', 110, 0.9989]);
    const second = fillsOf(['buy', 100, 1, inBase], ['sell', 110, 0.999]);
    const all = trips([...first, ...second]);
    expect(all.map(({ closeTime }) => closeTime !== undefined)).toEqual([true, true]);
    expect(all[0]!.amount).toBeCloseTo(0.99895, 12);
    const realized = all.reduce((sum, { profit }) => sum + profit, 0);
    expect(realized).toBeCloseTo(0.9989 * 10 + 0.999 * 10 - 2 * 0.105, 3);
  });

  test('a fee in base and the rest of a step beside it keep no trip open', () => {
    const short: Step[] = [
      ['sell', 100, 0.1],
      ['buy', 90, 0.1, charged('0.0002')],
    ];
    const fine = { ...market, minAmount: 0 };
    const fills = fillsOf(
      ['buy', 100, 1, charged('0.0010005')],
      ['sell', 110, 0.999],
      ...short,
      ...short,
    );
    const all = [...roundTrips({ fills, markets: [fine], passed: new Map() })];
    expect(all.map(({ side, fills: count }) => [side, count])).toEqual([
      ['long', 2],
      ['short', 2],
      ['short', 2],
    ]);
  });

  test('an order that closes by parts leaves no dust between them', () => {
    const order = { clientOrderId: 'exit' };
    const [trip, ...rest] = trips(
      fillsOf(['buy', 100, 1], ['sell', 110, 0.99995, order], ['sell', 110, 0.00005, order]),
    );
    expect(rest).toEqual([]);
    expect(trip).toMatchObject({ amount: 1, fills: 3, closeTime: START + 2 * MINUTE });
  });
});

describe('dust that is sold later', () => {
  const closing: Step[] = [
    ['buy', 100, 1],
    ['sell', 110, 0.99995, { clientOrderId: 'out' }],
  ];

  test('begins no trip: the next one has its worth, and none of its fills, time and prices', () => {
    const passed = { whole: { low: 1, high: 999 } };
    const all = trips(
      fillsOf(
        ...closing,
        ['sell', 120, 0.00005, { clientOrderId: 'dust', passed }],
        ['buy', 100, 1, { passed }],
        ['sell', 101, 1],
      ),
    );
    expect(all).toMatchObject([
      { openTime: START, closeTime: START + MINUTE, fills: 2 },
      { openTime: START + 3 * MINUTE, closeTime: START + 4 * MINUTE, fills: 2, adverse: 0 },
    ]);
    expect(all[1]!.favourable).toBe(0.01);
    expect(all.reduce((sum, { profit }) => sum + profit, 0)).toBeCloseTo(11 - 0.0005 + 0.001, 9);
  });

  test('begins none with the fee in base of its sale, which goes beyond flat', () => {
    const all = trips(
      fillsOf(
        ['buy', 100, 1, charged('0.01')],
        ['sell', 110, 0.98],
        ['sell', 90, 0.01, charged('0.001')],
        ['buy', 100, 1.001],
        ['sell', 101, 1],
      ),
    );
    expect(all).toMatchObject([
      { side: 'long', closeTime: START + MINUTE, amount: 0.99 },
      { side: 'long', openTime: START + 3 * MINUTE, closeTime: START + 4 * MINUTE, amount: 1 },
    ]);
    const ofDust = 0.01 * -10 - 0.001 * 10 - 0.09;
    expect(all[1]!.profit).toBeCloseTo(1 + ofDust, 9);
  });

  test('leaves no noise of what was held before in a small trip behind it', () => {
    const all = trips(
      fillsOf(
        ['buy', 56_182.11, 0.497699, charged('0.0009954')],
        ['sell', 56_153.75, 0.134804],
        ['sell', 56_235.61, 0.3612],
        ['sell', 53_845.85, 0.0008],
        ['buy', 53_864.7, 0.0001],
      ),
    );
    expect(all[1]).toMatchObject({
      amount: 0.0001004,
      entryValue: 5.40612334,
      profit: -1.636332496,
    });
  });

  test('is counted in a fill that goes on beyond flat', () => {
    const all = trips(fillsOf(...closing, ['sell', 120, 1], ['buy', 110, 0.99995]));
    const short = { side: 'short', openTime: START + 2 * MINUTE, fills: 2 };
    expect(all[1]).toMatchObject({ ...short, entryPrice: 120, exitPrice: 110 });
  });
});

describe('a position of one least step', () => {
  const ofSteps = (amountScale: number, ...positions: readonly number[]) => {
    const whole = makeMarket({ amountScale, minAmount: 0, minSize: 0 });
    const moves = positions.map((held, at) => {
      const way = Number((held - (positions[at - 1] ?? 0)).toFixed(amountScale));
      return [way > 0 ? 'buy' : 'sell', 100 + at, Math.abs(way)] as const;
    });
    const fills = fillsOf(...moves);
    const all = roundTrips({ fills, markets: [whole], passed: new Map([[whole.id, {}]]) });
    return [...all].map((trip) => [trip.side, trip.fills, isClosed(trip)]);
  };

  test('is no dust, whatever doubles make of the step', () => {
    // 33 * (1 - 32 / 33) is less than 1, and 2.3 - 2.2 less than 0.1.
    expect(ofSteps(0, 32, -1)).toEqual([
      ['long', 2, true],
      ['short', 1, false],
    ]);
    expect(ofSteps(0, 32, -1, 32, 0).map(([side]) => side)).toEqual([...['long', 'short', 'long']]);
    expect(ofSteps(1, 2.3, 0.1, 2.3, 0)).toEqual([['long', 4, true]]);
  });
});

describe('roundTrips, gone through again', () => {
  /** The trips of so many buys, each sold again, and how often their fills were asked for. */
  const counted = (count: number) => {
    const few = fillsOf(['buy', 100, 1], ['sell', 101, 1]);
    const asked = { times: 0 };
    const fills = {
      *[Symbol.iterator]() {
        asked.times++;
        for (let trip = 0; trip < count; trip++) yield* few;
      },
    };
    const passed = new Map([[market.id, {}]]);
    return { all: roundTrips({ fills, markets: [market], passed }), asked };
  };

  test('gives the same, worked out once where they are few', () => {
    const { all, asked } = counted(16_384);
    const first = [...all];
    expect(first).toHaveLength(16_384);
    expect([...all]).toEqual(first);
    expect(asked.times).toBe(1);
  });

  test('keeps none where they are many', () => {
    const { all, asked } = counted(16_385);
    expect([...all]).toHaveLength(16_385);
    expect([...all]).toHaveLength(16_385);
    expect(asked.times).toBe(2);
  });

  test('keeps nothing of a look at the first alone', () => {
    const { all } = counted(3);
    for (const trip of all) {
      expect(trip.fills).toBe(2);
      break;
    }
    expect([...all]).toHaveLength(3);
  });
});

describe('roundTrips with fees in base', () => {
  test('a fee beside what is sold leaves no trip of its own, and its worth stays in the sum', () => {
    const steps: Step[] = [
      ['buy', 100, 0.1, charged('0.0001')],
      ['sell', 110, 0.0999, charged('0.0000999')],
      ['buy', 105, 0.099999, charged('0.0001')],
      ['sell', 108, 0.099799, charged('0.0000998')],
      ['buy', 90, 0.1, charged('0.0001')],
    ];
    const all = trips(fillsOf(...steps));
    expect(all.map(({ side, closeTime }) => [side, closeTime !== undefined])).toEqual([
      ['long', true],
      ['long', true],
      ['long', false],
    ]);
    // Without the noise of sums and shares.
    expect(all.map(({ amount }) => amount)).toEqual([0.0999, 0.0997991, 0.0998003]);
    const exact = fillsOf(...steps).reduce(
      (position, fill) => foldFill(position, { fill, market }),
      flatPosition(market.id),
    );
    const profit = all.reduce((sum, trip) => sum + trip.profit, 0);
    expect(profit).toBeCloseTo(exact.realizedProfit.minus(exact.fees).toNumber(), 12);
  });

  test('who sells as much as was bought is flat, though the fee was taken of that', () => {
    const all = trips(fillsOf(['buy', 100, 1, charged('0.001')], ['sell', 110, 1]));
    expect(all).toMatchObject([{ side: 'long', amount: 0.999, closeTime: START + MINUTE }]);
  });

  test('what goes further through flat than fees is a trip', () => {
    const all = trips(fillsOf(['buy', 100, 1, charged('0.001')], ['sell', 110, 1.01]));
    expect(all.map(({ side }) => side)).toEqual(['long', 'short']);
    expect(all[1]!.amount).toBe(0.011);
  });

  test('what is held still is no dust, however much fees have taken in all', () => {
    const turns = Array.from({ length: 50 }, (): Step[] => [
      ['buy', 100, 1, charged('0.02')],
      ['sell', 100, 0.9],
    ]);
    const all = trips(fillsOf(...turns.flat(), ['sell', 100, 3.4]));
    expect(all).toMatchObject([{ side: 'long', closeTime: undefined }]);
  });

  test('half of a small trip is no dust, however much the one before held', () => {
    const whole = makeMarket({ amountScale: 0, minAmount: 0, minSize: 0 });
    const fills = fillsOf(
      ...([
        ['buy', 100, 100],
        ['sell', 100, 100],
      ] as const),
      ...([
        ['buy', 100, 2, charged('0.002')],
        ['sell', 100, 1],
      ] as const),
    );
    const all = [...roundTrips({ fills, markets: [whole], passed: new Map() })];
    expect(all.map(isClosed)).toEqual([true, false]);
  });
});

describe('roundTrips by strategy and price', () => {
  test('has dust that is left by its end, and what is open last, whatever market they are of', () => {
    const [eth, ltc] = ['eth', 'ltc'].map((base) => makeMarket({ id: `${base}_usdt`, base }));
    const fills = fillsOf(
      ['buy', 10, 1, { market: eth!.id }],
      ['buy', 100, 1, { market: ltc!.id }],
      ['buy', 100, 1],
      ['sell', 110, 0.99995, { market: ltc!.id, completes: false }],
      ['sell', 110, 0.99995, { completes: false }],
    );
    const markets = [market, eth!, ltc!];
    const all = [...roundTrips({ fills, markets, passed: new Map() })];
    expect(all.map((trip) => [trip.market, isClosed(trip)])).toEqual([
      [ltc!.id, true],
      [market.id, true],
      [eth!.id, false],
    ]);
  });

  test('each strategy has its own', () => {
    const all = trips(
      fillsOf(
        ['buy', 100, 1, { strategy: 'a' }],
        ['sell', 110, 1, { strategy: 'b' }],
        ['sell', 120, 1, { strategy: 'a' }],
      ),
    );
    expect(all.map(({ strategy, side }) => [strategy, side])).toEqual([
      ['a', 'long'],
      ['b', 'short'],
    ]);
  });

  test('refuses the fill of a market that it does not know', () => {
    expect(() => trips([makeFill({ market: 'eth_usdt' })])).toThrow(
      'Cannot count a fill: its market is eth_usdt, one of the record',
    );
  });
});

describe('excursions of roundTrips', () => {
  const range = (low: number, high: number): PassedPrices => ({ whole: { low, high } });
  const excursions = (fills: readonly RecordedFill[], passed?: PassedPrices) =>
    trips(fills, passed).map(({ adverse, favourable }) => {
      return [Number(adverse.toFixed(9)), Number(favourable.toFixed(9))];
    });

  test('are what was passed between the first fill and the last, and the own prices', () => {
    const passed = range(90, 125);
    const long = fillsOf(
      ['buy', 100, 1, { passed: range(1, 999) }],
      ['sell', 110, 1, { passed }],
      ['buy', 100, 1, { passed: range(2, 998) }],
    );
    expect(excursions(long, range(99, 101))).toEqual([
      [-0.1, 0.25],
      [-0.01, 0.01],
    ]);
    const short = fillsOf(['sell', 100, 1], ['buy', 99, 1, { passed }]);
    expect(excursions(short)).toEqual([[-0.25, 0.1]]);
    expect(excursions(fillsOf(['buy', 100, 1], ['sell', 110, 1]))).toEqual([[0, 0.1]]);
  });

  test('have no noise of the mean entry price', () => {
    const price = 30_057.86;
    const value = Decimal.of('3002.780214');
    const [trip] = trips(
      fillsOf(['buy', price, 0.0999, { value }], ['sell', price, 0.0999, { value }]),
    );
    expect(trip).toMatchObject({ adverse: 0, favourable: 0 });
  });

  test('go on behind the fills of others', () => {
    const all = fillsOf(
      ['buy', 100, 1, { strategy: 'a' }],
      ['buy', 100, 1, { strategy: 'b', passed: range(80, 101) }],
      ['sell', 100, 1, { strategy: 'a', passed: range(95, 120) }],
      ['sell', 100, 1, { strategy: 'b', passed: range(99, 130) }],
    );
    expect(excursions(all)).toEqual([
      [-0.2, 0.2],
      [-0.05, 0.3],
    ]);
  });

  test('have the candle that was under way at a fill where it began behind the first', () => {
    const underWay = { from: START + MINUTE / 2, low: 90, high: 120 };
    const steps: Step[] = [
      ['buy', 100, 1, { time: START }],
      ['buy', 100, 1, { time: START + MINUTE }],
      ['sell', 100, 2, { time: START + 2 * MINUTE, passed: { underWay } }],
    ];
    expect(excursions(fillsOf(...steps))).toEqual([[-0.1, 0.2]]);
    expect(excursions(fillsOf(...steps.slice(1)))[0]).toEqual([0, 0]);
  });

  test('of a trip that left dust end at its last fill, or go on with that order', () => {
    const closing: Step[] = [
      ['buy', 100, 1],
      ['sell', 100, 0.99995, { clientOrderId: 'out' }],
    ];
    const rest = (clientOrderId: string): Step => {
      return ['sell', 100, 0.00005, { clientOrderId, passed: range(70, 150) }];
    };
    expect(excursions(fillsOf(...closing, rest('out')))).toEqual([[-0.3, 0.5]]);
    expect(excursions(fillsOf(...closing, rest('other')))[0]).toEqual([0, 0]);
  });
});

const step = fc.tuple(
  fc.constantFrom<Side>('buy', 'sell'),
  fc.integer({ min: 5_000, max: 20_000 }),
  fc.integer({ min: 1, max: 400 }),
  fc.integer({ min: 0, max: 300 }),
);

describe('the sum of all trips', () => {
  test('is the realized profit less fees of the exact ledger, whatever was traded', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
        const fills = steps.map(([side, cents, amount, fee]) =>
          makeFill({
            side,
            price: cents / 100,
            amount: amountOf(market, amount / 100),
            value: new Decimal(BigInt(cents * amount), 4),
            fee: new Decimal(BigInt(fee), 3),
          }),
        );
        const exact = fills.reduce(
          (position, fill) => foldFill(position, { fill, market }),
          flatPosition(market.id),
        );
        const all = trips(fills);
        const profit = all.reduce((sum, trip) => sum + trip.profit, 0);
        expect(profit).toBeCloseTo(exact.realizedProfit.minus(exact.fees).toNumber(), 6);
        expect(all.filter((trip) => !isClosed(trip)).length).toBe(exact.amount.sign === 0 ? 0 : 1);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

interface OracleCase {
  readonly name: string;
  readonly trades: readonly [Side, number, number, Record<string, number>?][];
  readonly feeRate?: number;
  readonly profit?: number;
  readonly netProfit?: number;
}

const FALLBACK: readonly OracleCase[] = [
  {
    name: 'quote fee round trip',
    trades: [
      ['buy', 100, 1, { USDT: 1 }],
      ['sell', 110, 1, { USDT: 1.1 }],
    ],
    netProfit: 7.9,
  },
];

function oracleCases(): readonly OracleCase[] {
  return dataOr('oracles/position.json', { cases: FALLBACK }).cases;
}

describe('the position oracle', () => {
  const cases = oracleCases();

  test.each(cases.filter(({ netProfit }) => netProfit !== undefined))(
    'net profit of $name is that of its trip',
    ({ trades, feeRate = 0, netProfit }) => {
      const fills = trades.map(([side, price, amount, fees]) => {
        const fee = Decimal.of(fees?.USDT ?? (feeRate * price * amount).toFixed(8));
        return makeFill({ side, price, amount: amount as Amount, fee });
      });
      const [trip, ...rest] = trips(fills);
      expect(rest).toEqual([]);
      expect(trip?.profit).toBeCloseTo(netProfit!, 10);
    },
  );

  const feeless = cases.filter(
    ({ trades, profit }) => profit !== undefined && trades.every(([, , , fees]) => !fees),
  );
  test.each(feeless)('realized profit of $name is that of all its trips', (one) => {
    const fills = fillsOf(
      ...one.trades.map(([side, price, amount]): Step => [side, price, amount]),
    );
    const realized = trips(fills).reduce((sum, { profit }) => sum + profit, 0);
    expect(realized).toBeCloseTo(one.profit!, 10);
  });
});
