import { describe, expect, it } from 'vitest';
import { analyse, metricsJson } from '../../../../src/report/index.ts';
import { LIMITS, replayed, START_MS } from '../fixture.ts';

const minutes = [100, 100, 90, 90].map((close) => ({ close }));

/** Buys at the first close, and has lost 100 at the third. */
const losing = () =>
  replayed({ minutes, script: { 0: 10 }, settings: { risk: { ...LIMITS, drawdownMax: 50 } } });

/** Emits what is no wish at the second close. */
const dying = () => replayed({ minutes, script: { 0: 1, 1: { bids: 7 as never } } });

describe('Endings', () => {
  it('has the first of the notes say when and why a strategy failed', async () => {
    const { record } = await dying();
    expect(record.notes?.[0]).toMatch(/^Strategy scripted failed at 2024-01-01 00:02 UTC: .+\.$/);
    expect(record.trading).toBeUndefined();
    const { ended, trading } = JSON.parse(metricsJson(analyse(record)));
    expect([ended, trading]).toEqual([
      [
        expect.objectContaining({
          ...{ strategy: 'scripted', status: 'failed', at: START_MS + 120_000 },
        }),
      ],
      null,
    ]);
  });

  it('says in notes and metrics since when and why trading was stopped at the end', async () => {
    const { record } = await losing();
    expect(record.notes?.[0]).toMatch(
      /^Trading was REDUCING from 2024-01-01 00:03 UTC to the end: drawdown of 100 usdt, .+\.$/,
    );
    const { ended, trading } = JSON.parse(metricsJson(analyse(record)));
    expect([ended, trading]).toEqual([
      [],
      {
        ...{ state: 'REDUCING', at: START_MS + 180_000 },
        reason: expect.stringContaining('drawdown of 100 usdt'),
      },
    ]);
  });

  it('has nothing to say of a run that traded to its end', async () => {
    const { record } = await replayed({ minutes, script: { 0: 1 } });
    expect(record.decisive).toBe(0);
    expect([record.notes, record.ended, record.trading]).toEqual([[], [], undefined]);
  });
});
