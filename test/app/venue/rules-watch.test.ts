import { delay, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/app/log/logging.ts';
import { RulesWatch } from '../../../src/app/venue/rules-watch.ts';
import type { Amount, Market, OrderState, Price, TradingEvent } from '../../../src/domain/index.ts';
import type { RunOver } from '../../../src/engine/index.ts';
import { CODES, ExchangeFailure, type MarketList } from '../../../src/exchange/index.ts';
import { Bus, VirtualClock } from '../../../src/kernel/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { orderEvent, orderOf } from '../../storage/events.ts';
import { keptLog } from '../fixture.ts';

const MARKET = makeMarket({ priceScale: 1, amountScale: 3, minAmount: 0.001, minSize: 1 });

/** A watch over rules that stay as they were at the start, until told otherwise. */
function watched(markets = [MARKET]) {
  const clock = new VirtualClock(0);
  const bus = new Bus<TradingEvent>();
  const log = keptLog();
  const logger = createLogger({ level: 'info', format: 'json' }, { target: log, clock });
  const told = { now: markets as MarketList, reads: 0, fails: false, afterMs: 0 };
  const data = {
    markets: () => {
      told.reads++;
      const failure = new ExchangeFailure('unknown', 'no answer');
      if (told.fails) return throwError(() => failure);
      return told.afterMs === 0 ? of(told.now) : of(told.now).pipe(delay(told.afterMs, clock));
    },
  };
  const watch = new RulesWatch({
    bus,
    clock,
    logger,
    data,
    markets: new Map(markets.map((market) => [market.id, market])),
  });
  const over: RunOver[] = [];
  watch.over.subscribe((one) => over.push(one));
  /** The exchange rejects an order of 0.01 at 42000.5. */
  const reject = (code: number = CODES.invalidPrice, news: Partial<OrderState> = {}): void => {
    const order = { ...orderOf(), status: 'rejected', reason: 'no', code, ...news } as OrderState;
    bus.publish(orderEvent(order));
    clock.advanceBy(1);
  };
  /** A stream comes to life again, or has fallen silent. */
  const stale = (fresh: boolean): void => {
    const event = {
      kind: 'freshness',
      time: clock.now(),
      market: MARKET.id,
      stream: 'depth',
    } as const;
    bus.publish({ ...event, fresh, ageMs: 0 });
    clock.advanceBy(1);
  };
  return { clock, watch, told, over, reject, stale, log };
}

describe('RulesWatch', () => {
  it.each<[string, Partial<Market>, string]>([
    ['coarser prices', { priceScale: 0 }, 'priceScale 1, now 0'],
    ['coarser amounts', { amountScale: 1 }, 'amountScale 3, now 1'],
    ['a larger least amount', { minAmount: 0.02 }, 'minAmount 0.001, now 0.02'],
    ['a larger least value', { minSize: 420.01 }, 'minSize 1, now 420.01'],
  ])('ends a run whose order was rejected by %s', (_, change, what) => {
    const { told, over, reject, clock } = watched();
    told.now = [{ ...MARKET, ...change }];
    reject();
    expect(over).toEqual([]);
    clock.advanceBy(5_000);
    const message = `the exchange has changed the rules of btc_usdt: ${what}; a start goes by the new ones`;
    expect(over).toEqual([{ reason: 'rules', message }]);
  });

  it('goes on where the new rules allow what was rejected, and says so once', () => {
    const { told, over, reject, clock, log } = watched();
    told.now = [{ ...MARKET, priceScale: 2, minSize: 420.005 }];
    reject();
    clock.advanceBy(60_000);
    reject();
    expect(told.reads).toBe(2);
    expect(over).toEqual([]);
    expect(log.lines).toEqual([
      expect.stringContaining(
        'priceScale 1, now 2; minSize 1, now 420.005; this run keeps to the old',
      ),
    ]);
  });
});

const OTHER = makeMarket({ id: 'eth_usdt', base: 'eth' });
const GONE = 'the exchange does not list btc_usdt any more';

describe('RulesWatch, of markets that are gone,', () => {
  it('says so of one, anew when it has been back, and goes on for the others', () => {
    const { told, over, reject, clock, log } = watched([MARKET, OTHER]);
    for (const now of [[OTHER], [OTHER], [MARKET, OTHER], [OTHER]]) {
      told.now = now;
      reject();
      clock.advanceBy(60_000);
    }
    expect(over).toEqual([]);
    const line = expect.stringContaining(`${GONE}: nothing can be traded there`);
    expect(log.lines).toEqual([line, line]);
  });

  it('ends a run that has no other, once a look a minute later says so too', () => {
    const { told, over, reject, clock } = watched();
    told.now = [OTHER];
    reject();
    clock.advanceBy(5_000);
    reject();
    clock.advanceBy(54_997);
    expect(over).toEqual([]);
    clock.advanceBy(60_000);
    expect(over).toEqual([{ reason: 'rules', message: GONE }]);
    const { reads } = told;
    clock.advanceBy(600_000);
    expect(told.reads).toBe(reads);
  });

  it('takes none for gone whose rules cannot be read', () => {
    const { told, over, reject, clock, log } = watched();
    told.now = Object.assign([OTHER], { illegible: [MARKET.id] });
    reject();
    clock.advanceBy(180_000);
    expect([over, log.lines]).toEqual([[], []]);
  });

  it('asks until it is answered whether they are still gone, soon enough to be of one cause', () => {
    const { told, over, reject, clock } = watched();
    told.now = [OTHER];
    reject();
    told.fails = true;
    clock.advanceBy(120_000);
    told.fails = false;
    expect(over).toEqual([]);
    clock.advanceBy(60_000);
    expect(over).toHaveLength(1);
    const slow = watched();
    slow.told.now = [OTHER];
    slow.reject();
    slow.told.now = [];
    slow.clock.advanceBy(3_600_000);
    slow.told.now = [OTHER];
    slow.clock.advanceBy(60_000);
    expect(slow.over).toEqual([]);
  });

  it('goes on where they are listed again, and takes a list of nothing for no word', () => {
    const { told, over, reject, clock } = watched();
    told.now = [OTHER];
    reject();
    told.now = [MARKET];
    clock.advanceBy(60_000);
    told.now = [OTHER];
    reject();
    clock.advanceBy(5_000);
    expect(told.reads).toBe(3);
    told.now = [];
    clock.advanceBy(600_000);
    expect(over).toEqual([]);
  });
});

describe('RulesWatch, where data stay away,', () => {
  it('looks though nothing is ordered, every minute, until they are there again', () => {
    const { told, clock, log, stale } = watched([MARKET, OTHER]);
    stale(false);
    clock.advanceBy(120_000);
    expect(told.reads).toBe(3);
    expect(log.lines).toEqual([]);
    told.now = [OTHER];
    clock.advanceBy(60_000);
    expect(log.lines).toHaveLength(1);
    stale(true);
    clock.advanceBy(600_000);
    expect(told.reads).toBe(5);
  });

  it('begins anew where their data come', () => {
    const { told, over, reject, stale, clock } = watched();
    stale(false);
    told.now = [OTHER];
    reject();
    clock.advanceBy(50_000);
    stale(true);
    clock.advanceBy(60_000);
    expect(over).toEqual([]);
    clock.advanceBy(60_000);
    expect(over).toHaveLength(1);
  });

  it('ends a run whose only market goes long afterwards, failed looks in between', () => {
    const { told, over, clock, stale } = watched();
    stale(false);
    told.fails = true;
    clock.advanceBy(3_600_000);
    told.fails = false;
    told.now = [OTHER];
    clock.advanceBy(120_000);
    expect(over).toEqual([{ reason: 'rules', message: GONE }]);
  });
});

describe('RulesWatch, of what it holds against the rules,', () => {
  it('holds all that was rejected since the last look against them', () => {
    const { told, over, reject, clock } = watched();
    reject();
    told.now = [{ ...MARKET, minAmount: 0.005 }];
    reject();
    reject(CODES.invalidAmount, { amount: 0.001 as Amount });
    clock.advanceBy(10_000);
    expect(over).toHaveLength(1);
  });

  it('finds an order that they forbid among any number that were rejected for other reasons', () => {
    const { told, over, reject, clock } = watched();
    reject();
    told.now = [{ ...MARKET, priceScale: 0 }];
    for (let order = 0; order < 200; order++) {
      reject(CODES.balance, { market: 'eth_usdt' });
      reject(CODES.balance, { price: 42_000 as Price });
    }
    reject();
    clock.advanceBy(10_000);
    expect(over).toHaveLength(1);
  });

  it('goes on where one answer alone forbids it', () => {
    const { told, over, reject, clock } = watched();
    told.now = [{ ...MARKET, minSize: 1e6 }];
    reject(CODES.balance);
    told.now = [MARKET];
    clock.advanceBy(5_000);
    expect(told.reads).toBe(2);
    told.now = [{ ...MARKET, minSize: 1e6 }];
    clock.advanceBy(120_000);
    expect(over).toEqual([]);
  });

  it('holds it until it is answered', () => {
    const { told, over, reject, clock } = watched();
    told.now = [{ ...MARKET, priceScale: 0 }];
    told.fails = true;
    reject();
    clock.advanceBy(180_000);
    told.fails = false;
    clock.advanceBy(65_000);
    expect(over).toHaveLength(1);
  });
});

describe('RulesWatch, of when it looks,', () => {
  it('looks every five seconds at most, every minute after answers that speak of something else', () => {
    const { told, reject, clock } = watched();
    reject();
    for (let order = 0; order < 20; order++) reject();
    expect(told.reads).toBe(1);
    clock.advanceBy(5_000);
    expect(told.reads).toBe(2);
    clock.advanceBy(10_000);
    reject(CODES.general);
    expect(told.reads).toBe(2);
    reject();
    expect(told.reads).toBe(3);
    clock.advanceBy(59_000);
    reject(CODES.general);
    clock.advanceBy(1_000);
    expect(told.reads).toBe(4);
  });

  it('waits for an answer, whatever is rejected meanwhile', () => {
    const { told, over, reject, clock } = watched();
    told.now = [{ ...MARKET, priceScale: 0 }];
    told.afterMs = 100;
    for (let order = 0; order < 10; order++) reject();
    clock.advanceBy(90);
    expect(told.reads).toBe(1);
    clock.advanceBy(5_000);
    expect(over).toHaveLength(1);
    expect(told.reads).toBe(2);
  });

  it('heeds no order that never left, and asks again after an answer that did not come', () => {
    const { told, over, reject, clock } = watched();
    told.now = [{ ...MARKET, priceScale: 0 }];
    reject(CODES.invalidPrice, { evidence: 'query' });
    expect(told.reads).toBe(0);
    told.fails = true;
    reject();
    expect(over).toEqual([]);
    told.fails = false;
    clock.advanceBy(5_000);
    reject();
    clock.advanceBy(5_000);
    expect(over).toHaveLength(1);
  });

  it('asks no more once the run is over', () => {
    const { told, over, reject, clock } = watched();
    told.now = [{ ...MARKET, priceScale: 0 }];
    reject();
    clock.advanceBy(60_000);
    reject();
    expect(over).toHaveLength(1);
    expect(told.reads).toBe(2);
  });

  it('hears nothing once it is closed', () => {
    const { told, watch, reject } = watched();
    watch.close();
    reject();
    expect(told.reads).toBe(0);
  });
});
