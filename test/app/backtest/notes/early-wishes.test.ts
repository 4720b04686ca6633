import { describe, expect, it } from 'vitest';
import { EarlyWishes } from '../../../../src/app/backtest/notes/early-wishes.ts';
import { replayed } from '../fixture.ts';

const minutes = Array.from({ length: 8 }, (_, at) => ({ close: 100 + at }));

/** The notes of a run whose first three minutes are its warm-up. */
async function notesOf(script: Record<number, number>): Promise<readonly string[] | undefined> {
  const backtest = { from: '2024-01-01T00:03', warmUpHours: 0.05 };
  const { record } = await replayed({ minutes, script, backtest });
  return record.notes?.slice(0, record.decisive);
}

describe('EarlyWishes', () => {
  it('tells of a strategy all of whose wishes fell into the warm-up', async () => {
    const text = (wishes: string) =>
      `Strategy scripted made ${wishes} in the warm-up, whose wishes are dropped.`;
    expect(await notesOf({ 0: 1 })).toEqual([text('its only wish')]);
    expect(await notesOf({ 0: 1, 1: 2 })).toEqual([text('all of its 2 wishes')]);
  });

  it('keeps the newest wish that stands of each strategy, which it names as it is shown', () => {
    const early = new EarlyWishes(new Map([['two', 'second']]));
    const target = (market: string, position: number) =>
      ({ kind: 'target', market, position, slippage: 0 }) as const;
    early.add('one', target('btc_usdt', 1));
    early.add('one', target('btc_usdt', 2));
    early.add('one', target('eth_usdt', 3));
    early.add('two', { kind: 'cancel', market: 'btc_usdt', tag: 'a' });
    expect([...early.standing.values()]).toEqual([target('btc_usdt', 2), target('eth_usdt', 3)]);
    expect([...early.strategies]).toEqual(['one', 'second']);
    expect(early.notes(new Map([['one', 1]]))).toEqual([
      'Strategy second made its only wish in the warm-up, whose wishes are dropped.',
    ]);
  });

  it('says nothing of one that wishes later too', async () => {
    expect(await notesOf({ 0: 1, 4: 2 })).toEqual([]);
  });
});
