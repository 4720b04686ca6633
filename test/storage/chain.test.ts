import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Chains } from '../../src/storage/chain.ts';
import { lineOf } from '../../src/storage/text/line.ts';
import { TextBytes } from '../../src/storage/text/text-bytes.ts';
import { orderEvent, orderOf } from './events.ts';

/** Lines for two blocks and a part of a third. */
const LINES = Array.from({ length: 150 }, (_, at) => `line ${at} – ü`);

const blake = (text: string) => createHash('blake2b512').update(text).digest('hex');

/** The hash over the first lines, by its definition. */
function hashOf(count: number): string {
  let value = blake('tradewind journal 3');
  for (let from = 0; from < count; from += 64) {
    const block = LINES.slice(from, Math.min(from + 64, count));
    value = blake(value + block.map((line, at) => `${from + at + 1} ${line}\n`).join(''));
  }
  return value;
}

describe('Chains', () => {
  it('take events as their lines, and copy these', () => {
    const [ofLines, ofEvents] = [new Chains(), new Chains()];
    const copy = new TextBytes();
    const events = Array.from({ length: 150 }, (_, at) => orderEvent(orderOf({ tag: `ü${at}` })));
    for (const [at, event] of events.entries()) {
      ofLines.add(at + 1, { line: lineOf(event), isMarketData: false });
      ofEvents.addEvent(at + 1, event, copy);
    }
    expect(ofEvents.state).toEqual(ofLines.state);
    expect(copy.text).toBe(events.map((event) => `${lineOf(event)}\n`).join(''));
  });

  it.each([1, 3, 64, 65, 1_000])('have the same hash, asked for after every %i lines', (every) => {
    const chains = new Chains();
    for (const [at, line] of LINES.entries()) {
      chains.add(at + 1, { line, isMarketData: true });
      if ((at + 1) % every !== 0) continue;
      for (let time = 0; time < 2; time++) expect(chains.state.marketData).toBe(hashOf(at + 1));
    }
    expect(chains.state).toEqual({ marketData: hashOf(LINES.length), others: hashOf(0) });
  });
});
