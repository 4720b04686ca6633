import { describe, expect, it } from 'vitest';
import { StartProgress } from '../../src/app/start-progress.ts';
import { silentLogger, VirtualClock } from '../../src/kernel/index.ts';

function createProgress() {
  const clock = new VirtualClock(0);
  const told: string[] = [];
  const info = (_fields: object, text: string) => void told.push(`${clock.now()} ${text}`);
  const progress = new StartProgress({ clock, logger: { ...silentLogger, info } });
  return { clock, told, progress };
}

describe('StartProgress', () => {
  it('tells of a step that takes longer than five seconds, once', () => {
    const { clock, told, progress } = createProgress();
    progress.step('reading the account');
    clock.advanceBy(60_000);
    progress.step('reading the orders');
    clock.advanceBy(60_000);
    expect(told).toEqual([
      '5000 still reading the account: the exchange takes its time',
      '65000 still reading the orders: the exchange takes its time',
    ]);
  });

  it('tells nothing of steps that are over sooner, nor behind the end', () => {
    const { clock, told, progress } = createProgress();
    for (const doing of ['connecting', 'reading the account']) {
      progress.step(doing);
      clock.advanceBy(4_999);
    }
    progress.end();
    clock.advanceBy(60_000);
    expect(told).toEqual([]);
  });
});
