import { describe, expect, it } from 'vitest';
import { confessionOf } from '../../../src/app/backtest/confession.ts';
import { checkedDeployment } from './checks-fixture.ts';

const confessed = (backtest: object): string[] => confessionOf(checkedDeployment({ backtest }));

describe('confessionOf', () => {
  it.each([
    ['heartbeats', 'Timed cancels are armed', 'The timed cancels that guard'],
    ['rateLimits', 'Requests keep to the limits', 'Requests have no limits'],
    ['reconciliation', 'read again every 60 s', 'are not read again'],
  ])('has one sentence whether %s run along', (key, along, leftOut) => {
    const [on, off] = [true, false].map((runs) => confessed({ simulate: { [key]: runs } }));
    const withText = (text: string, lines: string[]) => lines.filter((one) => one.includes(text));
    expect([withText(along, on!).length, withText(leftOut, on!).length]).toEqual([1, 0]);
    expect([withText(along, off!).length, withText(leftOut, off!).length]).toEqual([0, 1]);
    expect(on!.filter((sentence) => !off!.includes(sentence))).toHaveLength(1);
  });

  it('says what no setting simulates', () => {
    const simulate = { heartbeats: true, rateLimits: true, reconciliation: true };
    expect(confessed({ simulate }).join(' ')).toContain('outages of the exchange or of the line');
  });

  it.each([
    [{ closeAtEnd: 'none' }, 'stays open'],
    [{ closeAtEnd: 'close' }, 'at the close of the last candle, whatever its volume.'],
    [{ closeAtEnd: 'open' }, 'at the open of the last candle'],
    [{ closeAtEnd: 'close', fill: { model: 'trades' } }, 'at the last prices.'],
    [{ fees: { in: 'received' } }, 'of a buy in the base currency'],
    [{ fees: { in: 'quote' } }, 'All fees are taken in the quote currency'],
    [{ fees: { in: 'base' } }, 'All fees are taken in the base currency'],
  ])('says of %j: %s', (settings, text) => {
    expect(confessed(settings).join(' ')).toContain(text);
  });

  it('is made of whole sentences', () => {
    for (const sentence of confessed({ lent: { btc: '1' } })) {
      expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  });
});
