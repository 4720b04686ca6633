import { describe, expect, it } from 'vitest';
import { ShortfallWatch } from '../../../src/app/venue/shortfall-watch.ts';
import type { Amount, Fill, Market, Position, Price } from '../../../src/domain/index.ts';
import { Decimal, MINUTE_MS, VirtualClock } from '../../../src/kernel/index.ts';
import { BalanceLedger, flatPosition } from '../../../src/ledger/index.ts';
import { makeFill, makeMarket } from '../../domain/fixture.ts';
import { keptLines } from '../../kernel/fixture.ts';
import { makePositions } from '../../ledger/fixture.ts';

const MARKET = makeMarket({ amountScale: 4, minAmount: 0.001, minSize: 10 });

/** A watch over an account that has what `btc` says; positions are bought at 100. */
function watched(
  btc: string | undefined,
  markets: readonly Market[] = [MARKET],
  elsewhere: readonly Position[] = [],
) {
  const clock = new VirtualClock(0);
  const { bus, bookings, positions } = makePositions(markets);
  const balances = new BalanceLedger({ clock, bus });
  const orders = { liveCount: 0 };
  const { lines: warnings, logger } = keptLines();
  const byId = new Map(markets.map((market) => [market.id, market]));
  const ledgers = { balances, orders, positions, elsewhere };
  const watch = new ShortfallWatch({ clock, logger, markets: byId, ...ledgers });
  const has = (available: string, frozen = '0') => {
    const told = { available: Decimal.of(available), frozen: Decimal.of(frozen) };
    balances.update([{ currency: 'btc', ...told }], 'query');
  };
  const trades = (fill: Partial<Fill>) => bookings.next(makeFill({ fee: Decimal.ZERO, ...fill }));
  const buys = (amount: number, market = 'btc_usdt') =>
    trades({ market, amount: amount as Amount });
  if (btc !== undefined) has(btc);
  return { watch, clock, has, buys, trades, orders, warnings };
}

describe('ShortfallWatch', () => {
  it('tells at the start what the account lacks of the positions of earlier runs', () => {
    const { watch, buys, warnings } = watched('0.25');
    buys(1);
    watch.start();
    expect(warnings).toEqual([
      'the account has 0.25 btc, but strategies hold 1 by the journal: somebody else sold or moved ' +
        'the difference, so no exit can sell it; once the run is over, record what is held with ' +
        '`positions set`',
    ]);
  });

  it('takes a currency that the account does not name for none', () => {
    const { watch, buys, warnings } = watched(undefined);
    buys(1);
    watch.start();
    expect(warnings).toHaveLength(1);
  });

  it('counts what orders hold', () => {
    const { watch, buys, has, warnings } = watched(undefined);
    has('0.25', '0.75');
    buys(1);
    watch.start();
    expect(warnings).toEqual([]);
  });

  it('tells once, and again where it was right in between', () => {
    const { watch, clock, buys, has, warnings } = watched('0');
    buys(1);
    watch.start();
    clock.advanceBy(10 * MINUTE_MS);
    expect(warnings).toHaveLength(1);
    has('1');
    clock.advanceBy(MINUTE_MS);
    has('0');
    clock.advanceBy(2 * MINUTE_MS);
    expect(warnings).toHaveLength(2);
  });

  it('waits for a second look where an order lives at the start, and while it trades', () => {
    const { watch, clock, buys, has, orders, warnings } = watched('0');
    buys(1);
    orders.liveCount = 1;
    watch.start();
    has('1');
    clock.advanceBy(MINUTE_MS);
    has('0');
    clock.advanceBy(MINUTE_MS);
    expect(warnings).toEqual([]);
    clock.advanceBy(MINUTE_MS);
    expect(warnings).toHaveLength(1);
  });

  it('looks no more once it is closed', () => {
    const { watch, clock, buys, warnings } = watched('0');
    watch.start();
    watch.close();
    buys(1);
    clock.advanceBy(5 * MINUTE_MS);
    expect(warnings).toEqual([]);
  });

  it('sets no timer where it is closed ahead of its start, as by a stop that overtakes that', () => {
    const { watch, clock } = watched('0');
    watch.close();
    watch.start();
    expect(clock.nextDueMs).toBeUndefined();
  });
});

describe('ShortfallWatch, of what strategies hold,', () => {
  it.each([
    ['less than a least order by value', MARKET, '0.9001'],
    ['less than a least amount', makeMarket({ ...MARKET, minSize: 0 }), '0.9991'],
    [
      'less than a step where nothing is least',
      makeMarket({ minAmount: 0, minSize: 0 }),
      '0.99991',
    ],
  ])('takes %s for the dust of fees', (_, market, btc) => {
    const { watch, buys, warnings } = watched(btc, [market]);
    buys(1);
    watch.start();
    expect(warnings).toEqual([]);
  });

  it('adds up the markets of a currency', () => {
    const other = makeMarket({ ...MARKET, id: 'btc_usdc', quote: 'usdc' });
    const { watch, clock, buys, warnings } = watched('1', [MARKET, other]);
    buys(1);
    watch.start();
    expect(warnings).toEqual([]);
    buys(0.5, 'btc_usdc');
    clock.advanceBy(2 * MINUTE_MS);
    expect(warnings[0]).toContain('the account has 1 btc, but strategies hold 1.5');
  });
});

describe('ShortfallWatch, of a currency that another market is quoted in,', () => {
  const CROSS = makeMarket({ ...MARKET, id: 'eth_btc', base: 'eth', quote: 'btc' });
  const cross = (side: Fill['side'], terms: { price: number; fee?: string }): Partial<Fill> => {
    const { price, fee = '0' } = terms;
    const paid = { price: price as Price, amount: 4 as Amount, value: Decimal.of(4 * price) };
    return { market: 'eth_btc', side, ...paid, fee: Decimal.of(fee), feeCurrency: 'btc' };
  };

  it('misses nothing that strategies paid there, nor lost, nor gave as fees', () => {
    const { watch, clock, has, buys, trades, warnings } = watched('0.5', [MARKET, CROSS]);
    buys(1);
    trades(cross('buy', { price: 0.125 }));
    watch.start();
    has('0.7');
    trades(cross('sell', { price: 0.1, fee: '0.2' }));
    clock.advanceBy(2 * MINUTE_MS);
    expect(warnings).toEqual([]);
  });

  it('misses nothing that strategies paid there before the market was left out', () => {
    const paid = { ...flatPosition('eth_btc'), cost: Decimal.of('0.5'), fees: Decimal.of('0.1') };
    const elsewhere = [paid, { ...flatPosition('eth_usdt'), cost: Decimal.of('9') }];
    const { watch, buys, warnings } = watched('0.4', [MARKET], elsewhere);
    buys(1);
    watch.start();
    expect(warnings).toEqual([]);
  });

  it('tells what is missing beyond that', () => {
    const { watch, buys, trades, warnings } = watched('0.25', [CROSS, MARKET]);
    buys(1);
    trades(cross('buy', { price: 0.125 }));
    watch.start();
    expect(warnings[0]).toContain(
      'the account has 0.25 btc, but strategies hold 0.5 by the journal',
    );
  });

  it('counts nothing that they were paid there', () => {
    const { watch, buys, trades, warnings } = watched('1', [MARKET, CROSS]);
    buys(1);
    trades(cross('sell', { price: 0.125 }));
    watch.start();
    expect(warnings.filter((text) => text.includes(' btc'))).toEqual([]);
  });
});
