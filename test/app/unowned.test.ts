import { describe, expect, it } from 'vitest';
import { unownedIn } from '../../src/app/unowned.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { flatPosition } from '../../src/ledger/index.ts';
import { makeMarket } from '../domain/fixture.ts';

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
