/**
 * Trades a second through a whole backtest: bus, strategy, risk, executor and simulated exchange with
 * the trades model, its queue on; journal, equity and charts as `tradewind backtest` keeps them.
 * Trades are made up from a seed, chunk by chunk in typed arrays: making them is not counted.
 *
 * Two strategies: `quoting` changes its order every 20 trades, `idle` hears every trade and wishes
 * nothing. The same run times a reference loop beside them: the same chunks through a bare RxJS
 * subject to one subscriber. Goals: quoting 1.5 M trades/s, idle 5 M, memory under 300 MB whatever
 * the count.
 *
 * Each strategy has a process of its own: one warms the other's code for other uses, and the memory
 * told is that of the process.
 *
 * Run: node bench/backtest-ticks.ts [--count 5m] [--strategy quoting|idle] [--rounds 1]
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { map, Subject } from 'rxjs';
import type { TradeColumns } from '../src/domain/index.ts';
import { type Random, seededRandom } from '../src/kernel/index.ts';
import { readCount, thousands, timeRun } from './backtest-run.ts';

const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '5m' },
    strategy: { type: 'string' },
    rounds: { type: 'string', default: '1' },
  },
});

const CHUNK_ROWS = 65_536;
const START_MS = Date.UTC(2024, 0, 1);
const EVENTS_PER_CHANGE = 20;
/** The longest time between two trades, milliseconds. */
const MOST_APART_MS = 400;

/** A price that wanders by ticks and bounces between bid and ask, five trades a second. */
class TradeMaker {
  readonly #random: Random = seededRandom('ticks');
  readonly #columns: TradeColumns = {
    time: new Float64Array(CHUNK_ROWS),
    received: new Float64Array(CHUNK_ROWS).fill(Number.NaN),
    price: new Float64Array(CHUNK_ROWS),
    amount: new Float64Array(CHUNK_ROWS),
    side: new Float64Array(CHUNK_ROWS),
  };
  #time = START_MS;
  #bid = 3_000_000;

  /** So many trades in chunks, each in the arrays of the one before. */
  *make(count: number): Generator<TradeColumns> {
    for (let made = 0; made < count; made += CHUNK_ROWS) {
      yield this.#next(Math.min(CHUNK_ROWS, count - made));
    }
  }

  #next(length: number): TradeColumns {
    const columns = this.#columns;
    for (let at = 0; at < length; at++) {
      const draw = this.#random.next();
      const buys = draw < 0.5;
      if (draw < 0.1) this.#bid++;
      else if (draw > 0.9) this.#bid--;
      this.#time += 1 + Math.floor(this.#random.next() * MOST_APART_MS);
      columns.time[at] = this.#time;
      columns.price[at] = (buys ? this.#bid + 1 : this.#bid) / 100;
      columns.amount[at] = (1 + Math.floor(this.#random.next() * 1_000)) / 1_000;
      columns.side[at] = buys ? 1 : -1;
    }
    return length === CHUNK_ROWS ? columns : beginningOf(columns, length);
  }
}

function beginningOf(columns: TradeColumns, length: number): TradeColumns {
  const cut = Object.entries(columns).map(([name, values]) => [name, values.subarray(0, length)]);
  return Object.fromEntries(cut) as TradeColumns;
}

/** Buys and sells in turn: one order, another one every 20 trades. */
const QUOTING = `
import { defineStrategy, filter, map, quotes, z } from '#strategy';
export default defineStrategy({
  name: 'quoting',
  params: z.strictObject({}),
  run: (context) => {
    let heard = 0;
    let buys = false;
    return context.trades().pipe(
      filter(() => ++heard % ${EVENTS_PER_CHANGE} === 0),
      map(({ price }) => {
        buys = !buys;
        const level = { price: price + (buys ? -0.01 : 0.01), amount: 0.01 };
        return quotes(context.market, buys ? [level] : [], buys ? [] : [level]);
      }),
    );
  },
});`;

const IDLE = `
import { defineStrategy, ignoreElements, z } from '#strategy';
export default defineStrategy({
  name: 'idle',
  params: z.strictObject({}),
  run: (context) => context.trades().pipe(ignoreElements()),
});`;

const STRATEGIES = { quoting: QUOTING, idle: IDLE } as const;
const GOALS = { quoting: 1_500_000, idle: 5_000_000 } as const;

/** Trades a second of a backtest. */
async function timeBacktest(name: keyof typeof STRATEGIES, count: number): Promise<number> {
  const { playMs, told } = await timeRun({
    ...{ strategy: STRATEGIES[name], kind: 'trades', rows: new TradeMaker().make(count) },
    ...{ firstMs: START_MS, endMs: START_MS + count * MOST_APART_MS },
    settings: { fill: { model: 'trades' }, report: { html: false } },
  });
  const rate = (count / playMs) * 1_000;
  console.log(`  ${name}: ${thousands(rate)} trades/s, ${told}`);
  return rate;
}

/** The reference: the same trades as objects through a bare subject. */
function timeReference(count: number): number {
  const subject = new Subject<{ readonly price: number; readonly amount: number }>();
  let sum = 0;
  subject.pipe(map(({ price, amount }) => price * amount)).subscribe((value) => {
    sum += value;
  });
  let spentMs = 0;
  for (const { price, amount } of new TradeMaker().make(count)) {
    const start = performance.now();
    for (let at = 0; at < price.length; at++) {
      subject.next({ price: price[at]!, amount: amount[at]! });
    }
    spentMs += performance.now() - start;
  }
  if (Number.isNaN(sum)) throw new Error('a sum is wanted');
  return (count / spentMs) * 1_000;
}

const count = readCount(flags.count);
const names = (['quoting', 'idle'] as const).filter(
  (name) => flags.strategy === undefined || flags.strategy === name,
);
if (names.length > 1) {
  for (const name of names) {
    const flagged = [import.meta.filename, ...process.argv.slice(2), '--strategy', name];
    execFileSync(process.execPath, flagged, { stdio: 'inherit' });
  }
  process.exit();
}
const reference = timeReference(Math.min(count, 5_000_000));
console.log(`reference, bare RxJS: ${thousands(reference)} trades/s`);
for (const name of names) {
  const rates: number[] = [];
  for (let round = 0; round < Number(flags.rounds); round++)
    rates.push(await timeBacktest(name, count));
  const best = Math.max(...rates);
  console.log(
    `${name}: ${thousands(best)} trades/s (goal ${thousands(GOALS[name])}), ` +
      `ratio to the reference ${(best / reference).toFixed(4)}`,
  );
}
