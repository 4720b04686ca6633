import { describe, expect, it } from 'vitest';
import type { DepthStart } from '../../src/history/depth-synchronizer.ts';
import { RawReader } from '../../src/history/raw.ts';
import { recordsOf } from './fixture.ts';

const STAMP = '1723161254087896568';

/** A recording in small: a diff before the snapshot, one that spans it, one after, two trades. */
const SMALL = [
  `${STAMP} {"stream":"btcusdt@depth@100ms","data":{"e":"depthUpdate","E":1723161255208,"s":"BTCUSDT","U":1,"u":4,"b":[["100.10","1.0"]],"a":[]}}`,
  `${STAMP} {"stream":"btcusdt@trade","data":{"e":"trade","E":1723161255343,"s":"BTCUSDT","t":77,"p":"100.20","q":"0.02","T":1723161255342,"m":true,"M":true}}`,
  `${STAMP} {"lastUpdateId":5,"bids":[["100.10","2.0"],["100.00","3.0"]],"asks":[["100.20","1.5"],["100.30","4.0"]]}`,
  `${STAMP} {"stream":"btcusdt@depth@100ms","data":{"e":"depthUpdate","E":1723161255408,"s":"BTCUSDT","U":5,"u":8,"b":[["100.10","0.0"],["100.15","0.7"]],"a":[]}}`,
  `${STAMP} {"stream":"btcusdt@bookTicker","data":{"u":8,"s":"BTCUSDT","b":"100.15","B":"0.7","a":"100.20","A":"1.5"}}`,
  `${STAMP} {"stream":"btcusdt@trade","data":{"e":"trade","E":1723161255500,"s":"BTCUSDT","t":78,"p":"100.20","q":"0.5","T":1723161255499,"m":false,"M":true}}`,
].join('\n');

describe('RawReader', () => {
  it('gives trades as they come and depth from the snapshot on, with both clocks', async () => {
    const records = await recordsOf(SMALL);
    const receivedTime = 1_723_161_254_087.8965;
    expect(records).toEqual([
      {
        ...{ kind: 'trade', time: 1_723_161_255_342, receivedTime, id: '77' },
        ...{ price: 100.2, amount: 0.02, takerSide: 'sell' },
      },
      {
        ...{ kind: 'book', time: 1_723_161_255_342, receivedTime },
        bids: [
          [100.1, 2],
          [100, 3],
        ],
        asks: [
          [100.2, 1.5],
          [100.3, 4],
        ],
      },
      {
        ...{ kind: 'levels', time: 1_723_161_255_408, receivedTime },
        changes: [
          ['buy', 100.1, 0],
          ['buy', 100.15, 0.7],
        ],
      },
      {
        ...{ kind: 'trade', time: 1_723_161_255_499, receivedTime, id: '78' },
        ...{ price: 100.2, amount: 0.5, takerSide: 'buy' },
      },
    ]);
  });

  it('tells depth that has no snapshot as a gap', async () => {
    const [first = ''] = SMALL.split('\n');
    expect(await recordsOf(first)).toMatchObject([{ kind: 'gap' }]);
  });

  it('stamps a snapshot as the message before it, but for a silence between', async () => {
    const [first = '', , snapshot = ''] = SMALL.split('\n');
    const seconds = (count: number): string => String(BigInt(STAMP) + BigInt(count) * 10n ** 9n);
    for (const [count, time] of [
      [1, 1_723_161_255_208],
      [60, 1_723_161_315_208],
    ] as const) {
      const records = await recordsOf(`${first}\n${snapshot.replace(STAMP, seconds(count))}`);
      expect(records).toMatchObject([{ kind: 'book', time }]);
    }
  });

  it('passes over what is known already, changes by their updates where these are known', () => {
    const knownUntil = 1_723_161_255_408;
    const read = (depth: DepthStart | undefined): string[] => {
      const reader = new RawReader({ depth, knownUntil });
      const lines = SMALL.split('\n').map((text, at) => ({ text, number: at + 1 }));
      return lines.flatMap((line) => reader.read(line)).map(({ kind }) => kind);
    };
    expect(read(undefined)).toEqual(['trade']);
    expect(read({ updateId: 4, isFresh: true })).toEqual(['levels', 'trade']);
  });
});

describe('RawReader, of lines that are no part of it,', () => {
  it('refuses a second market', async () => {
    const text = `${SMALL}\n${SMALL.split('\n')[1]!.replace('"BTCUSDT"', '"ETHUSDT"')}`;
    await expect(recordsOf(text)).rejects.toThrow(
      'it is of ETHUSDT after BTCUSDT, one market a file is wanted',
    );
  });

  it.each([
    ['{"stream":"x","data":{"e":"trade","T":1723161255342,"p":"x"}}', 'the price is "x"'],
    ['{"e":"trade","T":1723161255342,"p":"1","q":"1"}', '"buyer is maker" is missing'],
    ['{"e":"depthUpdate","E":1723161255342,"U":1,"u":2,"a":[]}', 'the bids are missing'],
    ['{"e":"depthUpdate","E":1723161255342,"U":1,"u":2,"b":[1],"a":[]}', 'a level is 1'],
    ['{"lastUpdateId":"x","bids":[],"asks":[]}', 'the last update id is "x"'],
    ['{"broken', 'JSON'],
    ['{"data":null}', 'the message is null'],
  ])('says what is wrong with %s', async (message, what) => {
    const text = `${SMALL}\n\n${STAMP} ${message}\n`;
    await expect(recordsOf(text)).rejects.toThrow(what);
  });

  it('passes over entries that are no trade and messages it does not know', async () => {
    const text = [
      `${STAMP} {"e":"trade","T":1723161255342,"s":"A","t":1,"p":"0","q":"0","X":"NA","m":true}`,
      `${STAMP} {"e":"markPriceUpdate","E":1723161255342,"s":"A","p":"1"}`,
    ].join('\n');
    expect(await recordsOf(text)).toEqual([]);
  });
});
