import { describe, expect, it } from 'vitest';
import {
  type CandleRow,
  candle,
  candles,
  json,
  MINUTE_MS,
  START,
  Store,
} from '../store/fixture.ts';

const ID = 'local.btc_usdt.1min';

describe('halfFormed', () => {
  it('names the candle, its times and what differs, in plain digits', async () => {
    const store = new Store();
    const minutes = candles(0, 20).map((row) => row.with(5, 0.1) as CandleRow);
    const five = [0, 5, 10, 15].map((minute) => {
      const [time, open] = candle(minute);
      return [time, open, open + 5, open - 1, open + 4.5, 0.5] as CandleRow;
    });
    five[1] = [five[1]![0], 105, 108, 104, 107.5, 0.3];
    minutes[10] = minutes[10]!.with(5, 0.00000002) as CandleRow;
    await store.import(store.file('btc_usdt-1m.json', json(minutes)));
    await store.import(store.file('btc_usdt-5m.json', json(five)));
    const halfFormed = (minute: number, detail: string) => [
      {
        ...{ fault: 'half-formed', count: 1 },
        places: [{ time: START + minute * MINUTE_MS, detail }],
      },
    ];
    expect((await store.check('local.btc_usdt.5min')).findings).toEqual(
      halfFormed(
        5,
        'the 5min candle until 2024-02-01T00:00:00.000Z has high 108, close 107.5, ' +
          'volume 0.3, its 1min candles have high 110, close 109.5, volume 0.5: ' +
          'the 5min candle is half-formed',
      ),
    );
    expect((await store.check(ID)).findings).toEqual(
      halfFormed(
        10,
        'the 5min candle until 2024-02-01T00:05:00.000Z has volume 0.5, ' +
          'its 1min candles have volume 0.40000002: one of the 1min candles is half-formed',
      ),
    );
    // Checked without the other, it reports the other's too.
    expect((await store.check(ID, [])).findings).toMatchObject([{ count: 2 }]);
    expect((await store.check('local.btc_usdt.5min', [])).findings).toMatchObject([{ count: 2 }]);
  });
});

describe('halfFormed, of a candle that has the volume of its minutes,', () => {
  it('does not say which of them was saved too early', async () => {
    const store = new Store();
    const [time, open] = candle(5);
    const five = [time, open, open + 6, open - 1, open + 4.5, 50] as CandleRow;
    await store.import(store.file('btc_usdt-1m.json', json(candles(0, 10))));
    await store.import(store.file('btc_usdt-5m.json', json([five])), { resolution: '5min' });
    const detailsOf = async (id: string, beside?: readonly string[]) =>
      (await store.check(id, beside)).findings.flatMap(({ places }) =>
        places.map(({ detail }) => detail),
      );
    const told = [
      'the 5min candle until 2024-02-01T00:00:00.000Z has high 111, its 1min candles have high 110',
    ];
    expect(await detailsOf('local.btc_usdt.5min')).toEqual(told);
    expect(await detailsOf(ID)).toEqual([]);
    // Without the other, it has to report it.
    expect(await detailsOf(ID, [])).toEqual(told);
  });
});
