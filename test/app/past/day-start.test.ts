import { describe, expect, it } from 'vitest';
import { dayStartOf } from '../../../src/app/past/day-start.ts';
import type { Fill, PositionEntry } from '../../../src/domain/index.ts';
import { DAY_MS, Decimal, HOUR_MS } from '../../../src/kernel/index.ts';
import { makeFill, makeMarket } from '../../domain/fixture.ts';
import { pastOf } from '../bot.ts';

const MIDNIGHT_MS = Date.UTC(2024, 0, 2);

function fillAt(time: number, market = 'btc_usdt'): Fill {
  return makeFill({ time, market });
}

function heldAtDayStart(fills: readonly PositionEntry[], resetTime?: number): string {
  return dayStart(fills, resetTime).position('btc_usdt').amount.toString();
}

function dayStart(fills: readonly PositionEntry[], resetTime?: number) {
  const reset = resetTime === undefined ? {} : { resetTime };
  const past = pastOf({ bookings: fills, ...reset });
  const markets = new Map([['btc_usdt', makeMarket()]]);
  const nowMs = MIDNIGHT_MS + 12 * HOUR_MS;
  return dayStartOf(past, { markets, nowMs });
}

describe('dayStartOf', () => {
  it('holds the fills before midnight UTC', () => {
    const times = [MIDNIGHT_MS - DAY_MS, MIDNIGHT_MS - 1, MIDNIGHT_MS, MIDNIGHT_MS + HOUR_MS];
    expect(heldAtDayStart(times.map((time) => fillAt(time)))).toBe('2');
  });

  it('holds those before a reset of today, not just before one of an earlier day', () => {
    const fills = [-1, 1, 3].map((hours) => fillAt(MIDNIGHT_MS + hours * HOUR_MS));
    expect(heldAtDayStart(fills, MIDNIGHT_MS + 2 * HOUR_MS)).toBe('2');
    expect(heldAtDayStart(fills, MIDNIGHT_MS - 2 * HOUR_MS)).toBe('1');
  });

  it('leaves out markets that are no longer traded', () => {
    expect(heldAtDayStart([fillAt(0, 'eth_usdt')])).toBe('0');
  });

  it('holds what a person set before midnight, and takes no price of theirs for one of the market', () => {
    const exact = { before: Decimal.of(1), after: Decimal.ZERO, value: Decimal.of(-90) };
    const setAt = (time: number) => ({ market: 'btc_usdt', strategy: 'maker', ...exact, time });
    const fills = [fillAt(MIDNIGHT_MS - 2)];
    expect(heldAtDayStart([...fills, setAt(MIDNIGHT_MS - 1)])).toBe('0');
    const today = [...fills, setAt(MIDNIGHT_MS)];
    expect(heldAtDayStart(today)).toBe('1');
    expect(dayStart(today).firstPrice?.('btc_usdt')).toBeUndefined();
  });

  it('knows the first price that was traded since, where there was any', () => {
    const fills = [-1, 1, 2].map((hours) => ({
      ...fillAt(MIDNIGHT_MS + hours * HOUR_MS),
      price: 100 + hours,
    }));
    expect(dayStart(fills).firstPrice?.('btc_usdt')).toBe(101);
    expect(dayStart(fills.slice(0, 1)).firstPrice?.('btc_usdt')).toBeUndefined();
  });
});
