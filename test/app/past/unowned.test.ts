import { describe, expect, it } from 'vitest';
import { leftElsewhere, positionsElsewhere, unownedIn } from '../../../src/app/past/unowned.ts';
import { type Booking, currenciesOf } from '../../../src/domain/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { flatPosition } from '../../../src/ledger/index.ts';
import { makeFill, makeMarket } from '../../domain/fixture.ts';

const btc = makeMarket();
const eth = makeMarket({ id: 'eth_usdt', base: 'eth' });

/** What strategies hold of each of two markets. */
function held(amounts: Readonly<Record<string, string>>) {
  const of = (market: string) => ({
    market,
    overall: flatPosition(market),
    ofStrategy: new Map(
      Object.entries(amounts).map(([strategy, amount]) => {
        return [strategy, { ...flatPosition(market), amount: Decimal.of(amount) }];
      }),
    ),
  });
  return { held: () => [of(btc.id), of(eth.id)] };
}

describe('unownedIn', () => {
  const strategies = [
    { name: 'maker', markets: [btc] },
    { name: 'swing', markets: [btc, eth] },
  ];

  it('is what is held for strategies that do not trade in the market', () => {
    const positions = held({ maker: '1', swing: '2', gone: '-0.05', flat: '0' });
    const gone = { strategy: 'gone', amount: Decimal.of('-0.05') };
    expect(unownedIn(btc.id, { positions, strategies })).toEqual([gone]);
    const maker = { strategy: 'maker', amount: Decimal.of('1') };
    expect(unownedIn(eth.id, { positions, strategies })).toEqual([maker, gone]);
  });

  it('is nothing where nothing was traded', () => {
    expect(unownedIn('ltc_usdt', { positions: held({}), strategies })).toEqual([]);
  });
});

describe('leftElsewhere', () => {
  const heldIn = (market: string, strategy: string, amount: string) => {
    const position = { ...flatPosition(market), amount: Decimal.of(amount) };
    return { market, overall: position, ofStrategy: new Map([[strategy, position]]) };
  };
  /** A purchase at 100, its fee in what was bought. */
  const bought = (market: string, strategy: string, amount: number): Booking => {
    const fee = { fee: Decimal.of('0.001'), feeCurrency: currenciesOf(market).base };
    return makeFill({ market, strategy, amount, ...fee });
  };
  const markets = new Map([[btc.id, btc]]);

  it('is what is held in markets that are not traded, after all that was booked', () => {
    const held = [
      ...[heldIn(btc.id, 'maker', '1'), heldIn('eth_usdt', 'swing', '2')],
      heldIn('xrp_usdt', 'swing', '1'),
    ];
    const bookings = [bought('eth_usdt', 'swing', 0.5), bought('ltc_usdt', 'maker', 3)];
    const exact = { before: Decimal.of('1'), after: Decimal.ZERO, value: Decimal.of(-90) };
    const gone = [{ market: 'xrp_usdt', strategy: 'swing', ...exact, time: 0 }];
    const left = leftElsewhere(
      { held, bookings: [...bookings, bought(btc.id, 'maker', 1), ...gone] },
      markets,
    );
    expect(left).toEqual([
      { market: 'eth_usdt', base: 'eth', strategy: 'swing', amount: Decimal.of('2.499') },
      { market: 'ltc_usdt', base: 'ltc', strategy: 'maker', amount: Decimal.of('2.999') },
    ]);
  });

  it('is nothing where all was sold: only how the strategies stand tells of it', () => {
    const past = { held: [heldIn('eth_usdt', 'swing', '0')], bookings: [] };
    expect(leftElsewhere(past, markets)).toEqual([]);
    expect(positionsElsewhere(past, markets)).toEqual([['swing', flatPosition('eth_usdt')]]);
  });
});
