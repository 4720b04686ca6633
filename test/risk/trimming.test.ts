import { describe, expect, it } from 'vitest';
import type { QuotesIntent, Refusal } from '../../src/domain/index.ts';
import { trimQuotes } from '../../src/risk/trimming.ts';
import { makeQuotes, makeTrader } from './fixture.ts';

const FULL: Refusal = { code: 'openOrders', limit: '', observed: '', scope: 'market' };

/** The prices of the quotes kept if `room` quotes fit. */
function keptOf(room: number, held?: number): readonly number[] {
  const wish = makeQuotes([98, 99, 97], [103, 101, 102]);
  const isFull = ({ bids, asks }: QuotesIntent) => bids.length + asks.length > room;
  const refusalOf = (quotes: QuotesIntent) => (isFull(quotes) ? FULL : undefined);
  const { quotes } = trimQuotes(
    wish as QuotesIntent,
    refusalOf,
    held === undefined ? {} : { held },
  );
  return [...quotes.bids, ...quotes.asks].map(({ price }) => price);
}

describe('RiskGate.intent', () => {
  it('keeps the ask that shrinks what its strategy holds, not the bid that opens', () => {
    const { gate } = makeTrader({ held: { maker: 5 }, limits: { openValueMax: 150 } });
    const wish = makeQuotes([99], [101]);
    const kept = (strategy: string) => gate.intent(strategy, wish).approved?.value;
    expect(kept('maker')).toMatchObject({ bids: [], asks: [{ price: 101 }] });
    expect(kept('other')).toMatchObject({ bids: [{ price: 99 }], asks: [] });
  });
});

describe('trimQuotes', () => {
  it('keeps both sides in turn, those nearest to the market first', () => {
    expect(keptOf(1)).toEqual([99]);
    expect(keptOf(3)).toEqual([99, 98, 101]);
    expect(keptOf(5)).toEqual([99, 98, 97, 101, 102]);
  });

  it('keeps what shrinks the position before all that opens', () => {
    expect(keptOf(1, 0.5)).toEqual([101]);
    expect(keptOf(2, 2)).toEqual([101, 102]);
    expect(keptOf(3, 2)).toEqual([99, 101, 102]);
    expect(keptOf(4, 2)).toEqual([99, 101, 102, 103]);
    expect(keptOf(4, 9)).toEqual([99, 101, 102, 103]);
    expect(keptOf(2, -1.5)).toEqual([99, 98]);
    expect(keptOf(4, -1.5)).toEqual([99, 98, 97, 101]);
  });
});
