import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DepthSynchronizer } from '../../../src/history/depth-synchronizer.ts';
import { readRawMessage } from '../../../src/history/raw.ts';
import { LevelBook } from '../../../src/sim/models/level-book.ts';
import { dataFile, dataOr } from '../../recordings.ts';

/** A recording in the words of the exchange, for where the real ones are not at hand. */
const OWN = [
  '1704067200001000000 {"lastUpdateId":10,"bids":[["99.90","2"],["99.80","5"]],"asks":[["100.00","1"],["100.10","3"]]}',
  '1704067200002000000 {"stream":"x@depth","data":{"e":"depthUpdate","E":1704067200002,"s":"X","U":9,"u":12,"b":[["99.90","0"]],"a":[["99.95","4"]]}}',
  '1704067200002000000 {"stream":"x@bookTicker","data":{"u":12,"s":"X","b":"99.80","B":"5","a":"99.95","A":"4"}}',
  '1704067200003000000 {"stream":"x@depth","data":{"e":"depthUpdate","E":1704067200003,"s":"X","U":13,"u":14,"b":[["99.85","1"]],"a":[]}}',
  '1704067200003000000 {"stream":"x@bookTicker","data":{"u":14,"s":"X","b":"99.85","B":"1","a":"99.95","A":"4"}}',
];

interface Facts {
  readonly 'best-bid-ask': {
    readonly files: Readonly<Record<string, { readonly diffs: number; readonly compared: number }>>;
  };
}

function recordings(): [string, string[], { diffs: number; compared: number }, number][] {
  const facts = dataOr<Facts | undefined>('oracles/book-and-bars.json', undefined);
  if (facts === undefined) return [['a recording of its own', OWN, { diffs: 2, compared: 2 }, 2]];
  return Object.entries(facts['best-bid-ask'].files).map(([name, { diffs, compared }]) => {
    const lines = gunzipSync(readFileSync(dataFile(name)!))
      .toString()
      .split('\n');
    return [name, lines.filter((line) => line !== ''), { diffs, compared }, 2];
  });
}

/** Best bid and ask of each side with their amounts. */
type Best = readonly [number, number, number, number];

describe('LevelBook', () => {
  test.each(recordings())(
    'has the exchange’s own best prices all through %s',
    (_, lines, facts, scale) => {
      const book = new LevelBook();
      const factor = 10 ** scale;
      const synchronizer = new DepthSynchronizer();
      const tickers = new Map<number, Best>();
      const seen = new Map<number, Best>();
      let diffs = 0;
      const set = (side: 'buy' | 'sell', [price, amount]: readonly [number, number]): void => {
        book.side(side).set(Math.round(price * factor), amount);
      };
      for (const line of lines) {
        const message = readRawMessage(line);
        if (message.kind === 'bookTicker') {
          tickers.set(message.updateId, [...message.bid, ...message.ask]);
        }
        if (message.kind === 'diff') diffs++;
        const records =
          message.kind === 'snapshot'
            ? synchronizer.snapshot(message.snapshot)
            : message.kind === 'diff'
              ? synchronizer.diff(message.diff)
              : [];
        for (const record of records) {
          if (record.kind === 'gap') throw new Error(record.reason);
          if (record.kind === 'book') {
            book.clear();
            for (const level of record.bids) set('buy', level);
            for (const level of record.asks) set('sell', level);
          } else for (const [side, ...level] of record.changes) set(side, level);
        }
        if (message.kind === 'diff' && records.length > 0) {
          const [bid, ask] = [book.bids.best, book.asks.best];
          const amounts = [book.bids.amountAt(bid), book.asks.amountAt(ask)] as const;
          seen.set(message.diff.lastUpdateId, [bid / factor, amounts[0], ask / factor, amounts[1]]);
        }
      }
      const compared = [...seen].filter(([update]) => tickers.has(update));
      expect([diffs, compared.length]).toEqual([facts.diffs, facts.compared]);
      for (const [update, best] of compared) expect(best).toEqual(tickers.get(update));
    },
  );
});
