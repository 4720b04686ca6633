import { NEVER } from 'rxjs';
import { composeBot } from '../../src/app/compose.ts';
import { loadDeployment } from '../../src/app/load-deployment.ts';
import { complete, pass } from '../../src/app/time/drive.ts';
import type { Intent, Market } from '../../src/domain/index.ts';
import type { StrategyInstance } from '../../src/engine/index.ts';
import { type Random, seededRandom, silentLogger, VirtualClock } from '../../src/kernel/index.ts';
import { SimulatedExchange } from '../../src/sim/index.ts';
import {
  cancel,
  defineStrategy,
  map,
  merge,
  order,
  quotes,
  NEVER as SILENT,
  target,
  timer,
  z,
} from '../../src/strategy/index.ts';
import { deploymentFile } from '../app/fixture.ts';
import { makeMarket } from '../domain/fixture.ts';
import { KeptJournal } from '../storage/kept-journal.ts';

/** What a strategy wishes, and when, milliseconds after it starts. */
export interface Wish {
  readonly atMs: number;
  readonly of: (market: Market) => Intent;
}

export interface CrowdOptions {
  /** The wishes of each strategy, all in one market. */
  readonly wishes: Readonly<Record<string, readonly Wish[]>>;
  /** Another market, and the wishes of who trades there. Default: there is none. */
  readonly beside?: { readonly market: Market; readonly wishes: CrowdOptions['wishes'] };
  readonly risk?: object;
  readonly executor?: object;
  /** One way to the exchange, milliseconds. Default: none. */
  readonly latencyMs?: number;
  /** What the account has at the start. Default: plenty. */
  readonly balances?: Readonly<Record<string, string>>;
}

type Ladders = Parameters<ReturnType<SimulatedExchange['anonymous']>['replace']>[0];

const PLENTY = { usdt: '100000', btc: '100' };

/** Several strategies in one market of a quiet exchange, or in two, on virtual time. */
export async function crowdFixture(options: CrowdOptions) {
  const { wishes, beside, risk, executor, latencyMs = 0, balances = PLENTY } = options;
  const clock = new VirtualClock(Date.UTC(2024, 0, 1, 9));
  const market = makeMarket();
  const traded = beside === undefined ? [market] : [market, beside.market];
  const markets = new Map(traded.map((one) => [one.id, one]));
  const settings = { ...(risk && { risk }), ...(executor && { executor }) };
  const { config } = loadDeployment(
    deploymentFile({ markets: traded.map(({ id }) => id), ...settings }),
  );
  const host = new SimulatedExchange({
    ...{ clock, markets: traded },
    ...(latencyMs > 0 && {
      latency: { requestMs: latencyMs, answerMs: latencyMs, pushMs: latencyMs },
    }),
    accounts: [{ name: 'main', balances }],
  });
  const journal = new KeptJournal();
  const bot = composeBot({
    ...{ config, clock, markets, past: undefined, random: seededRandom(1), logger: silentLogger },
    ...{ journal, exchange: host.account('main')! },
    strategies: [
      ...Object.entries(wishes).map(([name, own]) => spoken(name, { market, own, traded })),
      ...Object.entries(beside?.wishes ?? {}).map(([name, own]) =>
        spoken(name, { market: beside!.market, own, traded }),
      ),
    ],
  });
  await complete(bot.engine.start(), clock);
  const positionOf = (strategy?: string): number =>
    bot.sources.positions.position(market.id, strategy).amount.toNumber();
  return {
    ...{ clock, market, positionOf, state: bot.sources.state, events: journal.events },
    /** What others have resting from now on. Default: in the market of all. */
    book: (
      bids: readonly [number, number][],
      asks: readonly [number, number][],
      id = market.id,
    ): void => host.anonymous(id).replace({ bids, asks } as unknown as Ladders),
    run: (durationMs: number) => pass(clock, { durationMs, until: NEVER }),
    /** What rests, by the exchange's own books. */
    resting: (): { readonly buys: number; readonly sells: number } => {
      const open = host.inspect('main').openOrders.get(market.id) ?? [];
      const sumOf = (side: string): number =>
        open
          .filter((one) => one.side === side)
          .reduce((sum, one) => sum + one.amount - one.filledAmount, 0);
      return { buys: sumOf('buy'), sells: sumOf('sell') };
    },
  };
}

function spoken(
  name: string,
  { market, own, traded }: { market: Market; own: readonly Wish[]; traded: readonly Market[] },
): StrategyInstance {
  const definition = defineStrategy({
    name,
    params: z.strictObject({}),
    run: ({ clock }) =>
      merge(SILENT, ...own.map(({ atMs, of }) => timer(atMs, clock).pipe(map(() => of(market))))),
  });
  return {
    ...{ name, params: {}, markets: traded },
    definition: definition as unknown as StrategyInstance['definition'],
  };
}

/** Tags that the orders of a crowd have. */
const TAGS = ['entry', 'profit', 'stop'] as const;

/** Random wishes of all kinds until `endMs`; then its orders are taken back, and all is to be sold. */
export function randomWishes(random: Random, endMs: number): Wish[] {
  const pick = <T>(from: readonly T[]): T => from[random.integer(from.length)]!;
  const price = (from: number, to: number): number =>
    Number((from + (to - from) * random.next()).toFixed(2));
  const amount = (): number => (1 + random.integer(150)) / 100;
  const levels = (from: number, to: number) =>
    Array.from({ length: random.integer(4) }, () => [price(from, to), amount()] as const);
  const wishOf = (): Wish['of'] => {
    switch (random.integer(4)) {
      case 0: {
        const position = (random.integer(600) - 300) / 100;
        return (market) => target(market, position);
      }
      case 1:
        return (market) => target(market, 0);
      case 2: {
        const [bids, asks] = [levels(96.5, 100.5), levels(99.5, 103.5)];
        const postOnly = random.next() < 0.7;
        return (market) => quotes(market, bids, asks, { postOnly });
      }
      default: {
        const side = pick(['buy', 'sell'] as const);
        const type = pick(['limit', 'ioc', 'postOnly'] as const);
        const terms = { tag: pick(TAGS), side, type, price: price(98, 102), amount: amount() };
        return (market) => order(market, terms);
      }
    }
  };
  const wishes: Wish[] = [];
  for (let atMs = 1_000; atMs < endMs; atMs += 100 + random.integer(1_500)) {
    wishes.push({ atMs, of: wishOf() });
  }
  for (const tag of TAGS) wishes.push({ atMs: endMs, of: (market) => cancel(market, tag) });
  return [...wishes, { atMs: endMs + 5_000, of: (market) => target(market, 0) }];
}
