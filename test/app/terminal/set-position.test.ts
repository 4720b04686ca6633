import { describe, expect, it } from 'vitest';
import { journalDays, journalRuns, journalTrades } from '../../../src/app/journal/index.ts';
import { recall } from '../../../src/app/past/recall.ts';
import { takeOver } from '../../../src/app/past/take-over.ts';
import { type PositionWord, setPosition } from '../../../src/app/terminal/set-position.ts';
import type { TradingEvent } from '../../../src/domain/index.ts';
import { Decimal, HOUR_MS, silentLogger, VirtualClock } from '../../../src/kernel/index.ts';
import { BY_HAND, FileJournal } from '../../../src/storage/index.ts';
import { fillEvent, makeOpen } from '../../domain/fixture.ts';
import { makePositions } from '../../ledger/fixture.ts';
import { orderEvent, START_MS } from '../../storage/events.ts';
import { copyJournal, eventsIn, verified } from '../../storage/fixture.ts';
import {
  BTC,
  beganMs,
  EMBEDDED,
  ETH,
  fillOf,
  journalWith,
  openRun,
  type Run,
  runOf,
} from '../journal/fixture.ts';
import { expectSkipped } from './by-hand.ts';

const NOW_MS = START_MS + 10 * HOUR_MS;

/** A person's words on what `maker` holds in a journal of one run. */
function after(run: Run) {
  const path = journalWith([run]);
  const clock = new VirtualClock(NOW_MS);
  const set = (
    amount: string,
    word: Partial<Omit<PositionWord, 'price'>> & { price?: string } = {},
  ) => {
    const { price, ...rest } = word;
    return setPosition({
      ...{
        journal: path,
        market: 'btc_usdt',
        strategy: 'maker',
        amount: Decimal.of(amount),
        clock,
      },
      ...(price !== undefined && { price: Decimal.of(price) }),
      ...rest,
    });
  };
  return { path, set };
}

/** What a start holds, by strategy: amount, cost and realized profit. */
function takenOver(path: string, market = 'btc_usdt') {
  const markets = new Map([BTC, ETH].map((one) => [one.id, one]));
  const { positions } = makePositions([BTC, ETH]);
  const heirs = { positions, state: { state: 'ACTIVE' }, executor: { restore: () => {} } };
  const past = recall(path, NOW_MS);
  takeOver({ markets, past, strategies: [], logger: silentLogger }, heirs as never);
  const exact = ({ amount, cost, realizedProfit }: ReturnType<typeof positions.position>) =>
    [amount, cost, realizedProfit].map(String);
  return {
    overall: exact(positions.position(market)),
    maker: exact(positions.position(market, 'maker')),
    swing: exact(positions.position(market, 'swing')),
  };
}

const TRADED = runOf(['buy', 100, 2], ['sell', 110, 1], ['buy', 104, 1]);

describe('setPosition', () => {
  it('has the next start hold what a person says, at what it cost', () => {
    const { path, set } = after(TRADED);
    expect(takenOver(path).maker).toEqual(['2', '204', '10']);
    const { before, after: now } = set('0.5');
    expect([before.amount, now.amount].map(String)).toEqual(['2', '0.5']);
    expect(takenOver(path).maker).toEqual(['0.5', '51', '10']);
    set('0');
    expect(takenOver(path).maker).toEqual(['0', '0', '10']);
  });

  it('books the profit of a price that is told, and the cost of what came', () => {
    const { path, set } = after(TRADED);
    set('1', { price: '90' });
    expect(takenOver(path).maker).toEqual(['1', '102', '-2']);
    set('1.25', { price: '80' });
    expect(takenOver(path).maker).toEqual(['1.25', '122', '-2']);
    set('-1', { price: '100' });
    expect(takenOver(path).maker).toEqual(['-1', '-100', '1']);
    set('-0.75');
    expect(takenOver(path).maker).toEqual(['-0.75', '-75', '1']);
  });

  it('takes no account of the steps of a market, as fees leave less than those', () => {
    const fee = { fee: '0.0000123456', feeCurrency: 'btc' };
    const { path, set } = after({ events: [fillEvent(fillOf(fee))] });
    expect(takenOver(path).maker[0]).toBe('0.9999876544');
    set('0.123456789012');
    expect(takenOver(path).maker[0]).toBe('0.123456789012');
    expect(`${journalTrades({ path }).open[0]?.held.amount}`).toBe('0.123456789012');
  });

  it('leaves what other strategies hold there, and all together add up', () => {
    const swing = fillEvent(fillOf({ strategy: 'swing', price: 200, amount: 3 }));
    const { path, set } = after({ events: [...TRADED.events, swing] });
    set('0');
    const { overall, maker, swing: other } = takenOver(path);
    expect(other).toEqual(['3', '600', '0']);
    const flow = ([, cost, realized]: string[]) => Number(realized) - Number(cost);
    expect(overall[0]).toBe('3');
    expect(flow(overall)).toBeCloseTo(flow(maker) + flow(other), 9);
  });

  it('gives coins to a strategy that has never traded there', () => {
    const { path, set } = after(TRADED);
    set('2', { market: 'eth_btc', price: '0.05' });
    expect(takenOver(path, 'eth_btc').maker).toEqual(['2', '0.1', '0']);
  });
});

describe('setPosition, what it refuses', () => {
  it.each([
    ['2', {}, 'the journal has 2 already, another amount is wanted'],
    ['2.00', { price: '90' }, 'the journal has 2 already, another amount is wanted'],
    ['3', {}, 'the journal has 2, the price of the trade by hand is wanted (--price)'],
    ['-1', {}, 'the journal has 2, the price of the trade by hand is wanted (--price)'],
    ['1', { market: 'eth_btc' }, 'the journal has 0, the price of the trade by hand is wanted'],
  ])('is %s with %j', (amount, word, why) => {
    const { path, set } = after(TRADED);
    const { market = 'btc_usdt' } = word as Partial<PositionWord>;
    const message = expect.stringContaining(`Cannot set what maker holds in ${market}: ${why}`);
    expect(() => set(amount, word)).toThrow(
      expect.objectContaining({ reason: 'refused', message }),
    );
    expect(journalRuns(path)).toHaveLength(1);
  });

  it('is a name that the journal does not know', () => {
    const { set } = after(TRADED);
    const usage = (message: string) =>
      expect.objectContaining({ reason: 'usage', message: expect.stringContaining(message) });
    expect(() => set('0', { strategy: 'makr' })).toThrow(usage('it knows maker, did you mean'));
    expect(() => set('0', { market: 'btc_usd' })).toThrow(usage('it knows btc_usdt, eth_btc'));
  });

  it('is what orders may still move, and a journal that no start takes over', () => {
    const { set } = after({ events: [...TRADED.events, orderEvent(makeOpen())] });
    expect(() => set('0')).toThrow(
      'Cannot set what maker holds in btc_usdt: what became of its orders is not on record ' +
        '(tw0001), a start that reads them or `orders settle` is wanted first',
    );
    const embedded = after({ ...TRADED, config: EMBEDDED });
    expect(() => embedded.set('0')).toThrow(
      'its exchange is embedded, one that outlasts its runs is wanted',
    );
  });
});

describe('setPosition, what it writes', () => {
  it('is a run by hand, whole by its hash, that is passed over where runs are replayed', () => {
    const { path, set } = after(TRADED);
    set('0');
    expect(verified(path, 2)).toMatchObject({ intact: true, events: 1 });
    expect(eventsIn(path, 2)).toEqual([
      {
        ...{ kind: 'adjustment', market: 'btc_usdt', strategy: 'maker', time: NOW_MS },
        ...{ before: Decimal.of(2), after: Decimal.of(0), value: Decimal.of(-204) },
      },
    ]);
    expectSkipped(path);
  });

  it('ends the trade, explains it and counts in no fills', () => {
    const { path, set } = after(TRADED);
    set('0', { price: '90' });
    const run = { state: 'byHand', fills: 0, orders: 0, reason: 'a person set a position' };
    expect(journalRuns(path)[1]).toMatchObject(run);
    expect(journalRuns(path).map(({ profit: [sum] }) => `${sum?.profit}`)).toEqual(['10', '-24']);
    const { closed, open, adjustments } = journalTrades({ path });
    expect(closed).toMatchObject([{ amount: 3, profit: -14, closeTime: NOW_MS }]);
    expect(open).toEqual([]);
    expect(adjustments).toMatchObject([{ run: 2, strategy: 'maker', time: NOW_MS }]);
    expect(journalDays({ path }).days).toMatchObject([{ trades: 1, profit: Decimal.of(-14) }]);
    const chosen = [{ run: 1 }, { market: 'eth_btc' }, { to: NOW_MS }, { from: NOW_MS, run: 2 }];
    const counts = chosen.map((choice) => journalTrades({ path, ...choice }).adjustments.length);
    expect(counts).toEqual([0, 0, 0, 1]);
  });

  it('is followed by trades of the bot as by what they are', () => {
    const { path, set } = after(TRADED);
    set('0');
    openRun(path, 3, runOf(['buy', 50, 1], ['sell', 60, 1])).close();
    expect(journalTrades({ path }).closed.map(({ profit }) => profit)).toEqual([10, 10]);
    expect(beganMs(3)).toBeLessThan(NOW_MS);
  });

  it('is all there or nothing, wherever it is killed', () => {
    const { path } = after(TRADED);
    const clock = new VirtualClock(NOW_MS);
    const killed = new FileJournal({ path, clock, configHash: BY_HAND });
    const begun = copyJournal(path);
    const adjustment: TradingEvent = {
      ...{ kind: 'adjustment', market: 'btc_usdt', strategy: 'maker', time: NOW_MS },
      ...{ before: Decimal.of(2), after: Decimal.of(0), value: Decimal.of(-204) },
    };
    killed.append(adjustment);
    killed.commit();
    const written = copyJournal(path);
    killed.close();
    expect([begun, written].map((copy) => takenOver(copy).maker[0])).toEqual(['2', '0']);
    expect(journalRuns(begun)[1]).toMatchObject({ state: 'byHand', reason: undefined });
    const word = { market: 'btc_usdt', strategy: 'maker', amount: Decimal.ZERO, clock };
    setPosition({ ...word, journal: begun });
    expect(takenOver(begun).maker[0]).toBe('0');
  });
});
