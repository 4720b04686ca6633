import { describe, expect, it } from 'vitest';
import {
  type QuoteRowsOptions,
  quoteRows,
  quotesIn,
} from '../../../../src/app/backtest/feeds/quote-rows.ts';
import type { QuoteColumns } from '../../../../src/domain/index.ts';

type Quote = readonly [
  time: number,
  bid: number,
  bidAmount: number,
  ask: number,
  askAmount: number,
];

function columnsOf(quotes: readonly Quote[]): QuoteColumns {
  const column = (at: number) => Float64Array.from(quotes, (quote) => quote[at]!);
  const [time, bid, bidAmount, ask, askAmount] = [0, 1, 2, 3, 4].map(column);
  const received = time!.map((ms) => ms + 5);
  return {
    time: time!,
    received,
    bid: bid!,
    bidAmount: bidAmount!,
    ask: ask!,
    askAmount: askAmount!,
  };
}

const EVENTS = ['', 'whole', 'change', 'trade', 'gap'];

/** Rows as text, those of a quote together, and how many quotes each chunk has. */
async function rowsOf(
  chunks: readonly (readonly Quote[])[],
  options: Partial<QuoteRowsOptions> = {},
) {
  const updates = new Map<number, string[]>();
  const counts: number[] = [];
  const source = (async function* () {
    for (const chunk of chunks) yield columnsOf(chunk);
  })();
  for await (const rows of quoteRows(source, { standing: undefined, gaps: [], ...options })) {
    counts.push(quotesIn(rows, rows.time.length));
    for (const [at, id] of rows.update.entries()) {
      expect(rows.received[at]! - rows.time[at]!).toBe(5);
      const side = rows.side[at]! > 0 ? 'bid' : 'ask';
      const text = `${EVENTS[rows.event[at]!]} ${side} ${rows.price[at]} ${rows.amount[at]}`;
      const quote = updates.get(id) ?? [`${rows.time[at]}`];
      updates.set(id, [...quote, text]);
    }
  }
  return { rows: [...updates.values()].map((texts) => texts.join(', ')), counts };
}

describe('quoteRows', () => {
  it('begins with a whole book, and goes on with what changes', async () => {
    const { rows, counts } = await rowsOf([
      [
        [1, 99, 5, 100, 1],
        [2, 99, 5, 100, 3],
        [3, 99.5, 2, 100, 3],
      ],
      [[4, 98, 2, 99, 3]],
    ]);
    expect(rows).toEqual([
      '1, whole bid 99 5, whole ask 100 1',
      '2, change ask 100 3',
      '3, change bid 99.5 2, change bid 99 0',
      '4, change bid 98 2, change ask 99 3, change bid 99.5 0, change ask 100 0',
    ]);
    expect(counts).toEqual([3, 1]);
  });

  it('has prices and amounts below one like all others', async () => {
    const { rows } = await rowsOf([
      [
        [1, 0.5, 0.3, 0.6, 0.4],
        [2, 0.45, 0.3, 0.7, 0.4],
      ],
    ]);
    expect(rows).toEqual([
      '1, whole bid 0.5 0.3, whole ask 0.6 0.4',
      '2, change bid 0.45 0.3, change ask 0.7 0.4, change bid 0.5 0, change ask 0.6 0',
    ]);
  });

  it('is heard where nothing changes, and ahead of what changes at the time before', async () => {
    const { rows } = await rowsOf([
      [
        [1, 99, 5, 100, 1],
        [2, 99, 5, 100, 1],
        [2, 99, 5, 100, 2],
      ],
    ]);
    expect(rows.slice(1)).toEqual(['2, change bid 0 0', '2, change bid 0 0, change ask 100 2']);
  });

  it('has nothing where a side is empty, and nothing at all before one is there', async () => {
    const { rows, counts } = await rowsOf([
      [
        [1, 0, 0, 0, 0],
        [2, 0, 0, 100, 1],
        [3, 99, 1, 0, 0],
        [4, 0, 0, 0, 0],
      ],
    ]);
    expect(rows).toEqual([
      '2, whole ask 100 1',
      '3, change bid 99 1, change ask 100 0',
      '4, change bid 99 0',
    ]);
    expect(counts).toEqual([3]);
  });
});

describe('quoteRows with something to begin with, or missing', () => {
  it('begins with the quote that stands', async () => {
    const standing = columnsOf([[10, 99, 5, 100, 1]]);
    const { rows } = await rowsOf([[[11, 99, 5, 101, 1]]], { standing });
    expect(rows).toEqual([
      '10, whole bid 99 5, whole ask 100 1',
      '11, change ask 101 1, change ask 100 0',
    ]);
  });

  it('knows nothing from the last quote before a gap to the first behind it', async () => {
    const { rows, counts } = await rowsOf(
      [
        [
          [1, 99, 5, 100, 1],
          [2, 99, 5, 100, 2],
          [2, 99, 5, 100, 3],
          [7, 99, 5, 100, 3],
          [8, 99, 5, 100, 4],
        ],
      ],
      {
        gaps: [
          { from: 2, to: 7, reason: 'cut' },
          { from: 9, to: 9, reason: 'cut' },
        ],
      },
    );
    expect(rows).toEqual([
      '1, whole bid 99 5, whole ask 100 1',
      '2, change ask 100 2',
      '2, change bid 0 0, gap bid 0 0',
      '7, whole bid 99 5, whole ask 100 3',
      '8, change ask 100 4',
    ]);
    expect(counts).toEqual([4]);
  });
});
