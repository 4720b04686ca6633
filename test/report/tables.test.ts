import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/kernel/index.ts';
import {
  analyse,
  METRICS,
  metricsJson,
  metricsTable,
  parseMetrics,
  ReportError,
  roundTrips,
  tradesCsv,
} from '../../src/report/index.ts';
import {
  makeCurve,
  makeFill,
  makeMarket,
  makeRealisticRecord,
  makeRecord,
  START,
} from './fixture.ts';

const quiet = analyse(makeRecord());

describe('metricsJson', () => {
  test('has a number or null for every metric, and a reason for every null', () => {
    const { metrics, reasons, units } = JSON.parse(metricsJson(quiet));
    expect(Object.keys(metrics)).toEqual(METRICS.map(({ id }) => id));
    expect(Object.keys(units)).toEqual(Object.keys(metrics));
    const missing = Object.keys(metrics).filter((id) => metrics[id] === null);
    expect(missing).toContain('sharpe');
    expect(Object.keys(reasons)).toEqual(missing);
    expect(reasons.sharpe).toBe('10 periods, at least 30 wanted');
  });

  test('has money without the noise of doubles, to the last place that they hold', () => {
    const moneyOf = (...equity: number[]) => {
      const { metrics } = JSON.parse(
        metricsJson(analyse(makeRecord({ curve: makeCurve(equity) }))),
      );
      return metrics.netProfit;
    };
    expect(10_000.1 - 10_000).not.toBe(0.1);
    expect(moneyOf(10_000, 10_000.1)).toBe(0.1);
    expect(moneyOf(10_000, 9_350.98252026)).toBe(-649.01747974);
    expect(moneyOf(0.001, 0.00100001)).toBe(0.00000001);
  });

  test('keys stay: whoever reads the file relies on them', () => {
    expect(METRICS.map(({ id }) => id).join(' ')).toBe(
      'totalReturn netProfit annualReturn volatility sharpe sortinoArithmetic sortinoGeometric ' +
        'calmar maxDrawdown maxDrawdownAmount maxDrawdownLength maxDrawdownRecovery ' +
        'longestDrawdown exposureTime meanExposure turnover tradedValue trades winRate ' +
        'profitFactor expectancy expectancyRatio sqn averageTrade averageWin averageLoss ' +
        'bestTrade worstTrade losingStreak averageDuration fees feeShare slippage ' +
        'slippageShare makerShare missedOrders missedValue',
    );
  });

  test('confesses what the run leaves out, as the report does', () => {
    const confession = ['Orders fill at the close.', 'Fees are left out.'];
    const record = makeRecord({ fillModel: { name: 'candles', confession } });
    expect(JSON.parse(metricsJson(analyse(record))).confession).toEqual(confession);
    const { confession: kept, ...older } = JSON.parse(metricsJson(analyse(record)));
    expect(kept).toHaveLength(2);
    expect(parseMetrics(JSON.stringify(older)).confession).toEqual([]);
  });

  test('is the same text for the same run, and is read back as it was written', () => {
    const text = metricsJson(analyse(makeRealisticRecord({ minutes: 3000, trades: 20 })));
    expect(metricsJson(analyse(makeRealisticRecord({ minutes: 3000, trades: 20 })))).toBe(text);
    expect(`${JSON.stringify(parseMetrics(text), null, 2)}\n`).toBe(text);
  });

  test('has the starting balances, left alone, where they are more than money', () => {
    const curve = { ...makeCurve([1000, 1010]), leftAlone: Float64Array.of(1000, 1033.5) };
    const text = metricsJson(analyse(makeRecord({ curve })));
    const { leftAlone, leftAloneReasons } = parseMetrics(text);
    expect(leftAlone).toMatchObject({ totalReturn: 0.0335, netProfit: 33.5, sharpe: null });
    expect(leftAloneReasons).toMatchObject({ sharpe: '1 period, at least 30 wanted' });
    expect(JSON.parse(metricsJson(quiet))).not.toHaveProperty('leftAlone');
  });

  test('tells why there are no figures of buying and holding, of those that it may have', () => {
    const { buyAndHoldReasons } = parseMetrics(metricsJson(quiet));
    expect(buyAndHoldReasons).toMatchObject({ totalReturn: 'no prices are known' });
    expect(buyAndHoldReasons).not.toHaveProperty('trades');
  });

  test('parseMetrics refuses what is not such a file', () => {
    expect(() => parseMetrics('{')).toThrow('Cannot read the metrics: it is not JSON');
    expect(() => parseMetrics('{"format":1}')).toThrow(ReportError);
  });
});

describe('tradesCsv', () => {
  const trips = roundTrips({
    fills: [
      makeFill({ strategy: 'a "quoted", name', time: START }),
      makeFill({ strategy: 'a "quoted", name', side: 'sell', price: 100.3, time: START + 1500 }),
      makeFill({ strategy: 'b', side: 'sell', time: START }),
    ],
    markets: [makeMarket()],
    passed: new Map([['btc_usdt', { whole: { low: 99, high: 102 } }]]),
  });

  test('is RFC 4180: CRLF, a header, quotes doubled, as many fields in every line', () => {
    const lines = [...tradesCsv(trips)].join('').split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[3]).toBe('');
    expect(lines[0]).toMatch(/^market,strategy,side,openTime,closeTime,durationMs,amount,/);
    expect(lines[1]).toBe(
      'btc_usdt,"a ""quoted"", name",long,2021-04-20T00:00:00.000Z,2021-04-20T00:00:01.500Z,' +
        '1500,1,100,100.3,100,0,0.3,usdt,0.003,0,0.003,2',
    );
  });

  test('has durations without the noise of times in microseconds', () => {
    const times = [START + 0.123, START + 60_000.223];
    const fills = times.map((time, at) => makeFill({ side: at === 0 ? 'buy' : 'sell', time }));
    const made = roundTrips({ fills, markets: [makeMarket()], passed: new Map() });
    expect([...tradesCsv(made)][1]).toContain('Z,60000.1,');
  });

  test('small money has no exponent, as of markets that are quoted in coins', () => {
    const fee = Decimal.of('0.000000773099');
    const fills = [makeFill({ time: START, fee }), makeFill({ time: START, side: 'sell' })];
    const made = roundTrips({ fills, markets: [makeMarket()], passed: new Map() });
    expect([...tradesCsv(made)][1]).toContain(',0.000000773099,-0.000000773099,usdt,');
  });

  test('an open trip has empty fields where it has not ended', () => {
    expect([...tradesCsv(trips)].join('').split('\r\n')[2]).toBe(
      'btc_usdt,b,short,2021-04-20T00:00:00.000Z,,,1,100,,100,0,0,usdt,0,-0.02,0.01,1',
    );
  });
});

describe('metricsTable', () => {
  test.each([
    [10_000.35, '0.0035 %'],
    [9_999.9, '-0.0010 %'],
    [10_001, '0.01 %'],
    [10_000.001, '0.00 %'],
  ])(
    'has two more places of a percentage that is none otherwise: an equity of %d',
    (last, text) => {
      const table = metricsTable(analyse(makeRecord({ curve: makeCurve([10_000, last]) })));
      expect(table).toMatch(new RegExp(`^ {2}Return +${text}`, 'm'));
    },
  );

  test('names every metric with its unit, aligned, within 100 columns and without colours', () => {
    const text = metricsTable(analyse(makeRealisticRecord({ minutes: 3000, trades: 20 })));
    for (const { label } of METRICS) expect(text).toContain(`  ${label} `);
    const lines = text.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(text).not.toMatch(/\p{Cc}(?<!\n)/u);
    const ends = lines.filter((line) => / USDT$/.test(line) && !/held|hold/.test(line));
    expect(ends.length).toBeGreaterThan(3);
  });

  test('has a column for the starting balances, left alone', () => {
    const curve = makeCurve([1000, 1010]);
    const [leftAlone, buyAndHold] = [Float64Array.of(1000, 1033.5), Float64Array.of(1000, 1081)];
    const tableOf = (more: object): string =>
      metricsTable(analyse(makeRecord({ curve: { ...curve, ...more } })));
    const both = tableOf({ buyAndHold, leftAlone });
    expect(both).toMatch(
      /^Return +left alone +buy and hold\n {2}Return +1\.00 % +3\.35 % +8\.10 %$/m,
    );
    expect(tableOf({ leftAlone })).toMatch(/^Return +left alone\n {2}Return +1\.00 % +3\.35 %$/m);
    expect(both).toMatch(/^Trades\n {2}Trades +0$/m);
  });

  test('tells what decided the run below its period, ahead of all figures', () => {
    const record = makeRecord({ notes: ['Trading was HALTED.', 'A gap.'], decisive: 1 });
    const text = metricsTable(analyse(record));
    expect(text).toMatch(/ UTC, 0 events\nTrading was HALTED\.\n\nReturn/);
    expect(text).not.toContain('A gap.');
    const quietly = analyse({ ...record, decisive: 0 });
    expect(metricsTable(quietly)).toMatch(/ UTC, 0 events\n\nReturn/);
  });

  test('gives the reason where there is no number', () => {
    expect(metricsTable(quiet)).toMatch(/Sharpe +– .* 10 periods, at least 30 wanted\n/);
  });
});
