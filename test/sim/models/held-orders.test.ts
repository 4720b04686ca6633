import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { TradingPort } from '../../../src/exchange/index.ts';
import { HeldOrders } from '../../../src/sim/index.ts';
import { exchangeFixture, requestFixture } from '../fixture.ts';

function fixture() {
  const { alice } = exchangeFixture();
  const reached: string[] = [];
  const inner: TradingPort = {
    ...alice.trading,
    place: ({ side }) => {
      reached.push(side);
      return of({ exchangeOrderId: side });
    },
    placeBatch: ({ orders }) => {
      reached.push('batch');
      return of({ exchangeOrderIds: orders.map(() => '1') });
    },
    cancel: () => {
      reached.push('cancel');
      return of(undefined);
    },
  };
  const held = new HeldOrders();
  return { held, reached, trading: held.wrap(inner) };
}

describe('HeldOrders', () => {
  it('lets orders go in their order, once they are released', () => {
    const { held, reached, trading } = fixture();
    const answers: string[] = [];
    for (const side of ['buy', 'sell'] as const) {
      trading.place(requestFixture({ side })).subscribe((one) => answers.push(one.exchangeOrderId));
    }
    trading.placeBatch({ market: 'btc_usdt', side: 'buy', orders: [] }).subscribe();
    expect([reached, held.isEmpty]).toEqual([[], false]);
    held.release();
    expect(reached).toEqual(['buy', 'sell', 'batch']);
    expect([answers, held.isEmpty]).toEqual([['buy', 'sell'], true]);
  });

  it('lets a cancel pass at once', () => {
    const { reached, trading } = fixture();
    trading.cancel({ market: 'btc_usdt', exchangeOrderId: '1' }).subscribe();
    expect(reached).toEqual(['cancel']);
  });

  it('holds what a released order sets off until the next release', () => {
    const { held, reached, trading } = fixture();
    trading.place(requestFixture({ side: 'buy' })).subscribe(() => {
      trading.place(requestFixture({ side: 'sell' })).subscribe();
    });
    held.release();
    expect(reached).toEqual(['buy']);
    held.release();
    expect(reached).toEqual(['buy', 'sell']);
  });

  it('holds nothing after its end', () => {
    const { held, reached, trading } = fixture();
    trading.place(requestFixture({ side: 'buy' })).subscribe();
    held.end();
    trading.place(requestFixture({ side: 'sell' })).subscribe();
    expect([reached, held.isEmpty]).toEqual([['buy', 'sell'], true]);
  });
});
