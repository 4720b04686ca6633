import { describe, expect, it } from 'vitest';
import type { OrderRecord, OrderState } from '../../../src/domain/index.ts';
import { Horizon } from '../../../src/execution/truth/horizon.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { ADOPTED, type OrderLedger } from '../../../src/ledger/index.ts';

let ids = 0;
const placedAt = (exchangeTime: number, exchangeOrderId = `${++ids}`) =>
  ({ exchangeTime, exchangeOrderId }) as OrderRecord;

/** A horizon on a machine whose date can be set, and our orders by the exchange's ids. */
function horizonFixture(heardMax?: number) {
  const time = new VirtualClock(1_700_000_000_000);
  const date = { aheadMs: 0 };
  const own = new Map<string, Pick<OrderState, 'createdTime' | 'strategy'>>();
  const clock = {
    now: () => time.now() + date.aheadMs,
    elapsedMs: () => time.now(),
    schedule: time.schedule.bind(time),
  };
  const orders = { byExchangeOrderId: (id: string) => own.get(id) } as unknown as OrderLedger;
  return { time, date, own, horizon: new Horizon({ clock, orders, heardMax }) };
}

describe('Horizon', () => {
  it('knows as many orders again as it is told to', () => {
    const { horizon } = horizonFixture(2);
    const [first, second, third] = [
      placedAt(1_000, 'a'),
      placedAt(2_000, 'b'),
      placedAt(3_000, 'c'),
    ];
    horizon.hear([first, second, third]);
    const known = [first, second, third].map((one) => horizon.isAmong(horizon.heardCount, one));
    expect(known).toEqual([false, true, true]);
  });

  it('is nowhere before an order was heard of', () => {
    const { horizon } = horizonFixture();
    expect(horizon.time).toBeUndefined();
    horizon.hear([]);
    expect(horizon.time).toBeUndefined();
  });

  it('goes on from the newest order with elapsed time, a little slower, and not with the date', () => {
    const { time, date, horizon } = horizonFixture();
    horizon.hear([placedAt(5_000), placedAt(9_000), placedAt(7_000)]);
    expect(horizon.time).toBe(9_000);
    date.aheadMs = 600_000;
    time.advanceBy(10_000);
    expect(horizon.time).toBe(18_990);
  });

  it('is set forth by a newer order, and never back', () => {
    const { time, horizon } = horizonFixture();
    horizon.hear([placedAt(9_000)]);
    time.advanceBy(10_000);
    horizon.hear([placedAt(12_000)]);
    expect(horizon.time).toBe(18_990);
    horizon.hear([placedAt(20_000)]);
    expect(horizon.time).toBe(20_000);
  });
});

describe('Horizon, put ahead by a wrong time', () => {
  /** A horizon that heard of an order with a time so far ahead, a second ago. */
  function createAhead(aheadMs: number) {
    const fixture = horizonFixture();
    fixture.horizon.hear([placedAt(fixture.time.now() + aheadMs)]);
    fixture.time.advanceBy(1_000);
    const { time, own } = fixture;
    /** A record of ours that was created now, by a right clock. */
    const place = (strategy = 'maker') => {
      const record = placedAt(time.now());
      own.set(record.exchangeOrderId, { createdTime: time.now(), strategy });
      return record;
    };
    const aheadNow = () => fixture.horizon.time! - time.now();
    return { ...fixture, place, aheadNow };
  }

  it("is ahead of the machine's date by five minutes at most", () => {
    expect(createAhead(300_000).aheadNow()).toBe(299_999);
    expect(createAhead(3_600_000).aheadNow()).toBe(299_999);
  });

  it('is pulled back by an order of ours that was placed after and bears an earlier one', () => {
    const { horizon, place, aheadNow } = createAhead(8_000);
    horizon.hear([place()]);
    expect(aheadNow()).toBe(0);
  });

  it('stays pulled back when the wrong one is heard of again', () => {
    const { time, horizon, place, aheadNow } = createAhead(0);
    const wrong = placedAt(time.now() + 8_000);
    horizon.hear([wrong]);
    time.advanceBy(1_000);
    horizon.hear([place(), wrong]);
    expect(aheadNow()).toBe(0);
  });

  it('is not pulled back by what was placed before, by others or adopted', () => {
    const { time, own, horizon, place, aheadNow } = createAhead(8_000);
    const before = place();
    own.set(before.exchangeOrderId, { createdTime: time.now() - 1_000, strategy: 'maker' });
    horizon.hear([before, placedAt(time.now()), place(ADOPTED)]);
    expect(aheadNow()).toBe(7_999);
  });

  it('is not moved by an order of ours that bears no earlier one', () => {
    const { time, horizon, place, aheadNow } = createAhead(0);
    const record = place();
    time.advanceBy(5_000);
    horizon.hear([record]);
    expect(aheadNow()).toBe(-6);
  });
});

describe('Horizon.isAmong', () => {
  it('tells what was heard of before from what came after, whatever time it bears', () => {
    const { horizon } = horizonFixture();
    const before = placedAt(9_000);
    const after = placedAt(1_000);
    horizon.hear([before]);
    const { heardCount } = horizon;
    horizon.hear([after, before]);
    expect(horizon.isAmong(heardCount, before)).toBe(true);
    expect(horizon.isAmong(heardCount, after)).toBe(false);
    expect(horizon.isAmong(heardCount, placedAt(5_000))).toBe(false);
  });
});
