import { describe, expect, it } from 'vitest';
import { settingDifferences } from '../../../src/app/compare/settings-difference.ts';

describe('settingDifferences', () => {
  it('names each value that differs by its path', () => {
    const a = { name: 'x', risk: { max: 1, same: true } };
    const b = { name: 'x', risk: { max: 2, same: true } };
    expect(settingDifferences(a, b)).toEqual([{ path: 'risk.max', a: 1, b: 2 }]);
  });

  it('names the entries of lists by their names, in whatever order they stand', () => {
    const slow = { use: './dip.ts', name: 'slow', params: { minutes: 9 } };
    const own = { use: './dip.ts', params: { minutes: 3 } };
    const a = { strategies: [own, slow], markets: [{ id: 'btc_usdt', scale: 2 }] };
    const b = {
      strategies: [
        { ...slow, params: { minutes: 8 } },
        { ...own, params: {} },
      ],
      markets: [{ id: 'eth_usdt' }, { id: 'btc_usdt', scale: 3 }],
    };
    expect(settingDifferences(a, b)).toEqual([
      { path: 'strategies[./dip.ts].params.minutes', a: 3, b: undefined },
      { path: 'strategies.slow.params.minutes', a: 9, b: 8 },
      { path: 'markets.btc_usdt.scale', a: 2, b: 3 },
      { path: 'markets.eth_usdt', a: undefined, b: { id: 'eth_usdt' } },
    ]);
  });

  it('goes by the numbers of entries that share a name', () => {
    const [a, b] = [1, 2].map((x) => ({ list: [{ use: 'grid', x }, { use: 'grid' }] }));
    expect(settingDifferences(a, b)).toEqual([{ path: 'list.0.x', a: 1, b: 2 }]);
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
