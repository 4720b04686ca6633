import { describe, expect, it } from 'vitest';
import { loadBacktest, runBacktest, type Source } from '../../../../src/app/backtest/index.ts';
import { timeOf } from '../../../../src/domain/index.ts';
import { DEPTH_EVENTS } from '../../../../src/history/index.ts';
import { type Random, seededRandom } from '../../../../src/kernel/index.ts';
import { journalLine } from '../../../../src/storage/index.ts';
import { makeMarket } from '../../../domain/fixture.ts';
import { wholeCurve } from '../../../report/fixture.ts';
import { backtestFile, LIMITS, MINUTE, START_MS } from '../fixture.ts';

const RESTLESS = new URL('../restless.ts', import.meta.url).pathname;
const MARKETS = ['btc_usdt', 'eth_usdt'];
/** Rows of a market, and of a chunk: more than once the last row of a chunk is the last known. */
const ROWS = 400;
const CHUNK_ROWS = 7;

type Kind = Source['kind'];
type Row = { readonly time: number } & Readonly<Record<string, number>>;

/** A price in whole cents that wanders. */
class Walk {
  readonly #random: Random;
  cents = 1_000_000;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Moves on by at most so much. */
  next(span: number): number {
    this.cents += this.#random.integer(2 * span + 1) - span;
    return this.cents / 100;
  }
}

const MAKERS: Readonly<Record<Kind, (random: Random) => Row[]>> = {
  candles: (random) => {
    const walk = new Walk(random);
    return Array.from({ length: ROWS }, (_, at) => {
      const [open, close] = [walk.next(300), walk.next(1_500)];
      const high = Math.max(open, close) + random.integer(600) / 100;
      const low = Math.min(open, close) - random.integer(600) / 100;
      const volume = random.integer(40) / 100;
      return { time: START_MS + at * MINUTE, open, high, low, close, volume };
    });
  },
  trades: (random) => {
    const walk = new Walk(random);
    let time = START_MS;
    return Array.from({ length: ROWS }, () => {
      time += random.integer(4) * 50;
      return { ...happened(time), ...traded(walk.next(700), random) };
    });
  },
  depth: (random) => {
    const walk = new Walk(random);
    let time = START_MS;
    return Array.from({ length: ROWS }, (_, at) => {
      time += random.integer(4) * 50;
      return updateAt(at, { walk, random }).map((row) => ({
        ...happened(time),
        update: at,
        ...row,
      }));
    }).flat();
  },
  quotes: (random) => {
    const walk = new Walk(random);
    let time = START_MS;
    return Array.from({ length: ROWS }, () => {
      time += random.integer(4) * 50;
      const bid = walk.next(random.integer(3) * 300);
      const ask = bid + (1 + random.integer(200)) / 100;
      const [bidAmount, askAmount] = [1, 1].map((least) => (least + random.integer(9)) / 100);
      return { ...happened(time), bid, bidAmount: bidAmount!, ask, askAmount: askAmount! };
    });
  },
};

const happened = (time: number) => ({ time, received: time + 5 });

function traded(price: number, random: Random) {
  return { side: random.integer(2) === 0 ? 1 : -1, price, amount: (1 + random.integer(9)) / 100 };
}

/** An update of a book: a whole one now and then, else a level, a trade or, rarely, a gap. */
function updateAt(at: number, { walk, random }: { walk: Walk; random: Random }) {
  const price = walk.next(300);
  const draw = at === 0 ? 0 : random.integer(100);
  if (draw < 25) {
    const sides = [1, -1].flatMap((side) => [1, 2, 3].map((level) => ({ side, level })));
    return sides.map(({ side, level }) => {
      const amount = (1 + random.integer(9)) / 100;
      return { event: DEPTH_EVENTS.snapshot, side, price: price - side * level, amount };
    });
  }
  if (draw === 25) return [{ event: DEPTH_EVENTS.gap, side: 1, price: 0, amount: 0 }];
  const row = traded(price, random);
  return [
    draw < 60
      ? { event: DEPTH_EVENTS.trade, ...row }
      : { event: DEPTH_EVENTS.change, ...row, price: price - row.side },
  ];
}

/** A market whose rows are those of one seed, and from a time on those of another. */
function sourceOf(id: string, past: { kind: Kind; changeMs: number; seed: string }): Source {
  const { kind, changeMs, seed } = past;
  const made = (name: string) => MAKERS[kind](seededRandom(`${name} ${id}`));
  const rows = [
    ...made('known').filter(({ time }) => time < changeMs),
    ...made(seed).filter(({ time }) => time >= changeMs),
  ];
  const names = Object.keys(rows[0]!);
  const stepMs = kind === 'candles' ? MINUTE : 1;
  const source = {
    ...{ kind, name: id, hash: id, stepMs, interval: '1min' },
    market: makeMarket({ id, base: id.slice(0, 3), minAmount: 0.001, minSize: 0 }),
    firstMs: START_MS,
    endMs: rows.at(-1)!.time + stepMs,
    async *chunks(from: number, to: number) {
      const inside = rows.filter(({ time }) => time >= from && time < to);
      for (let at = 0; at < inside.length; at += CHUNK_ROWS) {
        const chunk = inside.slice(at, at + CHUNK_ROWS);
        yield Object.fromEntries(
          names.map((name) => [name, Float64Array.from(chunk, (row) => row[name]!)]),
        );
      }
    },
  };
  return source as unknown as Source;
}

interface World {
  readonly kind: Kind;
  readonly backtest: object;
  /** When the exchange knows first of a row: when a candle opens, when it closes, or at its time. */
  readonly knows: 'opens' | 'closes' | 'ticks';
}

/** Something that happened: a line of the journal, or what the account was worth. */
interface Line {
  readonly time: number;
  readonly text: string;
  /** Whether it was wished or measured, not done: at its moment nothing new has had an effect. */
  readonly isThought: boolean;
}

/** All that was decided and done, and what the account was worth, each with its time. */
async function played({ kind, backtest }: World, change: { changeMs: number; seed: string }) {
  const file = backtestFile({
    markets: MARKETS,
    strategies: [{ use: RESTLESS, name: 'restless', params: { hears: kind } }],
    fees: { maker: 0.0002, taker: 0.001 },
    risk: LIMITS,
    backtest: {
      balances: { usdt: '100000', btc: '9', eth: '9' },
      equityEvery: '1min',
      ...backtest,
    },
  });
  const sources = MARKETS.map((id) => sourceOf(id, { kind, ...change }));
  const lines: Line[] = [];
  const { record } = await runBacktest({
    ...{ deployment: loadBacktest(file), sources },
    period: { warmFromMs: START_MS, fromMs: START_MS, toMs: START_MS + ROWS * MINUTE },
    onEvent: (event) => {
      const isThought = event.kind === 'intent';
      lines.push({ time: timeOf(event), text: journalLine(event), isThought });
    },
  });
  const { time, equity } = wholeCurve(record);
  for (const [at, worth] of equity.entries()) {
    lines.push({ time: time[at]!, text: `worth ${worth}`, isThought: true });
  }
  return { lines, fills: record.fills };
}

const SLOW = { order: { lognormal: { medianMs: 40, sigma: 0.5 } }, answer: 30 };
const LATE = { ...SLOW, feed: { lognormal: { medianMs: 60, sigma: 1 } } };
const NEXT_OPEN = { at: 'nextOpen', limits: 'touch', volumeCap: null };
const PATH = { path: 'openHighLowClose', slippage: { basisPoints: 3 } };

function world(kind: Kind, fill: object, latency: object = {}): World {
  const knows = kind !== 'candles' ? 'ticks' : 'at' in fill ? 'opens' : 'closes';
  return { kind, knows, backtest: { fill: { model: kind, ...fill }, latency } };
}

const WORLDS: readonly (readonly [string, World])[] = [
  ['candles, at this close', world('candles', {})],
  ['candles, at the next open', world('candles', NEXT_OPEN)],
  ['candles, late', world('candles', PATH, { ...SLOW, feed: 900 })],
  ['candles, late at the next open', world('candles', NEXT_OPEN, { ...SLOW, feed: 900 })],
  ['trades', world('trades', {})],
  ['trades, late', world('trades', { printCap: false, queueAhead: 'none' }, LATE)],
  ['depth', world('depth', {})],
  ['quotes', world('quotes', {})],
  ['quotes of one size, late', world('quotes', { size: 0.05 }, LATE)],
  ['depth, late', world('depth', { queue: 'conservative' }, LATE)],
];

describe('what happens in a backtest before a time', () => {
  it.each(WORLDS)('does not hang on the data behind it: %s', async (_name, world) => {
    const stepMs = world.kind === 'candles' ? MINUTE : 1;
    const endMs = START_MS + ROWS * (world.kind === 'candles' ? MINUTE : 75);
    const known = await played(world, { changeMs: Number.POSITIVE_INFINITY, seed: '' });
    expect(new Set(Array.from(known.fills, ({ market, side }) => `${market} ${side}`)).size).toBe(
      4,
    );
    expect([...known.fills].length).toBeGreaterThan(100);
    const random = seededRandom('places');
    for (const seed of ['one', 'two', 'three', 'four']) {
      const steps = Math.floor((endMs - START_MS) / stepMs);
      const changeMs = START_MS + (Math.floor(steps / 5) + random.integer(steps / 2)) * stepMs;
      const changed = await played(world, { changeMs, seed });
      const knownMs = world.knows === 'closes' ? changeMs + MINUTE : changeMs;
      // Of an open it knows when all has been wished and measured that the close before set off.
      const isBefore = ({ time, isThought }: Line) =>
        time < knownMs || (world.knows === 'opens' && time === knownMs && isThought);
      const before = ({ lines }: typeof known) => lines.filter(isBefore);
      expect(before(changed)).toEqual(before(known));
      expect(before(known).length).toBeGreaterThan(100);
      expect(changed.lines).not.toEqual(known.lines);
    }
  });
});
