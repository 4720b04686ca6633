import { describe, expect, it } from 'vitest';
import { settingDifferences } from '../../../src/app/compare/settings-difference.ts';

describe('settingDifferences', () => {
  it('names each value that differs by its path', () => {
    const a = { name: 'x', risk: { max: 1, same: true }, strategies: [{ use: 'grid' }] };
    const b = { name: 'x', risk: { max: 2, same: true }, strategies: [{ use: 'ema-cross' }] };
    expect(settingDifferences(a, b)).toEqual([
      { path: 'risk.max', a: 1, b: 2 },
      { path: 'strategies.0.use', a: 'grid', b: 'ema-cross' },
    ]);
  });

  it('takes what one does not have for undefined, and a null for a value', () => {
    expect(settingDifferences({ a: null, b: [1] }, { a: 0, b: [1, 2], c: {} })).toEqual([
      { path: 'a', a: null, b: 0 },
      { path: 'b.1', a: undefined, b: 2 },
      { path: 'c', a: undefined, b: {} },
    ]);
  });

  it('leaves out where things are put', () => {
    const a = { log: { level: 'info' }, journal: { path: 'a' }, backtest: { folder: 'runs' } };
    const b = { log: { level: 'debug' }, journal: { path: 'b' }, backtest: { folder: 'others' } };
    expect(settingDifferences(a, b)).toEqual([]);
  });
});
