import { describe, expect, it } from 'vitest';
import type { Trade } from '../../src/domain/index.ts';
import { TradeTape } from '../../src/market/trade-tape.ts';
import { idsOf, START_MS, tradeOf } from './fixture.ts';

const at = (seconds: number) => ({ exchangeTime: START_MS + seconds * 1_000 });
const page = (...ids: number[]): Trade[] => ids.map((id) => tradeOf(id, at(id)));

function tapeOf(...ids: number[]): TradeTape {
  const tape = new TradeTape();
  tape.page(page(...ids));
  return tape;
}

describe('TradeTape', () => {
  it('begins with the first page, sorted by id, duplicates dropped', () => {
    const tape = new TradeTape();
    expect(tape.since).toBeUndefined();
    expect(idsOf(tape.page(page(7, 5, 5, 9)).trades)).toEqual(['5', '7', '9']);
    expect(tape.newestId).toBe('9');
  });

  it('asks from the trade before the newest, so that the answer must hold the newest', () => {
    expect(tapeOf(5, 7, 9).since).toBe('7');
    expect(tapeOf(5).since).toBe('4');
  });

  it('takes a jump of ids behind the newest trade for what it is: no gap', () => {
    const growth = tapeOf(5, 7).page(page(7, 50));
    expect(growth).toEqual({ trades: page(50) });
  });

  it('names the hole where the venue no longer keeps the newest trade', () => {
    const growth = tapeOf(5, 7).page(page(20, 21));
    expect(idsOf(growth.trades)).toEqual(['20', '21']);
    expect(growth.gap).toMatchObject({ after: '7', before: '20' });
  });
});

describe('TradeTape, on answers that hold nothing new', () => {
  it('looks at the newest page when nothing came, and goes on where it holds the newest', () => {
    const tape = tapeOf(5, 7);
    expect(tape.page([])).toEqual({ trades: [] });
    expect(tape.since).toBeUndefined();
    expect(tape.page(page(5, 7, 8))).toEqual({ trades: page(8) });
    expect(tape.since).toBe('7');
  });

  it('asks from the cursor once more before it believes that a newer page leaves a hole', () => {
    const tape = tapeOf(5, 7);
    tape.page([]);
    expect(tape.page(page(30, 31))).toEqual({ trades: [] });
    expect(tape.since).toBe('5');
    tape.page([]);
    expect(tape.page(page(30, 31)).gap).toMatchObject({ after: '7', before: '30' });
    expect(tape.since).toBe('30');
  });

  it('ignores an answer from behind the time', () => {
    const tape = tapeOf(5, 7, 9);
    expect(tape.page(page(7))).toEqual({ trades: [] });
    expect(tape.page(page(5, 7))).toEqual({ trades: [] });
    expect(tape.page(page(9, 10))).toEqual({ trades: page(10) });
  });

  it('keeps a late trade of a lower id that was never seen', () => {
    const tape = tapeOf(5, 7, 9);
    expect(idsOf(tape.page(page(8, 9, 10)).trades)).toEqual(['8', '10']);
    expect(idsOf(tape.batch(page(6)).trades)).toEqual(['6']);
    expect(idsOf(tape.batch(page(6, 5)).trades)).toEqual([]);
    expect(tape.newestId).toBe('10');
  });

  it('leaves out trades from before its beginning', () => {
    expect(tapeOf(5, 7).batch(page(3, 4, 8)).trades).toEqual(page(8));
  });
});

describe('TradeTape, where it must begin again', () => {
  it('begins anew behind a gap when the ids went back, by page or by feed', () => {
    const later = [tradeOf(1, at(100)), tradeOf(2, at(101))];
    for (const take of ['page', 'batch'] as const) {
      const tape = tapeOf(50, 70);
      const growth = tape[take](later);
      expect(idsOf(growth.trades)).toEqual(['1', '2']);
      expect(growth.gap).toMatchObject({ after: '70', before: '1' });
      expect(tape.since).toBe('1');
    }
  });

  it('takes an id once more that was given before the ids went back', () => {
    const tape = tapeOf(50, 70);
    tape.batch([tradeOf(49, at(100))]);
    expect(idsOf(tape.batch([tradeOf(50, at(101))]).trades)).toEqual(['50']);
  });

  it('goes on after a pause with the newest page and names what it skipped', () => {
    const joined = tapeOf(5, 7);
    joined.resume();
    expect(joined.since).toBeUndefined();
    expect(joined.page(page(7, 8))).toEqual({ trades: page(8) });
    const torn = tapeOf(5, 7);
    torn.resume();
    expect(torn.page(page(90, 91)).gap).toMatchObject({ after: '7', before: '90' });
  });

  it('names the hole before a batch that nothing connects with it', () => {
    expect(tapeOf(5, 7).jump(page(9, 8)).gap).toMatchObject({ after: '7', before: '8' });
    expect(new TradeTape().jump(page(9, 8))).toEqual({ trades: page(8, 9) });
  });

  it('tells duplicates from late trades after thousands of trades', () => {
    const tape = tapeOf(1);
    for (let id = 2; id <= 5_000; id++) tape.batch(page(id));
    expect(tape.batch(page(100, 4_500, 5_000)).trades).toEqual([]);
    expect(tape.batch(page(5_001)).trades).toEqual(page(5_001));
  });
});
