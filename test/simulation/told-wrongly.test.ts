import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/venues/zb/wire/index.ts';
import { checkSettled } from './agreement.ts';
import { World } from './world.ts';
import { BTC_USDT, type WorldOptions } from './world-options.ts';

/** The lookups and lists of orders. */
const READS = /^\/api\/getOrders?\?/;

/** A world whose bot trades. */
function tradingWorld(options: WorldOptions = {}) {
  const world = new World({ seed: 'a', ...options });
  world.advance(1_000);
  world.boot();
  world.advance(10_000);
  return world;
}

/** From now on the bot hears that instead of the exchange's answer. */
function retell({ network }: World, told: (body: string, target: string) => string): void {
  const { handle } = network;
  network.handle = (arrival, answered) =>
    handle.call(network, arrival, (body) => answered(told(body, arrival.target)));
}

/** The next double. */
function withDust(told: number): number {
  return told * (1 + 2 ** -52);
}

describe('amounts and prices that the exchange sums up in doubles', () => {
  it('are taken for what they mean', () => {
    const world = tradingWorld({ postOnly: false, fees: { maker: 0.001, taker: 0.002 } });
    const numbers = /"(price|total_amount|trade_amount|completeAmount)":"?([0-9.]+)"?/g;
    let retold = 0;
    retell(world, (body) =>
      body.replace(numbers, (_all, name, digits) => {
        if (withDust(Number(digits)) !== Number(digits)) retold++;
        return `"${name}":${withDust(Number(digits))}`;
      }),
    );
    checkSettled(world, 75_000);
    expect(retold).toBeGreaterThan(0);
  });
});

describe('batches that are answered with their ids in another order', () => {
  it.each([1, 2, 3])('are told apart by what their orders are (seed %i)', (seed) => {
    const world = tradingWorld({ seed, levels: 3, postOnly: false, executor: { batch: true } });
    let turned = 0;
    retell(world, (body, target) => {
      if (!target.startsWith('/api/orderMoreV2?')) return body;
      return body.replace(/(?<="data":\[)[^\]]+/, (ids) => {
        turned++;
        return ids.split(',').reverse().join();
      });
    });
    world.advance(60_000);
    checkSettled(world, 75_000);
    expect(turned).toBeGreaterThan(0);
  });
});

describe('a lookup that is answered with the order of another', () => {
  it('leaves the order unknown and is asked again, until the truth is told', () => {
    const world = tradingWorld({ levels: 1 });
    const other = {
      ...{ currency: 'btc_usdt', id: '202401010000777777', type: 1, status: 2 },
      ...{ price: 25_000, total_amount: 1, trade_amount: 1, trade_money: 25_000 },
      trade_date: world.clock.now(),
    };
    let asked = 0;
    let isMixedUp = true;
    retell(world, (body, target) => {
      if (!isMixedUp) return body;
      if (target.startsWith('/api/order?')) return '{"code":1001,"message":"响应超时"}';
      if (!/getOrder\?.*customerOrderId/.test(target)) return body;
      asked++;
      return JSON.stringify(other);
    });
    world.advance(30_000);
    expect(asked).toBeGreaterThan(1);
    expect(world.bot.sources.orders.unknownCount).toBeGreaterThan(0);
    isMixedUp = false;
    checkSettled(world, 75_000);
  });
});

describe('a cancel that the exchange acknowledges and loses', () => {
  it('is made up for by the lookup that shows the order', () => {
    const world = tradingWorld({ levels: 1 });
    const { check } = world;
    // One order too many rests, and ends twice by our books: that is the exchange's doing.
    world.check = () => {};
    world.stories.hear = () => {};
    const lost = new Set<string>();
    world.network.intercept = (target) => {
      const said = lost.size === 1 ? undefined : acknowledgement(world, target);
      if (said !== undefined) lost.add(/[?&]id=(\d+)/.exec(target)![1]!);
      return said;
    };
    for (let times = 0; times < 100 && lost.size === 0; times++) world.advance(500);
    world.stillMarkets();
    const [id] = lost;
    expect(world.books.record(id!)?.closed).toBe(false);
    expect(world.bot.sources.orders.byExchangeOrderId(id!)?.status).toBe('cancelled');
    world.advance(10_000);
    expect(world.books.record(id!)?.closed).toBe(true);
    world.check = check;
    checkSettled(world, 75_000);
  });
});

describe('cancels that the exchange acknowledges and does not carry out, for a while', () => {
  it.each([
    ['market-maker', 0],
    ['market-maker', 3],
    ['medley', 2],
    ['flood', 1],
  ] as const)(
    'leave few orders to themselves, and none for long (%s, seed %i)',
    (strategy, seed) => {
      const world = tradingWorld({ strategy, seed, levels: 2, floodPeriodMs: 1_000 });
      // More rest than are wished, and end twice by our books: that is the exchange's doing.
      world.check = () => {};
      world.stories.hear = () => {};
      world.network.intercept = (target) => acknowledgement(world, target);
      let most = 0;
      for (let seconds = 0; seconds < 90; seconds++) {
        world.advance(1_000);
        const known = world.bot.sources.orders.allLive().length;
        most = Math.max(most, world.books.ownOpen.length - known);
      }
      expect(most).toBeLessThanOrEqual(20);
      expect(world.books.ownOpen.length).toBeLessThanOrEqual(10);
      world.network.intercept = () => undefined;
      checkSettled(world, 150_000);
    },
    60_000,
  );
});

describe('a stop whose cancels the exchange acknowledges and does not carry out', () => {
  it.each([0, 4, 7, 10])('says so, or nothing rests (seed %i)', (seed) => {
    const strategy = seed % 3 === 0 ? 'market-maker' : 'flood';
    const world = tradingWorld({ strategy, seed, levels: 3, floodPeriodMs: 1_000 });
    world.advance(5_000 + 777 * seed);
    world.check = () => {};
    world.stories.hear = () => {};
    world.network.intercept = (target) => acknowledgement(world, target);
    let resting = Number.NaN;
    let verified: boolean | undefined;
    world.stop((report) => {
      verified = report.verified;
      resting = world.books.ownOpen.length;
      expect(report.remaining).toHaveLength(resting);
    });
    world.advance(31_000);
    expect(verified).toBe(resting === 0);
  });
});

/** What the exchange says of a cancel that it does not carry out; undefined where there is none. */
function acknowledgement({ books }: World, target: string): string | undefined {
  const id = /cancelOrder\?.*[?&]id=(\d+)/.exec(target)?.[1];
  const record = id === undefined ? undefined : books.record(id);
  if (record === undefined || record.closed) return undefined;
  const { amount, price, filledAmount, filledValue } = record;
  const totals = { completeAmount: filledAmount, completeMonty: filledValue };
  return JSON.stringify({ code: 1000, message: 'ok', amount, price, ...totals });
}

describe('a fee of a buy that is told in the quote currency', () => {
  it('takes nothing of what was bought but what the rate says', () => {
    const world = tradingWorld({ strategy: 'swing', fees: { maker: 0.002, taker: 0.002 } });
    const inQuote = (order: Record<string, unknown>) => {
      const isBuy = Number(order.type) % 2 === 1 && order.fees !== undefined;
      return isBuy ? { ...order, fees: `${0.002 * Number(order.trade_money)}` } : order;
    };
    retell(world, (body, target) => {
      if (!READS.test(target)) return body;
      const told = parseJson(body) as Record<string, unknown>;
      return JSON.stringify(Array.isArray(told) ? told.map(inQuote) : inQuote(told));
    });
    checkSettled(world, 75_000);
  });
});

describe('an exchange that makes amounts coarser between two runs', () => {
  it('is traded on with what was held before', () => {
    const world = tradingWorld({ levels: 1 });
    world.advance(20_000);
    const held = world.bot.sources.positions.position('btc_usdt').amount;
    world.kill();
    world.advance(1_000);
    const markets = [{ ...BTC_USDT, amountScale: 3, minAmount: 0.001 }];
    Object.assign(world, { options: { ...world.options, markets } });
    world.boot();
    expect(`${world.bot.sources.positions.position('btc_usdt').amount}`).toBe(`${held}`);
    expect(held.sign).not.toBe(0);
    world.advance(10_000);
    expect(world.life.status).toBe('running');
  });
});
