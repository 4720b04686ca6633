/**
 * Trades a second through the whole bot: bus, strategy, risk, executor and simulated exchange with
 * the trades model, its queue on. Trades are made up from a seed, chunk by chunk in typed arrays.
 *
 * Two strategies: `quoting` changes its order every 20 trades, `idle` hears every trade and wishes
 * nothing. The same run times a reference loop beside them: the same chunks through a bare RxJS
 * subject to one subscriber. Goals: quoting 1.5 M trades/s, idle 5 M, memory under 300 MB whatever
 * the count.
 *
 * Run: node bench/backtest-ticks.ts [--count 5m] [--strategy quoting|idle] [--rounds 1]
 */
import { parseArgs } from 'node:util';
import { Subject } from 'rxjs';
import type { TradeColumns } from '../src/domain/index.ts';
import { type Random, seededRandom } from '../src/kernel/index.ts';
import { TradesFeed, TradesModel, tradesModelSchema } from '../src/sim/index.ts';
import { defineStrategy, filter, ignoreElements, map, quotes, z } from '../src/strategy/index.ts';
import { MARKET as market, peakMegabytes, startBot, thousands } from './backtest-bot.ts';

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
const TICK = 0.01;

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

  /** The next chunk, in the arrays of the one before. */
  next(): TradeColumns {
    const columns = this.#columns;
    for (let at = 0; at < CHUNK_ROWS; at++) {
      const draw = this.#random.next();
      const buys = draw < 0.5;
      if (draw < 0.1) this.#bid++;
      else if (draw > 0.9) this.#bid--;
      this.#time += 1 + Math.floor(this.#random.next() * 400);
      columns.time[at] = this.#time;
      columns.price[at] = (buys ? this.#bid + 1 : this.#bid) / 100;
      columns.amount[at] = (1 + Math.floor(this.#random.next() * 1_000)) / 1_000;
      columns.side[at] = buys ? 1 : -1;
    }
    return columns;
  }
}

/** Buys and sells in turn: one order, another one every 20 trades. */
const quoting = defineStrategy({
  name: 'quoting',
  params: z.strictObject({}),
  run: (context) => {
    let heard = 0;
    let buys = false;
    return context.trades().pipe(
      filter(() => ++heard % EVENTS_PER_CHANGE === 0),
      map(({ price }) => {
        buys = !buys;
        const level = { price: price + (buys ? -TICK : TICK), amount: 0.01 };
        return quotes(context.market, buys ? [level] : [], buys ? [] : [level]);
      }),
    );
  },
});

const idle = defineStrategy({
  name: 'idle',
  params: z.strictObject({}),
  run: (context) => context.trades().pipe(ignoreElements()),
});

const STRATEGIES = { quoting, idle } as const;
const GOALS = { quoting: 1_500_000, idle: 5_000_000 } as const;

/** Trades a second of the bot. */
async function timeBot(name: keyof typeof STRATEGIES, count: number): Promise<number> {
  let last: number | undefined;
  const { clock, host, bus, counts } = await startBot({
    ...{ market, startMs: START_MS, kinds: ['trade'], strategy: STRATEGIES[name] },
    balances: { usdt: '1000000', btc: '100' },
    prices: { depth: () => undefined, last: () => last, isFresh: () => last !== undefined },
  });
  const settings = tradesModelSchema.parse({ model: 'trades' });
  const model = host.fillBy(market.id, (market) => new TradesModel(market, settings));
  const feed = new TradesFeed({ clock, market, publish: (event) => bus.publish(event) });
  const trades = new TradeMaker();
  let spentMs = 0;
  for (let played = 0; played < count; played += CHUNK_ROWS) {
    const rows = trades.next();
    const { time, price } = rows;
    const start = performance.now();
    const length = Math.min(CHUNK_ROWS, count - played);
    for (let at = 0; at < length; at++) {
      clock.advanceTo(time[at]!);
      model.play(rows, at);
      last = price[at]!;
      feed.hear(rows, at);
    }
    spentMs += performance.now() - start;
  }
  const rate = (count / spentMs) * 1_000;
  const { requests, fills, refusals } = counts;
  console.log(
    `  ${name}: ${thousands(rate)} trades/s, ${thousands(requests)} requests, ` +
      `${thousands(fills)} fills, ${refusals} refusals, ${peakMegabytes()} MB at most`,
  );
  return rate;
}

/** The reference: the same trades as objects through a bare subject. */
function timeReference(count: number): number {
  const subject = new Subject<{ readonly price: number; readonly amount: number }>();
  let sum = 0;
  subject.pipe(map(({ price, amount }) => price * amount)).subscribe((value) => {
    sum += value;
  });
  const trades = new TradeMaker();
  let spentMs = 0;
  for (let played = 0; played < count; played += CHUNK_ROWS) {
    const { price, amount } = trades.next();
    const start = performance.now();
    const length = Math.min(CHUNK_ROWS, count - played);
    for (let at = 0; at < length; at++) subject.next({ price: price[at]!, amount: amount[at]! });
    spentMs += performance.now() - start;
  }
  if (Number.isNaN(sum)) throw new Error('a sum is wanted');
  return (count / spentMs) * 1_000;
}

function readCount(text: string): number {
  const count = Number(text.replace(/m$/i, '')) * (/m$/i.test(text) ? 1e6 : 1);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`Cannot run ${text} trades: a number such as 5m is wanted`);
}

const count = readCount(flags.count);
const names = (['quoting', 'idle'] as const).filter(
  (name) => flags.strategy === undefined || flags.strategy === name,
);
const reference = timeReference(Math.min(count, 5_000_000));
console.log(`reference, bare RxJS: ${thousands(reference)} trades/s`);
for (const name of names) {
  const rates: number[] = [];
  for (let round = 0; round < Number(flags.rounds); round++) rates.push(await timeBot(name, count));
  const best = Math.max(...rates);
  console.log(
    `${name}: ${thousands(best)} trades/s (goal ${thousands(GOALS[name])}), ` +
      `ratio to the reference ${(best / reference).toFixed(4)}`,
  );
}
