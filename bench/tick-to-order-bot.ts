/** The bot of `tick-to-order.ts`: composed as a session composes it, its rate limits lifted. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { compileSoon } from '../src/app/compile-soon.ts';
import { composeBot } from '../src/app/compose.ts';
import { deploymentSchema } from '../src/app/config/deployment.ts';
import { createLogger } from '../src/app/log/logging.ts';
import { systemClock } from '../src/app/time/system-clock.ts';
import { seededRandom } from '../src/kernel/index.ts';
import { FileJournal } from '../src/storage/index.ts';
import { defineStrategy, map, order, z } from '../src/strategy/index.ts';
import { connectZb } from '../src/venues/zb/client/index.ts';
import type { Setup } from './tick-to-order.ts';

/** One order a depth, buying and selling in turn. */
const taker = defineStrategy({
  name: 'taker',
  params: z.strictObject({}),
  run: (context) =>
    context.depth().pipe(
      map(({ asks, bids }, count) => {
        const [side, level] =
          count % 2 === 0 ? (['buy', asks[0]] as const) : (['sell', bids[0]] as const);
        const terms = { side, price: level![0], amount: 0.001 };
        return order(context.market, { tag: 'take', type: 'ioc', ...terms });
      }),
    ),
});

compileSoon('bot');
const { ports, durability } = JSON.parse(process.argv[2]!) as Setup;
const folder = mkdtempSync(join(tmpdir(), 'tick-to-order-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const baseUrl = `http://127.0.0.1:${ports.bot}`;
const addresses = {
  dataUrl: baseUrl,
  tradeUrl: baseUrl,
  pushUrl: `ws://127.0.0.1:${ports.bot}/websocket`,
};
const config = deploymentSchema.parse({
  name: 'tick-to-order',
  venue: { kind: 'zb', ...addresses, accessKey: { env: 'KEY' }, secretKey: { env: 'SECRET' } },
  markets: ['btc_usdt'],
  strategies: [{ use: 'taker' }],
  risk: {
    ordersPerWindowMax: 100_000,
    strategyOrdersPerWindowMax: 100_000,
    dailyLossMax: 1e9,
    drawdownMax: 1e9,
  },
  ...(durability === undefined ? {} : { journal: { durability } }),
});

const clock = systemClock;
const random = seededRandom('tick to order');
const logger = createLogger(config.log, { target: { write: () => {}, isTerminal: false }, clock });
const keys = { accessKey: 'test-access-key', secretKey: 'test-secret-key' };
const client = connectZb({ ...addresses, ...keys, clock, random, logger });
const limits = { ...client.limits, requestsPerSecond: 100_000, requestsPerMinute: 1_000_000 };
const exchange = { ...client, limits };

await lastValueFrom(exchange.warm());
const known = await lastValueFrom(exchange.market.markets());
const markets = new Map(known.map((market) => [market.id, market]));
const { path: _, ...settings } = config.journal;
const journal = new FileJournal({
  ...settings,
  path: join(folder, 'journal'),
  clock,
  configHash: 'bench',
});
const bot = composeBot({
  ...{ config, clock, random, logger, exchange, markets, journal, past: undefined },
  strategies: [{ name: 'taker', definition: taker, params: {}, markets: [...markets.values()] }],
});

let refusals = 0;
bot.bus.on('refusal').subscribe(({ refusal }) => {
  if (refusals++ < 3) console.error('refused', refusal);
});
process.on('disconnect', () => process.exit());
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
await lastValueFrom(bot.engine.start(), { defaultValue: undefined });
setTimeout(() => process.send?.('ready'), 500);
