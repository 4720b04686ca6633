import { NEVER } from 'rxjs';
import { composeBot } from '../../src/app/compose.ts';
import { loadDeployment } from '../../src/app/load-deployment.ts';
import { createLogger } from '../../src/app/log/logging.ts';
import type { Recollection } from '../../src/app/past/recall.ts';
import { loadStrategies } from '../../src/app/strategies/load-strategies.ts';
import { complete, pass } from '../../src/app/time/drive.ts';
import type { FullExchange, Permissions } from '../../src/exchange/index.ts';
import { seededRandom, VirtualClock } from '../../src/kernel/index.ts';
import { SimulatedExchange } from '../../src/sim/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import { KeptJournal } from '../storage/kept-journal.ts';
import { deploymentFile, keptLog } from './fixture.ts';

/** The strategy, whose name is its path. */
export const STEADY = new URL('../cli/fixtures/steady.ts', import.meta.url).pathname;

/** What earlier runs left: nothing but what is said. */
export function pastOf(overrides: Partial<Recollection> = {}): Recollection {
  return {
    liveOrders: [],
    aliveTimes: new Map(),
    requestTimes: [],
    held: [],
    bookings: [],
    endedOrderIds: [],
    guessedOrders: [],
    recentOrders: [],
    endedOrders: [],
    trading: { state: 'ACTIVE', reason: 'never changed' },
    ...overrides,
  };
}

export interface BotOptions {
  /** The path of its strategy. Default: the steady one. */
  readonly use?: string;
  readonly past?: Recollection;
  readonly resume?: boolean;
  readonly permissions?: Partial<Permissions>;
  readonly allowWithdrawals?: boolean;
  readonly journal?: KeptJournal;
  /** Default: that of the deployment's fixture. */
  readonly risk?: object;
  /** What stands between the bot and the exchange. Default: nothing. */
  readonly between?: (exchange: FullExchange, clock: VirtualClock) => FullExchange;
}

const same = (exchange: FullExchange): FullExchange => exchange;

/** A bot on an exchange in process that wants one order on each side of a quiet market. */
export async function composedBot(options: BotOptions = {}) {
  const { past, resume = false, journal = new KeptJournal(), between = same } = options;
  const { use = STEADY } = options;
  const clock = new VirtualClock(Date.UTC(2024, 0, 1));
  const market = makeMarket();
  const markets = new Map([[market.id, market]]);
  const { config, yaml } = loadDeployment(
    deploymentFile({
      strategies: [{ use, params: { amount: 0.1 } }],
      allowWithdrawals: options.allowWithdrawals ?? false,
      ...(options.risk && { risk: options.risk }),
    }),
  );
  const balances = { usdt: '10000', btc: '1' };
  const host = new SimulatedExchange({
    clock,
    markets: [market],
    accounts: [{ name: 'main', balances, permissions: options.permissions ?? {} }],
  });
  const log = keptLog();
  const { engine, sources } = composeBot({
    config,
    clock,
    markets,
    journal,
    past,
    resume,
    random: seededRandom(1),
    logger: createLogger(config.log, { target: log, clock }),
    exchange: between(host.account('main')!, clock),
    strategies: await loadStrategies({ entries: config.strategies, yaml }, markets),
  });
  const resting = () => host.inspect('main').openOrders.get(market.id)?.length ?? 0;
  return { engine, sources, journal, log, host, clock, resting };
}

/** The bot after two seconds of its life. */
export async function startedBot(options: BotOptions = {}) {
  const bot = await composedBot(options);
  const { engine, clock, host } = bot;
  await complete(engine.start(), clock);
  host.anonymous('btc_usdt').replace({ bids: [[99, 10]], asks: [[101, 10]] });
  await pass(clock, { durationMs: 2_000, until: NEVER });
  return bot;
}
