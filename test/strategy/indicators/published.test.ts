import { describe, expect, it } from 'vitest';
import {
  Adx,
  Atr,
  Bollinger,
  Donchian,
  Ema,
  type Indicator,
  Keltner,
  Macd,
  Obv,
  Roc,
  Rsi,
  Sma,
  Stochastic,
  Supertrend,
  Vwap,
  Wma,
} from '../../../src/strategy/index.ts';
import { type DailyBar, hasPublishedValues, publishedBars, publishedValues } from '../fixture.ts';

type Outputs = Record<string, number>;

/** An indicator over closes or bars, its output named as in the published file. */
function over<I, O>(
  pick: (bar: DailyBar) => I,
  step: Indicator<I, O>,
  name: (output: O) => Outputs,
): (bar: DailyBar) => Outputs | undefined {
  return (bar) => {
    const output = step.next(pick(bar));
    return output === undefined ? undefined : name(output);
  };
}
const close = (bar: DailyBar): number => bar.close;
const whole = (bar: DailyBar): DailyBar => bar;
const bands = ({ upper, lower }: { upper: number; lower: number }): Outputs => ({
  upperBand: upper,
  lowerBand: lower,
});

const CASES: Record<string, (bar: DailyBar) => Outputs | undefined> = {
  adx: over(whole, new Adx(14), ({ adx, plus, minus }) => ({ adx, pdi: plus, mdi: minus })),
  atr: over(whole, new Atr(14), (atr) => ({ atr })),
  bb: over(close, new Bollinger(), (b) => ({ ...bands(b), sma: b.middle })),
  donchian: over(whole, new Donchian(20), (b) => ({ ...bands(b), centerline: b.middle })),
  ema: over(close, new Ema(20), (ema) => ({ ema })),
  keltner: over(whole, new Keltner(), (b) => ({ ...bands(b), centerline: b.middle })),
  macd: over(close, new Macd(), ({ macd, signal, histogram }) => ({ macd, signal, histogram })),
  obv: over(whole, new Obv(), (obv) => ({ obv })),
  roc: over(close, new Roc(14), (roc) => ({ roc })),
  rsi: over(close, new Rsi(14), (rsi) => ({ rsi })),
  sma: over(close, new Sma(20), (sma) => ({ sma })),
  stoch: over(whole, new Stochastic(), ({ k, d }) => ({ oscillator: k, signal: d })),
  supertrend: over(whole, new Supertrend(), ({ trend, line }) => ({
    superTrend: line,
    ...(trend === 'up' ? { lowerBand: line } : { upperBand: line }),
  })),
  vwap: over(whole, new Vwap(), (vwap) => ({ vwap })),
  wma: over(close, new Wma(14), (wma) => ({ wma })),
};

/** Fields that the published files have before the others; ours emits only once all are known. */
const EARLY = new Set(['pdi', 'mdi', 'macd', 'oscillator']);

describe.skipIf(!hasPublishedValues)('indicators against published values', () => {
  it.each(Object.keys(CASES))('%s agrees on every bar to 1e-9', (name) => {
    const expected = publishedValues(name);
    const step = CASES[name]!;
    const bars = publishedBars();
    expect(bars).toHaveLength(expected.length);
    let compared = 0;
    bars.forEach((bar, index) => {
      const row = expected[index]!;
      const outputs = step(bar);
      if (outputs === undefined) {
        const known = Object.keys(row).filter((key) => typeof row[key] === 'number');
        expect(known.filter((key) => !EARLY.has(key) && isOurs(name, key))).toEqual([]);
        return;
      }
      for (const [key, value] of Object.entries(outputs)) {
        const wanted = row[key];
        expect(wanted, `${name} ${key} at ${index}`).toBeTypeOf('number');
        const error = Math.abs(value - wanted!);
        expect(error, `${name} ${key} at ${index}`).toBeLessThan(
          1e-9 * Math.max(1, Math.abs(wanted!)),
        );
        compared++;
      }
    });
    expect(compared).toBeGreaterThan(400);
  });
});

/** Whether a published field is one that the indicator here has too. */
function isOurs(name: string, key: string): boolean {
  const main: Record<string, string[]> = {
    adx: ['adx'],
    atr: ['atr'],
    bb: ['sma', 'upperBand'],
    donchian: ['upperBand', 'lowerBand'],
    keltner: ['upperBand', 'lowerBand'],
    macd: ['signal', 'histogram'],
    stoch: ['signal'],
    supertrend: ['superTrend'],
  };
  return main[name]?.includes(key) ?? key === name;
}
