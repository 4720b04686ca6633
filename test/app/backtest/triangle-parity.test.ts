import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadBacktest, runBacktest, type Source } from '../../../src/app/backtest/index.ts';
import { runDeployment } from '../../../src/app/run-deployment.ts';
import { currenciesOf, type TradingEvent } from '../../../src/domain/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { HashJournal } from '../../../src/storage/index.ts';
import { virtualRun } from '../fixture.ts';
import { backtestFile } from './fixture.ts';

/** What a position is, and a quote; the least of a level is worth as much in each market. */
const MARKETS = {
  btc_usdt: { startPrice: 60_000, priceScale: 2, amount: 0.002, unit: 1 },
  eth_usdt: { startPrice: 3_000, priceScale: 2, amount: 0.04, unit: 1 },
  eth_btc: { startPrice: 0.05, priceScale: 6, amount: 0.04, unit: 1 / 60_000 },
};
type Name = keyof typeof MARKETS;
const NAMES = Object.keys(MARKETS) as Name[];
const BALANCES = { usdt: '20000', btc: '1', eth: '10' };
const FEES = { maker: 0, taker: 0.001 };

const HEAD = `import * as tw from '#strategy';
const { defineStrategy, filter, map, merge, protect, quotes, target, z } = tw;
const MARKETS = ${JSON.stringify(MARKETS)};
const hasBoth = ({ bids, asks }) => bids.length > 0 && asks.length > 0;
`;

/** Wishes positions of none, one and two in each market, as often as told, protected. */
const TARGETS = `${HEAD}
export default defineStrategy({
  name: 'targets',
  params: z.strictObject({ every: z.number(), rules: z.record(z.string(), z.number()) }),
  run(context) {
    const { markets, depth, params: { rules, every } } = context;
    const targets = markets.map((market, at) => {
      let books = 0;
      return depth(market).pipe(
        filter(() => ++books % every === at + 1),
        map(() => target(market, (Math.floor(books / every) % 3) * MARKETS[market.id].amount)),
      );
    });
    return merge(...targets).pipe(protect(context, rules));
  },
});
`;

/** Quotes in each market, moved with every tenth book; nobody comes to them. */
const QUOTES = `${HEAD}
export default defineStrategy({
  name: 'quotes',
  params: z.strictObject({}),
  run({ markets, depth }) {
    const wishes = markets.map((market) => {
      let books = 0;
      const { amount } = MARKETS[market.id];
      const around = ({ bids, asks }) =>
        quotes(market, [{ price: bids[0][0] * 0.98, amount }], [{ price: asks[0][0] * 1.02, amount }]);
      return depth(market).pipe(filter(hasBoth), filter(() => ++books % 10 === 0), map(around));
    });
    return merge(...wishes);
  },
});
`;

interface Trial {
  readonly text: string;
  readonly params?: object;
  /** Those of a second strategy. Default: there is none. */
  readonly beside?: object;
  /** What a position may be worth, in usdt. Default: 5000. */
  readonly positionValueMax?: number;
}

function fileOf({ text, params = {}, beside, ...trial }: Trial, backtest?: object): string {
  const markets = NAMES.map((id) => {
    const { startPrice, priceScale, unit } = MARKETS[id];
    const values = { levelValue: 2_000 * unit, tradeValue: 500 * unit };
    const synthetic = { startPrice, ...values, tradesPerMinute: 240, spread: 0.0008 };
    return { ...rulesOf(id), priceScale, synthetic: { ...synthetic, historyHours: 1 } };
  });
  const limits = (unit: number) => {
    const [orderValueMax, openValueMax, positionValueMax] = [
      1_000 * unit,
      3_000 * unit,
      (trial.positionValueMax ?? 5_000) * unit,
    ];
    return { orderValueMax, openValueMax, positionValueMax, collarFraction: 0.05 };
  };
  const settings = {
    ...{ name: 'test', seed: 'test', markets: NAMES, fees: FEES, log: { format: 'json' } },
    venue: {
      ...{ kind: 'simulated', transport: 'process', seed: 'test', markets, fees: FEES },
      accounts: [{ name: 'main', balances: BALANCES }],
    },
    strategies: [
      { use: './scripted.ts', name: 'triangle', params },
      ...(beside ? [{ use: './scripted.ts', name: 'beside', params: beside }] : []),
    ],
    risk: { ...limits(1), dailyLossMax: 200, markets: { eth_btc: limits(MARKETS.eth_btc.unit) } },
  };
  return backtestFile({ ...settings, ...(backtest && { backtest }) }, text);
}

const rulesOf = (id: Name) => ({ id, amountScale: 5, minAmount: 0.00001, minSize: 0 });

/** All that happens in a minute on paper, until the stop. */
async function onPaper(trial: Trial): Promise<readonly TradingEvent[]> {
  const events: TradingEvent[] = [];
  const spy = vi.spyOn(HashJournal.prototype, 'append').mockImplementation((event) => {
    events.push(event);
  });
  onTestFinished(() => spy.mockRestore());
  await runDeployment(virtualRun({ file: fileOf(trial), durationMs: 70_000 }));
  spy.mockRestore();
  return untilStop(events);
}

function untilStop(events: readonly TradingEvent[]): readonly TradingEvent[] {
  const isStop = (event: TradingEvent) => event.kind === 'run' && event.status === 'stopping';
  return events.slice(0, events.findIndex(isStop));
}

/** What a run heard of a market, as a recording of whole books and trades. */
function recordingOf(id: Name, heard: readonly TradingEvent[]): Source {
  const rows: number[][] = [];
  for (const [update, event] of heard.entries()) {
    if (event.kind === 'depth' && event.market === id) {
      const { receivedTime, bids, asks } = event;
      for (const level of bids) rows.push([receivedTime, update, 1, 1, ...level]);
      for (const level of asks) rows.push([receivedTime, update, 1, -1, ...level]);
    } else if (event.kind === 'trade' && event.market === id) {
      const { receivedTime, side, price, amount } = event;
      rows.push([receivedTime, update, 3, side === 'buy' ? 1 : -1, price, amount]);
    }
  }
  const column = (at: number) => Float64Array.from(rows, (row) => row[at]!);
  const [time, update, event, side, price, amount] = [0, 1, 2, 3, 4, 5].map(column);
  const columns = { time, received: time, update, event, side, price, amount };
  const market = { ...rulesOf(id), ...currenciesOf(id), priceScale: MARKETS[id].priceScale };
  return {
    ...{ market, name: id, hash: '', kind: 'depth', stepMs: 1, interval: '1min' },
    ...{ firstMs: time![0]!, endMs: time!.at(-1)! + 1 },
    async *chunks() {
      yield columns;
    },
  } as unknown as Source;
}

/** What happens in a backtest of all that was heard on paper. */
async function inBacktest(trial: Trial, heard: readonly TradingEvent[]) {
  const file = fileOf(trial, { balances: BALANCES, fill: { model: 'depth' } });
  const events: TradingEvent[] = [];
  await runBacktest({
    deployment: loadBacktest(file),
    sources: NAMES.map((id) => recordingOf(id, heard)),
    onEvent: (event) => void events.push(event),
  });
  return untilStop(events);
}

/**
 * Wishes, refusals, what rests and what fills, in lines. What several markets bring at one time has no
 * order among them, and the fills of an order at one time may be told together.
 */
function storyOf(events: readonly TradingEvent[]): readonly string[] {
  const filled = new Map<string, Decimal>();
  const lines = events.flatMap((event) => {
    switch (event.kind) {
      case 'intent':
        return `${event.time} wish ${JSON.stringify(event.intent)}`;
      case 'refusal':
        return `${event.time} ${event.market} ${event.refusal.code}: ${event.refusal.observed}`;
      case 'fill': {
        const { clientOrderId, market, side, value } = event.fill;
        const key = `${event.time} ${market} ${side} ${clientOrderId}`;
        filled.set(key, (filled.get(key) ?? Decimal.ZERO).plus(value));
        return [];
      }
      case 'order': {
        const { market, side, type, amount, price, status, tag } = event.order;
        if (type === 'ioc') return [];
        return `${event.time} ${market} ${side} ${amount} at ${price} ${status} ${tag}`;
      }
      default:
        return [];
    }
  });
  const fills = Array.from(filled, ([key, value]) => `${key.replace(/ \w+$/, '')} for ${value}`);
  return [...lines, ...fills].sort();
}

const RULES = [
  { stopLoss: 0.001, takeProfit: 0.0005 },
  { trailing: 0.0005, reenterAfterMs: 5_000 },
];

describe('three markets of a triangle, in a backtest of what was heard on paper,', () => {
  it.each(RULES)('reach the same targets by the same exits: %o', async (rules) => {
    const trial = { text: TARGETS, params: { every: 60, rules } };
    const paper = await onPaper(trial);
    const story = storyOf(paper);
    expect(
      story.filter((line) => line.includes('"position":0,"slippage":0.01')).length,
    ).toBeGreaterThan(3);
    expect(storyOf(await inBacktest(trial, paper))).toEqual(story);
  });

  it('get the room that another strategy leaves in the same second', async () => {
    const rules = { holdMaxMs: 600_000 };
    const params = { every: 23, rules };
    const beside = { every: 31, rules };
    const trial = { text: TARGETS, params, beside, positionValueMax: 300 };
    const paper = await onPaper(trial);
    const story = storyOf(paper);
    expect(story.filter((line) => line.includes(' position: ')).length).toBeGreaterThan(3);
    expect(storyOf(await inBacktest(trial, paper))).toEqual(story);
  });

  it('are left at the same times, whatever the book has become since it was heard', async () => {
    const trial = { text: TARGETS, params: { every: 60, rules: { holdMaxMs: 4_037 } } };
    const paper = await onPaper(trial);
    const timesOf = (events: readonly TradingEvent[]) =>
      storyOf(events).map((line) => line.replace(/ for .*/, ''));
    expect(timesOf(await inBacktest(trial, paper))).toEqual(timesOf(paper));
    expect(timesOf(paper).filter((line) => line.includes(' sell')).length).toBeGreaterThan(3);
  });

  it('have the same quotes', async () => {
    const trial = { text: QUOTES };
    const paper = await onPaper(trial);
    const story = storyOf(paper);
    expect(story.filter((line) => line.includes('cancelled')).length).toBeGreaterThan(50);
    expect(storyOf(await inBacktest(trial, paper))).toEqual(story);
  });
});
