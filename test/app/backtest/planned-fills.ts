import {
  type BacktestDeployment,
  loadBacktest,
  runBacktest,
  type Source,
} from '../../../src/app/backtest/index.ts';
import type { OrderType, Side } from '../../../src/domain/index.ts';
import type { Random } from '../../../src/kernel/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { backtestFile, LIMITS, START_MS } from './fixture.ts';

/** Prices count cents, amounts thousandths. */
export const PRICE_FACTOR = 100;
export const AMOUNT_FACTOR = 1_000;

export interface PlannedOrder {
  readonly at: number;
  readonly tag: string;
  readonly type: OrderType;
  /** Default: the side of the run. */
  readonly side?: Side;
  readonly price: number;
  readonly amount: number;
}

/** Wished when row `at` was heard: an order of that tag, or that one is taken back. */
export type Planned = PlannedOrder | { readonly at: number; readonly cancel: string };

export interface PlanOptions {
  /** The first row and the last on which something is wished. */
  readonly from: number;
  readonly to: number;
  /** How likely a row has an order, and a cancel. */
  readonly orders: number;
  readonly cancels: number;
  readonly order: (at: number) => { type: OrderType; side?: Side; price: number; amount: number };
}

/** Orders, some of which are taken back. */
export function makePlan(random: Random, options: PlanOptions): Planned[] {
  const plan: Planned[] = [];
  const live: string[] = [];
  for (let at = options.from; at <= options.to; at++) {
    if (random.next() < options.orders) {
      const tag = `t${plan.length}`;
      plan.push({ at, tag, ...options.order(at) });
      live.push(tag);
    }
    if (random.next() < options.cancels && live.length > 0) {
      plan.push({ at, cancel: live.splice(random.integer(live.length), 1)[0]! });
    }
  }
  return plan;
}

export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random.integer(choices.length)]!;
}

const MARKET = makeMarket({ amountScale: 3, minAmount: 0.001, minSize: 0 });

/** A market in memory, its rows one chunk. */
export function plannedSource(
  parts: Pick<Source, 'kind' | 'stepMs'> & { columns: { time: Float64Array }; lengthMs: number },
): Source {
  const { columns, lengthMs, ...others } = parts;
  return {
    ...{ market: MARKET, name: 'test', hash: '', interval: '1min', ...others },
    ...{ firstMs: START_MS, endMs: START_MS + lengthMs },
    async *chunks() {
      yield columns;
    },
  } as unknown as Source;
}

/** Units; milliseconds after the start. */
export interface PlannedFill {
  readonly tag: string;
  readonly price: number;
  readonly amount: number;
  readonly ms: number;
}

/** Fills in lines, sorted: those of an order at one time as one, for an answer may tell their sum. */
export function fillTexts(fills: readonly PlannedFill[]): string[] {
  const sums = new Map<string, { amount: number; value: number }>();
  for (const { tag, price, amount, ms } of fills) {
    const sum = sums.get(`${tag} at ${ms}`) ?? { amount: 0, value: 0 };
    sums.set(`${tag} at ${ms}`, {
      amount: sum.amount + amount,
      value: Math.round((sum.value + amount * price) * 1e3) / 1e3,
    });
  }
  return Array.from(sums, ([key, { amount, value }]) => `${key}: ${amount} for ${value}`).sort();
}

export interface PlannedRun {
  readonly source: Source;
  /** Of orders that do not say theirs. Default: buy. */
  readonly side?: Side;
  readonly plan: readonly Planned[];
  readonly backtest: object;
  /** Default: those below. */
  readonly fees?: typeof FEES;
  /** Of the executor. Default: its own. */
  readonly executor?: object;
  /** Whether wishes are counted by the books of depth that are heard. Default: by its trades. */
  readonly hearsBooks?: boolean;
}

export const BALANCES = { usdt: '100000', btc: '1000' };
export const FEES = { maker: 0.001, taker: 0.002 };

export interface Filled {
  /** Sorted lines. */
  readonly fills: string[];
  /** What the account has in the end, of each currency. */
  readonly balances: Record<string, number>;
}

/** What a backtest fills of a plan, and what that leaves. */
export async function filledOf(run: PlannedRun): Promise<Filled> {
  const balances: Record<string, number> = {};
  for (const [currency, amount] of Object.entries(BALANCES)) balances[currency] = Number(amount);
  const tags = new Map<string, string>();
  const fills: PlannedFill[] = [];
  await runBacktest({
    ...{ deployment: deploymentOf(run), sources: [run.source] },
    onEvent: (event) => {
      if (event.kind === 'order') {
        const { clientOrderId, tag } = event.order;
        tags.set(clientOrderId, tag ?? '');
      }
      if (event.kind === 'balance') {
        for (const { currency, available, frozen } of event.balances) {
          balances[currency] = Number(available.plus(frozen));
        }
      }
      if (event.kind !== 'fill') return;
      const { clientOrderId, value, amount, time } = event.fill;
      const price = (Number(value) / amount) * PRICE_FACTOR;
      const units = { price, amount: Math.round(amount * AMOUNT_FACTOR) };
      fills.push({ tag: tags.get(clientOrderId)!, ...units, ms: time - START_MS });
    },
  });
  return { fills: fillTexts(fills), balances };
}

function deploymentOf(run: PlannedRun): BacktestDeployment {
  const { source, side = 'buy', plan, backtest, fees = FEES, executor = {}, hearsBooks } = run;
  const many = {
    ...{ ordersPerWindowMax: 1e6, strategyOrdersPerWindowMax: 1e6 },
    ...{ openOrdersPerSideMax: 1_000, openOrdersPerMarketMax: 1_000 },
  };
  const settings = {
    ...{ markets: [MARKET.id], fees, executor },
    ...{ strategies: [{ use: './scripted.ts', name: 'planned' }], risk: { ...LIMITS, ...many } },
    backtest: { balances: BALANCES, ...backtest },
  };
  const depth = hearsBooks ? 'depth()' : 'trades()';
  const streams = { candles: `candles('1min')`, trades: 'trades()', quotes: 'depth()', depth };
  const stream = streams[source.kind];
  return loadBacktest(backtestFile(settings, strategyText({ side, plan, stream })));
}

function strategyText(parts: { side: Side; plan: readonly Planned[]; stream: string }): string {
  return `import { cancel, defineStrategy, mergeMap, order, z } from '#strategy';
const PLAN = ${JSON.stringify(parts.plan)};
export default defineStrategy({
  name: 'planned',
  params: z.strictObject({}),
  run({ market, ...context }) {
    let row = -1;
    const wishOf = ({ cancel: tag, price, amount, ...order_ }) =>
      tag === undefined
        ? order(market, { side: '${parts.side}', ...order_, price: price / ${PRICE_FACTOR}, amount: amount / ${AMOUNT_FACTOR} })
        : cancel(market, tag);
    return context.${parts.stream}.pipe(
      mergeMap(() => {
        row++;
        return PLAN.filter(({ at }) => at === row).map(({ at, ...wish }) => wishOf(wish));
      }),
    );
  },
});
`;
}
