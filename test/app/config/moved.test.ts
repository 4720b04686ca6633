import { describe, expect, it } from 'vitest';
import { movedSettings } from '../../../src/app/config/moved.ts';
import { parseYaml } from '../../../src/app/config/yaml.ts';

/** Settings of a file in /bots/a as they stand in another folder. */
function moved(settings: Record<string, unknown>, folder: string) {
  const { strategies = [], latency = {}, ...others } = settings;
  const whole = { strategies, ...others, backtest: { latency } };
  const yaml = parseYaml('/bots/a/mine.yaml', JSON.stringify(whole));
  return movedSettings(whole, { yaml, folder });
}

describe('movedSettings', () => {
  it.each([
    ['/bots/runs/one', '../../a'],
    ['/bots/a', '.'],
    ['/bots/a/runs/one', '../..'],
  ])('leads from %s to the strategies where they are, whose paths stay', (folder, to) => {
    const strategies = [{ use: './my/dip.ts' }, { use: 'grid' }];
    expect(moved({ strategies }, folder)).toMatchObject({ strategies, strategyFolder: to });
  });

  it('begins at the folder that the file names', () => {
    const settings = { strategies: [{ use: './dip.ts' }], strategyFolder: '../mine' };
    expect(moved(settings, '/bots/runs')).toMatchObject({ strategyFolder: '../mine' });
  });

  it('leaves all as it was where no path is relative', () => {
    const strategies = [{ use: 'grid' }, { use: '/my/dip.ts' }];
    const latency = { order: 40, answer: { constantMs: 3 }, feed: null };
    expect(moved({ strategies, latency }, '/bots/runs')).toEqual({
      ...{ strategies, backtest: { latency } },
    });
  });

  it('leads to measured latencies', () => {
    const latency = { order: { measured: './slow.csv' }, answer: 5 };
    expect(moved({ latency }, '/bots/runs/one')).toMatchObject({
      backtest: { latency: { order: { measured: '../../a/slow.csv' }, answer: 5 } },
    });
  });
});
