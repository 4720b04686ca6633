import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ExchangeFailure, TradingPort } from '../../../src/exchange/index.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { HeldOrders } from '../../../src/sim/index.ts';
import { exchangeFixture, requestFixture } from '../fixture.ts';

/** When a candle opens. */
const OPEN_MS = 60_000;

function fixture(options?: { readonly heldMaxMs?: number; readonly trades?: boolean }) {
  const { alice } = exchangeFixture();
  const reached: string[] = [];
  const inner: TradingPort = {
    ...alice.trading,
    place: ({ market, side }) => {
      reached.push(market === 'btc_usdt' ? side : market);
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
  const clock = new VirtualClock(OPEN_MS);
  const held = new HeldOrders(clock, options);
  const market = held.of('btc_usdt');
  return { clock, held, inner, market, reached, trading: held.wrap(inner) };
}

describe('HeldOrders', () => {
  it('lets orders go in their order, once their market opens', () => {
    const { market, reached, trading } = fixture();
    const answers: string[] = [];
    for (const side of ['buy', 'sell'] as const) {
      trading.place(requestFixture({ side })).subscribe((one) => answers.push(one.exchangeOrderId));
    }
    trading.placeBatch({ market: 'btc_usdt', side: 'buy', orders: [] }).subscribe();
    expect([reached, market.dueMs]).toEqual([[], OPEN_MS]);
    market.release(OPEN_MS);
    expect(reached).toEqual(['buy', 'sell', 'batch']);
    expect([answers, market.dueMs]).toEqual([['buy', 'sell'], Number.POSITIVE_INFINITY]);
  });

  it('lets no order go at the open of another market', () => {
    const { held, market, reached, trading } = fixture();
    trading.place(requestFixture({ side: 'buy' })).subscribe();
    trading.place(requestFixture({ market: 'eth_usdt' })).subscribe();
    held.of('eth_usdt').release(OPEN_MS);
    expect([reached, market.dueMs]).toEqual([['eth_usdt'], OPEN_MS]);
  });

  it('lets no order go at an open before it was made', () => {
    const { clock, market, reached, trading } = fixture();
    trading.place(requestFixture({ side: 'buy' })).subscribe();
    clock.advanceBy(1);
    trading.place(requestFixture({ side: 'sell' })).subscribe();
    market.release(OPEN_MS);
    expect([reached, market.dueMs]).toEqual([['buy'], OPEN_MS + 1]);
  });

  it('lets a cancel pass at once', () => {
    const { reached, trading } = fixture();
    trading.cancel({ market: 'btc_usdt', exchangeOrderId: '1' }).subscribe();
    expect(reached).toEqual(['cancel']);
  });

  it.each(['btc_usdt', 'eth_usdt'])(
    'holds what an open sets off in %s until a later one',
    (other) => {
      const { held, market, reached, trading } = fixture();
      trading.place(requestFixture({ side: 'buy' })).subscribe(() => {
        trading.place(requestFixture({ side: 'sell', market: other })).subscribe();
      });
      market.release(OPEN_MS);
      held.of(other).release(OPEN_MS);
      expect(reached).toEqual(['buy']);
      held.of(other).release(2 * OPEN_MS);
      expect(reached).toEqual(['buy', other === 'btc_usdt' ? 'sell' : other]);
    },
  );

  it('lets what the news of an open sets off meet the markets that opened then, and no other', () => {
    const { clock, held, market, reached, trading } = fixture();
    const both = (): void => {
      for (const id of ['btc_usdt', 'eth_usdt']) {
        trading.place(requestFixture({ side: 'buy', market: id })).subscribe();
      }
    };
    held.of('eth_usdt').release(OPEN_MS - 1);
    market.release(OPEN_MS);
    clock.advanceBy(5);
    held.tellOpen(both);
    expect(reached).toEqual(['buy']);
    both();
    expect(reached).toEqual(['buy']);
  });

  it('holds nothing after its end, and lets nothing go that it held', () => {
    const { held, market, reached, trading } = fixture();
    const failures: string[] = [];
    const error = ({ kind }: ExchangeFailure): void => void failures.push(kind);
    trading.place(requestFixture({ side: 'buy' })).subscribe({ error });
    held.end();
    market.release(OPEN_MS);
    trading.place(requestFixture({ side: 'sell' })).subscribe();
    expect([reached, failures]).toEqual([['sell'], ['unsent']]);
  });
});

describe('HeldOrders of markets that trade until they close', () => {
  it('lets all pass from an open to the close', () => {
    const { clock, market, reached, trading } = fixture({ trades: true });
    trading.place(requestFixture({ side: 'buy' })).subscribe();
    expect([reached, market.dueMs]).toEqual([[], OPEN_MS]);
    market.release(OPEN_MS);
    clock.advanceBy(5);
    trading.place(requestFixture({ side: 'sell' })).subscribe();
    expect(reached).toEqual(['buy', 'sell']);
    market.closes(OPEN_MS + 60_000);
    trading.place(requestFixture({ side: 'buy' })).subscribe();
    expect([reached, market.dueMs]).toEqual([['buy', 'sell'], OPEN_MS + 5]);
  });

  it('lets what an open sets off follow what waited for it', () => {
    const { market, reached, trading } = fixture({ trades: true });
    const other = requestFixture({ market: 'eth_usdt' });
    const sell = requestFixture({ side: 'sell' });
    trading.place(requestFixture({ side: 'buy' })).subscribe(() => {
      trading.place(sell).subscribe();
      trading.place(other).subscribe();
    });
    trading.placeBatch({ market: 'btc_usdt', side: 'buy', orders: [] }).subscribe();
    market.release(OPEN_MS);
    expect(reached).toEqual(['buy', 'batch', 'sell']);
  });

  it('lets what one market sets off meet the open of another at the same time', () => {
    const { held, market, reached, trading } = fixture({ trades: true });
    trading.place(requestFixture({ side: 'buy' })).subscribe(() => {
      trading.place(requestFixture({ market: 'eth_usdt' })).subscribe();
    });
    market.release(OPEN_MS);
    expect(reached).toEqual(['buy']);
    held.of('eth_usdt').release(OPEN_MS);
    expect(reached).toEqual(['buy', 'eth_usdt']);
  });
});

describe('HeldOrders with a limit', () => {
  it('lets no order go that has waited for too long', () => {
    const { clock, market, reached, trading } = fixture({ heldMaxMs: 60_000 });
    const failures: [number, string][] = [];
    const error = ({ kind }: ExchangeFailure) => failures.push([clock.now(), kind]);
    trading.place(requestFixture({ side: 'buy' })).subscribe({ error });
    clock.advanceBy(1);
    trading.place(requestFixture({ side: 'sell' })).subscribe({ error });
    clock.advanceBy(60_000);
    market.release(clock.now());
    expect([reached, failures]).toEqual([['sell'], [[OPEN_MS + 60_001, 'unsent']]]);
  });
});

describe('HeldOrders.guard', () => {
  function guardFixture() {
    const bot = fixture();
    const failures: string[] = [];
    const guarded = bot.held.guard(bot.inner);
    const send = (): void => {
      const error = (failure: ExchangeFailure): void => void failures.push(failure.kind);
      guarded.place(requestFixture({ side: 'buy' })).subscribe({ error });
    };
    return { ...bot, failures, send };
  }

  it('lets orders pass until the next candle should have closed', () => {
    const { clock, failures, market, reached, send } = guardFixture();
    send();
    market.closes(OPEN_MS + 60_000);
    clock.advanceBy(60_000);
    send();
    expect([reached, failures]).toEqual([['buy', 'buy'], []]);
  });

  it('sends none where candles are missing, and says so', () => {
    const { clock, failures, held, market, reached, send } = guardFixture();
    market.closes(OPEN_MS + 60_000);
    clock.advanceBy(60_001);
    send();
    expect([reached, failures]).toEqual([[], ['unsent']]);
    expect(held.isInHole('btc_usdt')).toBe(true);
    market.closes(OPEN_MS + 300_000);
    expect(held.isInHole('btc_usdt')).toBe(false);
    send();
    expect(reached).toEqual(['buy']);
  });

  it('sends what a run that ends where candles are missing sends', () => {
    const { clock, failures, held, market, reached, send } = guardFixture();
    market.closes(OPEN_MS);
    clock.advanceBy(1_000);
    held.end();
    send();
    expect([reached, failures]).toEqual([['buy'], []]);
  });

  it('takes what a market sets off as it comes out of a hole for what comes behind it', () => {
    const { clock, failures, market, reached, send } = guardFixture();
    market.closes(OPEN_MS + 60_000);
    clock.advanceBy(300_000);
    market.moves(OPEN_MS + 300_000);
    send();
    expect([reached, failures]).toEqual([['buy'], []]);
  });

  it('lets what one market sets off in another go once that has come to the same time', () => {
    const { clock, held, inner, reached, send } = guardFixture();
    const other = held.of('eth_usdt');
    other.moves(OPEN_MS);
    send();
    held
      .guard(inner)
      .place(requestFixture({ market: 'eth_usdt' }))
      .subscribe();
    other.closes(OPEN_MS + 60_000);
    expect(reached).toEqual(['eth_usdt']);
    clock.advanceBy(0);
    expect(reached).toEqual(['eth_usdt', 'buy']);
  });

  it('lets cancels pass at any time', () => {
    const { clock, held, inner, market, reached } = guardFixture();
    market.closes(OPEN_MS);
    clock.advanceBy(1_000);
    held.guard(inner).cancel({ market: 'btc_usdt', exchangeOrderId: '1' }).subscribe();
    expect(reached).toEqual(['cancel']);
  });
});
