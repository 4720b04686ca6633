import { describe, expect, it } from 'vitest';
import { openSources } from '../../../../src/app/backtest/data/data.ts';
import type { CandleSource } from '../../../../src/app/backtest/data/source.ts';
import { loadBacktest } from '../../../../src/app/backtest/index.ts';
import { deploymentFile } from '../../fixture.ts';

interface Seeds {
  /** Of the deployment. Default: none. */
  readonly seed?: string;
  /** Of the prices. Default: none. */
  readonly own?: string;
  /** On the command line. Default: none. */
  readonly chosen?: string;
}

/** The close of the first day of made-up minutes, and the hash of these. */
async function madeUp({ seed, own, chosen }: Seeds): Promise<readonly [number, string]> {
  const file = deploymentFile({
    seed,
    backtest: {
      ...{ from: '2024-01-01', to: '2024-01-02', balances: { usdt: '1' } },
      generate: { btc_usdt: { startPrice: 30_000, ...(own !== undefined && { seed: own }) } },
    },
  });
  const [source] = (await openSources(loadBacktest(file, { seed: chosen }))) as [CandleSource];
  let close = 0;
  for await (const chunk of source.chunks(source.firstMs, source.endMs))
    close = chunk.close.at(-1)!;
  return [close, source.hash];
}

describe('generatedSource', () => {
  it('draws by the seed of the deployment where the prices have none', async () => {
    const usual = await madeUp({});
    expect(await madeUp({ own: 'tradewind' })).toEqual(usual);
    const other = await madeUp({ seed: 'AAA' });
    expect(other[0]).not.toBe(usual[0]);
    expect(other[1]).not.toBe(usual[1]);
    expect(await madeUp({ seed: 'BBB', own: 'AAA' })).toEqual(other);
  });

  it('draws by the seed of the command line whatever the file says', async () => {
    const chosen = await madeUp({ own: 'AAA' });
    expect(await madeUp({ chosen: 'AAA' })).toEqual(chosen);
    expect(await madeUp({ seed: 'BBB', own: 'CCC', chosen: 'AAA' })).toEqual(chosen);
  });

  it('leaves room for all that the money buys of a coin that crashes', async () => {
    const amountScaleOf = async (volatility: number): Promise<number> => {
      const prices = { startPrice: 1, priceScale: 6, amountScale: 8, volatility };
      const file = deploymentFile({
        backtest: {
          ...{ from: '2024-01-01', to: '2024-01-08', balances: { usdt: '1000000' } },
          generate: { btc_usdt: { ...prices, reversionHalfLifeMs: 1e9 } },
        },
      });
      const [source] = await openSources(loadBacktest(file));
      return source!.market.amountScale;
    };
    expect(await amountScaleOf(0.6)).toBe(8);
    expect(await amountScaleOf(60)).toBe(6);
  });

  it('begins on the grid of its candles, whatever the period begins with', async () => {
    const made = { from: '2024-01-01T00:07:30', to: '2024-01-02', balances: { usdt: '1' } };
    const generate = { btc_usdt: { startPrice: 30_000, interval: '5min' } };
    const file = deploymentFile({ backtest: { ...made, generate } });
    const [source] = await openSources(loadBacktest(file));
    expect(new Date(source!.firstMs).toISOString()).toBe('2024-01-01T00:05:00.000Z');
  });

  it.each([
    [
      0.066,
      [
        'The prices of made-up.btc_usdt.1min move in steps of 0.01, 15 % of the starting ' +
          'price: set more decimal places (backtest.generate.btc_usdt.priceScale).',
      ],
    ],
    [20, []],
  ])('tells of steps that are most of what prices of %d move by', async (startPrice, findings) => {
    const backtest = { balances: { usdt: '1' }, generate: { btc_usdt: { startPrice } } };
    const [source] = await openSources(loadBacktest(deploymentFile({ backtest })));
    expect(source!.findings).toEqual(findings);
  });
});
