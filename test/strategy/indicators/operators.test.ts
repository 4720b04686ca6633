import {
  firstValueFrom,
  from,
  map,
  type Observable,
  type OperatorFunction,
  of,
  throwError,
  toArray,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  adx,
  atr,
  Bollinger,
  bollinger,
  Crossover,
  crossover,
  Ema,
  ema,
  isFresh,
  itself,
  Keltner,
  Macd,
  macd,
  mfi,
  midPrice,
  obv,
  Rsi,
  returns,
  roc,
  rsi,
  Sma,
  Stochastic,
  StrategyError,
  Supertrend,
  scriptedDepth,
  sma,
  supertrend,
  tema,
  together,
  volatility,
  vwap,
  williamsR,
  wma,
} from '../../../src/strategy/index.ts';
import { type DailyBar, publishedBars } from '../fixture.ts';

const collect = <T>(source: Observable<T>): Promise<T[]> => firstValueFrom(source.pipe(toArray()));

const bar = (close: number, volume = 1): DailyBar => ({
  open: close,
  high: close + 1,
  low: close - 1,
  close,
  volume,
});

describe('indicator operators', () => {
  it('emit nothing until warm, then once for each value', async () => {
    const values = from([1, 2, 3, 4, 5]);
    expect(await collect(values.pipe(sma(3)))).toEqual([2, 3, 4]);
    expect(await collect(values.pipe(ema(3)))).toEqual([2, 3, 4]);
    expect(await collect(values.pipe(wma(2)))).toEqual([5 / 3, 8 / 3, 11 / 3, 14 / 3]);
    expect(await collect(values.pipe(roc(4)))).toEqual([400]);
    expect(await collect(of(4, 2, 3).pipe(rsi(2)))).toEqual([100 / 3]);
  });

  it('keep no state between subscriptions', async () => {
    const averages = from([1, 2, 3]).pipe(ema(2));
    expect(await collect(averages)).toEqual(await collect(averages));
  });

  it.each<readonly [string, OperatorFunction<number, unknown>]>([
    ['sma', sma(2)],
    ['ema', ema(2)],
    ['wma', wma(2)],
    ['tema', tema(2)],
    ['rsi', rsi(2)],
    ['roc', roc(2)],
    ['macd', macd({ fast: 1, slow: 2, signal: 2 })],
    ['bollinger', bollinger({ length: 2 })],
    ['returns', returns()],
    ['volatility', volatility(2)],
  ])(
    '%s passes over what is no finite number, and goes on as if it had not been',
    async (_, operator) => {
      const holed = from([NaN, 1, 2, NaN, 3, 5, Infinity, 4, NaN, 6, 7]);
      const whole = from([1, 2, 3, 5, 4, 6, 7]);
      expect(await collect(holed.pipe(operator))).toEqual(await collect(whole.pipe(operator)));
    },
  );

  it('recover from a candle that holds what is no number', async () => {
    const bars = [bar(100), bar(101), bar(NaN), ...Array.from({ length: 9 }, () => bar(102))];
    for (const operator of [atr(2), adx(2), mfi(2), vwap(), obv(), supertrend({ length: 2 })]) {
      const outputs = await collect(
        from(bars).pipe(operator as OperatorFunction<DailyBar, unknown>),
      );
      expect(JSON.stringify(outputs.at(-1))).not.toContain('null');
    }
  });

  it.each([
    ['vwap', vwap()],
    ['obv', obv()],
  ])('%s counts nothing of a candle whose close is no number', async (_, operator) => {
    const [before, after] = [
      [bar(100), bar(101)],
      [bar(103), bar(102), bar(105)],
    ];
    const whole = await collect(from([...before, ...after]).pipe(operator));
    for (const close of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const outputs = await collect(from([...before, bar(close), ...after]).pipe(operator));
      expect(outputs.at(-1)).toBe(whole.at(-1));
    }
  });

  it('warm up after the stated number of candles', async () => {
    const bars = Array.from({ length: 40 }, (_, index) => bar(100 + Math.sin(index) * 5));
    const source = from(bars);
    expect(await collect(source.pipe(atr(14)))).toHaveLength(40 - 14);
    expect(await collect(source.pipe(adx(14)))).toHaveLength(40 - 27);
    expect(await collect(source.pipe(supertrend()))).toHaveLength(40 - 10);
    expect(await collect(source.pipe(vwap()))).toHaveLength(40);
    const closes = source.pipe(map(({ close }) => close));
    expect(await collect(closes.pipe(macd()))).toHaveLength(40 - 33);
  });

  it('pass a failing source on', async () => {
    const failing = throwError(() => new Error('gone')).pipe(sma(1));
    await expect(collect(failing)).rejects.toThrow('gone');
  });
});

describe('the options of an indicator', () => {
  it.each([
    ['Bollinger bands', 'length, deviations', (options: never) => new Bollinger(options)],
    ['the Keltner channel', 'length, atrLength, multiplier', (o: never) => new Keltner(o)],
    ['the MACD', 'fast, slow, signal', (options: never) => new Macd(options)],
    ['the stochastic', 'length, smoothing, signal', (options: never) => new Stochastic(options)],
    ['the supertrend', 'length, multiplier', (options: never) => new Supertrend(options)],
  ])('of %s are an object of those that it knows', (name, known, make) => {
    const cannot = `Cannot compute ${name}: `;
    expect(() => make(30 as never)).toThrow(
      `${cannot}the options are 30, an object with some of ${known} is wanted`,
    );
    expect(() => make({ lenght: 30 } as never)).toThrow(
      new StrategyError(`${cannot}the option lenght is not known, one of ${known} is wanted`),
    );
  });
});

describe('together', () => {
  it('emits all outputs of one value at once, from when the slowest is warm', async () => {
    const pairs = from([1, 2, 3, 4]).pipe(together(() => [itself, new Sma(2), new Ema(3)]));
    expect(await collect(pairs)).toEqual([
      [3, 2.5, 2],
      [4, 3.5, 3],
    ]);
  });
});

describe('crossover', () => {
  it('says up and down at each change of sides, not at the start and not at a touch', async () => {
    const lines = from([
      [1, 2],
      [2, 2],
      [1, 2],
      [3, 2],
      [2, 2],
      [3, 2],
      [1, 2],
    ] as const);
    expect(await collect(lines.pipe(crossover()))).toEqual(['up', 'down']);
  });

  it('waits for lines that are not warm', () => {
    const step = new Crossover();
    expect(step.next(undefined, 1)).toBeUndefined();
    expect(step.next(2, 1)).toBeUndefined();
    expect(step.next(0, 1)).toBe('down');
  });
});

describe('indicators without published values', () => {
  const closes = [10, 11, 12, 11, 10.5, 11.5, 13, 12.5, 12, 14];
  const volumes = [1, 2, 3, 2, 1, 2, 4, 1, 2, 3];
  const bars = closes.map((close, at) => ({
    ...{ close, high: close + 1, low: close - 0.5 * (1 + (at % 2)), volume: volumes[at]! },
  }));

  // As the Python package TA-Lib 0.8.2 computes them.
  it.each<readonly [string, Observable<number>, number[]]>([
    ['tema', from(closes).pipe(tema(3)), [12.72222222, 12.64496528, 12.12456597, 13.73090278]],
    [
      'mfi',
      from(bars).pipe(mfi(3)),
      [72.67080745, 52.77108434, 41.31736527, 87.64478764, 85.82230624, 58.84543762, 53.2769556],
    ],
    [
      'williamsR',
      from(bars).pipe(williamsR(3)),
      [-28.57142857, -66.66666667, -83.33333333, -40, -25, -42.85714286, -80, -28.57142857],
    ],
  ])('%s gives what TA-Lib gives', async (_name, source, expected) => {
    const values = await collect(source);
    expect(values.map((value) => Number(value.toFixed(8)))).toEqual(expected);
  });
});

describe('returns and volatility', () => {
  it('returns are fractions of the former value', async () => {
    expect(await collect(from([100, 110, 99]).pipe(returns()))).toEqual([
      110 / 100 - 1,
      99 / 110 - 1,
    ]);
  });

  it('volatility is zero for steady growth and the deviation of returns otherwise', async () => {
    const steady = await collect(from([1, 2, 4, 8]).pipe(volatility(2)));
    expect(steady).toEqual([0, 0]);
    const [swing] = await collect(from([100, 110, 99]).pipe(volatility(2)));
    expect(swing).toBeCloseTo(0.1, 12);
  });
});

describe('midPrice', () => {
  it('skips books with an empty side', async () => {
    const full = scriptedDepth({ time: 0, bid: 99, ask: 101 });
    const source = from([full, { ...full, asks: [] }, { ...full, bids: [] }]);
    expect(await collect(source.pipe(midPrice()))).toEqual([100]);
  });
});

describe('isFresh', () => {
  it('is true until told, hears its own stream alone and speaks at changes', async () => {
    const word = (stream: 'depth' | 'trade', fresh: boolean) =>
      ({ kind: 'freshness', market: 'btc_usdt', time: 0, ageMs: 0, stream, fresh }) as const;
    const words = from([
      word('depth', true),
      word('trade', false),
      word('depth', false),
      word('depth', false),
      word('depth', true),
    ]);
    expect(await collect(words.pipe(isFresh('depth')))).toEqual([true, false, true]);
  });
});

describe('flat markets', () => {
  it('give finite values: RSI 50, stochastic 0, volatility 0', async () => {
    const flat = Array.from({ length: 30 }, () => 5);
    const strength = new Rsi(14);
    expect(flat.map((value) => strength.next(value)).at(-1)).toBe(50);
    const oscillator = new Stochastic();
    const same = { high: 5, low: 5, close: 5 };
    expect(flat.map(() => oscillator.next(same)).at(-1)).toEqual({ k: 0, d: 0 });
    expect((await collect(from(flat).pipe(volatility(5)))).at(-1)).toBe(0);
    expect((await collect(from(flat.map(() => same)).pipe(williamsR()))).at(-1)).toBe(0);
    const bars = flat.map(() => ({ ...same, volume: 0 }));
    expect((await collect(from(bars).pipe(mfi(5)))).at(-1)).toBe(50);
    expect((await collect(from(bars).pipe(adx(5)))).at(-1)).toEqual({ adx: 0, plus: 0, minus: 0 });
    expect(await collect(from(bars).pipe(vwap()))).toEqual([]);
    expect(await collect(from(bars.slice(0, 2)).pipe(obv()))).toEqual([0, 0]);
  });
});

describe('Ema', () => {
  it('stays within the range of its input on real prices', () => {
    const closes = publishedBars().map(({ close }) => close);
    const values = closes.length > 0 ? closes : [212.8, 214.06, 213.89, 214.66, 213.95];
    const average = new Ema(3);
    const outputs = values
      .map((value) => average.next(value))
      .filter((value) => value !== undefined);
    expect(outputs).toHaveLength(values.length - 2);
    expect(Math.min(...outputs)).toBeGreaterThanOrEqual(Math.min(...values));
    expect(Math.max(...outputs)).toBeLessThanOrEqual(Math.max(...values));
  });
});
