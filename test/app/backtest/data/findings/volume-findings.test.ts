import { describe, expect, it, vi } from 'vitest';
import {
  PrintFindings,
  VolumeFindings,
} from '../../../../../src/app/backtest/data/findings/volume-findings.ts';
import { minuteColumns, replayed } from '../../fixture.ts';

/** What is found in candles of these volumes, in chunks of two; amounts have one decimal place. */
function found(volumeCap: number | null, ...volumes: number[]) {
  const findings = new VolumeFindings({ market: { base: 'btc', amountScale: 1 }, volumeCap });
  for (let at = 0; at < volumes.length; at += 2) {
    const chunk = volumes.slice(at, at + 2).map((volume) => ({ close: 100, volume }));
    findings.observe(minuteColumns(chunk), chunk.length);
  }
  return { list: findings.list(), isMost: findings.isMost };
}

const UNKNOWN = ' If the volumes are not known, set it to null.';
const EMPTY = (of: string): string =>
  `The volume is 0 in ${of} candles, and backtest.fill.volumeCap is 0.1: such candles fill nothing.`;

describe('VolumeFindings', () => {
  it('counts the candles without a volume', () => {
    expect(found(0.1, 5, 0, 5)).toEqual({ list: [EMPTY('1 of 3')], isMost: false });
  });

  it('says what is wanted where most candles have none', () => {
    expect(found(0.1, 0, 0, 5)).toEqual({ list: [`${EMPTY('2 of 3')}${UNKNOWN}`], isMost: true });
  });

  it('counts those of which the cap leaves no step of amounts', () => {
    expect(found(0.1, 1, 0.9, 5).list).toEqual([
      'The volume in 1 of 3 candles is so small that 0.1 of it (backtest.fill.volumeCap) is less ' +
        'than 0.1 btc, one step of amounts: such candles fill nothing.',
    ]);
  });

  it('counts those that were played, in groups of thousands', () => {
    const findings = new VolumeFindings({
      market: { base: 'btc', amountScale: 1 },
      volumeCap: 0.1,
    });
    const chunk = Array.from({ length: 3_000 }, () => ({ close: 100, volume: 0 }));
    findings.observe(minuteColumns(chunk), 2_000);
    expect(findings.list()).toEqual([`${EMPTY('2,000 of 2,000')}${UNKNOWN}`]);
  });

  it('knows nothing of candles that were read and not played', async () => {
    let nowMs = 0;
    // Each look at the clock is a second on: the first slice of time is over before the chunk is.
    const now = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1_000));
    const minutes = Array.from({ length: 200 }, () => ({ close: 100, volume: 0 }));
    const backtest = { balances: { usdt: '1000' }, fill: { model: 'candles' } };
    const stop = { minutes, script: {}, backtest, onProgress: () => false };
    const { record } = await replayed(stop).finally(() => now.mockRestore());
    const { rows: played, findings } = record.coverage[0]!;
    expect(played).toBeLessThan(minutes.length);
    expect(findings).toEqual([`${EMPTY(`${played} of ${played}`)}${UNKNOWN}`]);
  });

  it('finds nothing where any amount may be traded', () => {
    expect(found(null, 0, 0)).toEqual({ list: [], isMost: false });
  });

  it('stands first among the findings of a run that can trade nothing, last where it is rare', async () => {
    const run = async (volumes: readonly number[]) => {
      const minutes = volumes.map((volume, at) => ({
        close: 100,
        volume,
        at: at + (at > 1 ? 3 : 0),
      }));
      const backtest = { balances: { usdt: '1000' }, fill: { model: 'candles' } };
      const { record, trades } = await replayed({ minutes, script: { 0: 1, 1: 1 }, backtest });
      return { trades, findings: record.coverage[0]!.findings };
    };
    const none = await run([0, 0, 0, 0]);
    expect(none.trades).toEqual([]);
    expect(none.findings[0]).toBe(`${EMPTY('4 of 4')}${UNKNOWN}`);
    const quiet = await run([1_000, 1_000, 0, 1_000]);
    expect(quiet.trades).not.toEqual([]);
    expect(quiet.findings.at(-1)).toBe(EMPTY('1 of 4'));
  });
});

describe('PrintFindings', () => {
  it('counts the trades without an amount, in all chunks', () => {
    const findings = new PrintFindings();
    findings.count({ trades: 2, empty: 1, impossible: 0 });
    expect(findings.list()).toEqual([
      'The amount is 0 in 1 of 2 trades: such trades fill nothing.',
    ]);
    findings.count({ trades: 2, empty: 1, impossible: 0 });
    expect(findings.list()).toEqual([
      'The amount is 0 in 2 of 4 trades: such trades fill nothing.',
    ]);
  });

  it('finds nothing in trades that tell how much', () => {
    const findings = new PrintFindings();
    findings.count({ trades: 2, empty: 0, impossible: 0 });
    expect(findings.list()).toEqual([]);
  });
});
