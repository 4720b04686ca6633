import { describe, expect, it } from 'vitest';
import { executionConfigSchema } from '../../../src/execution/index.ts';
import { ReadLag } from '../../../src/execution/truth/read-lag.ts';
import { SetClock } from '../set-clock.ts';

const START_MS = 1_700_000_000_000;
const LAG_MS = 2_000;

/** How far before now reads are true, by the run's clock. */
function createReadLag() {
  const clock = new SetClock(START_MS);
  const config = executionConfigSchema.parse({ readLagMs: LAG_MS });
  const readLag = new ReadLag({ clock, config });
  return { clock, agoMs: () => clock.now() - readLag.asOfMs() };
}

describe('ReadLag.asOfMs', () => {
  it('is the lag ago', () => {
    const { clock, agoMs } = createReadLag();
    expect(agoMs()).toBe(LAG_MS);
    clock.advanceBy(10_000);
    expect(agoMs()).toBe(LAG_MS);
  });

  it('is before the date was set forth, until that is the lag ago', () => {
    const { clock, agoMs } = createReadLag();
    clock.advanceBy(10_000);
    clock.aheadMs = 60_000;
    expect(agoMs()).toBe(60_000 + LAG_MS);
    clock.advanceBy(LAG_MS - 1);
    expect(agoMs()).toBe(60_000 + LAG_MS);
    clock.advanceBy(1);
    expect(agoMs()).toBe(LAG_MS);
  });

  it('is before each of several times that the date was set forth', () => {
    const { clock, agoMs } = createReadLag();
    for (let i = 1; i <= 3; i++) {
      clock.aheadMs = i * 1_000;
      expect(agoMs()).toBe(i * 1_000 + LAG_MS);
      clock.advanceBy(500);
    }
    clock.advanceBy(500);
    expect(agoMs()).toBe(2_000 + LAG_MS);
    clock.advanceBy(1_000);
    expect(agoMs()).toBe(LAG_MS);
  });

  it('stays near the lag ago where the date runs fast', () => {
    const { clock, agoMs } = createReadLag();
    for (let i = 0; i < 1_000; i++) {
      clock.advanceBy(100);
      clock.aheadMs += 20;
      expect(agoMs()).toBeLessThanOrEqual(1.2 * LAG_MS);
    }
  });
});
