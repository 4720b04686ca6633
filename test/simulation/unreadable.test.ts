import { describe, expect, it } from 'vitest';
import { CALM } from './faults.ts';
import { quotingWorld } from './quoting-world.ts';
import { World } from './world.ts';
import { manyMarkets, type WorldOptions } from './world-options.ts';

const ERROR = '{"code":1001,"message":"Error Market"}';
/** A list with a stop order that a person placed: of a type that the contract does not name. */
const STOP_ORDERS = JSON.stringify([
  {
    ...{ currency: 'btc_usdt', id: '202401010000999999', price: 20_000, status: 0, type: 11 },
    ...{ total_amount: 0.01, trade_amount: 0, trade_date: Date.UTC(2024, 0, 1), trade_money: 0 },
  },
]);

function losingWorld(options: WorldOptions = {}) {
  const { world, of } = quotingWorld({ levels: 1, seed: 'b', ...options });
  /** Loses the pushes of what fills within half a minute, while nobody wishes anything new. */
  const losePushes = (): void => {
    world.strategiesSpeak = false;
    world.network.weather = { ...CALM, pushes: { ...CALM.pushes, dropped: 1 } };
    world.advance(30_000);
    world.network.weather = CALM;
    world.stillMarkets();
  };
  return { world, of, losePushes };
}

/** Whether the bot holds what its own orders came to at the exchange. */
function expectSamePosition(world: World): void {
  const { id, amountScale } = world.options.markets[0]!;
  const held = world.bot.sources.positions.position(id).amount;
  expect(held.toNumber()).toBe(world.books.ownNetUnits(id) / 10 ** amountScale);
}

describe('a market that the exchange took off', () => {
  const takenOff = () => {
    const told = losingWorld({ markets: manyMarkets(2) });
    told.world.network.intercept = (target) => (target.includes('eth_usdt') ? ERROR : undefined);
    return told;
  };

  it('keeps no fill of another one from the books, whose push got lost', () => {
    const { world, of, losePushes } = takenOff();
    world.advance(60_000);
    losePushes();
    world.advance(100_000);
    expectSamePosition(world);
    const offMs = world.clock.now() - 150_000;
    const read = of('reconciliation').filter(({ time }) => time > offMs);
    expect(read.map(({ market }) => market)).toContain('btc_usdt');
  });

  it('keeps no other one from trading again after a lapse', () => {
    const { world } = takenOff();
    world.stallNetwork(62_000, { tradeOnly: true });
    world.advance(62_000 + 60_000);
    expect([...world.books.open].filter(({ market }) => market === 'btc_usdt')).toHaveLength(2);
  });

  it('keeps no other one from trading after a start', () => {
    const { world } = takenOff();
    world.kill();
    world.advance(70_000);
    world.boot();
    world.advance(30_000);
    expect(world.life.status).toBe('running');
    const markets = new Set([...world.books.open].map(({ market }) => market));
    expect([...markets]).toEqual(['btc_usdt']);
  });
});

describe('an order that cannot be read', () => {
  it('keeps no fill from the books, and no start from going on', () => {
    const { world, losePushes } = losingWorld();
    const isOfSells = (target: string) => /\/api\/getOrders\?.*tradeType=0/.test(target);
    world.network.intercept = (target) => (isOfSells(target) ? STOP_ORDERS : undefined);
    losePushes();
    world.advance(100_000);
    expectSamePosition(world);
    world.kill();
    world.advance(1_000);
    world.boot();
    world.advance(20_000);
    expect(world.life.status).toBe('running');
  });
});

describe('a key that the exchange does not take', () => {
  it.each(['a first start', 'a start behind a killed run'])(
    'is told by the account alone: %s reads no orders',
    (which) => {
      const world = new World({ levels: 1, seed: 'b' });
      world.advance(1_000);
      if (which !== 'a first start') {
        world.boot();
        world.advance(20_000);
        world.kill();
        world.advance(5_000);
      }
      const asked = new Set<string>();
      world.network.intercept = (target) => {
        const operation = /^\/api\/(\w+)\?accesskey/.exec(target)?.[1];
        if (operation === undefined) return undefined;
        if (world.life.status === 'starting') asked.add(operation);
        return '{"code":1003,"message":"Verification does not pass"}';
      };
      world.boot();
      world.advance(5_000);
      expect(world.life.status).toBe('failed');
      expect([...asked].filter((operation) => operation.startsWith('getOrder'))).toEqual([]);
    },
  );
});
