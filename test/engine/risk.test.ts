import { NEVER, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { composeBot } from '../../src/app/compose.ts';
import { deploymentSchema } from '../../src/app/config/deployment.ts';
import { complete, pass } from '../../src/app/time/drive.ts';
import { type Exchange, ExchangeFailure } from '../../src/exchange/index.ts';
import { MINUTE_MS, seededRandom, silentLogger, VirtualClock } from '../../src/kernel/index.ts';
import { SimulatedExchange } from '../../src/sim/index.ts';
import { defineStrategy, interval, map, order, quotes, z } from '../../src/strategy/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import { KeptJournal } from '../storage/kept-journal.ts';

const BTC = makeMarket();
const ETH = makeMarket({ id: 'eth_usdt', base: 'eth' });

/** Wishes again and again in a market that it was not given. */
const wanderer = defineStrategy({
  name: 'wanderer',
  params: z.strictObject({}),
  run: ({ market, clock }) =>
    interval(1_000, clock).pipe(
      map((count) => {
        const abroad = { ...market, id: 'eth_usdt' };
        if (count % 2 === 0) return quotes(abroad, [[99, 0.1]], [[101, 0.1]]);
        return order(abroad, { tag: `order${count}`, side: 'buy', price: 99, amount: 0.1 });
      }),
    ),
});

/** Wishes another order ten times a second. */
const insister = defineStrategy({
  name: 'insister',
  params: z.strictObject({ type: z.enum(['limit', 'postOnly']) }),
  run: ({ market, clock, params: { type } }) =>
    interval(100, clock).pipe(
      map((count) =>
        order(market, { tag: `order${count}`, side: 'buy', type, price: 99, amount: 0.1 }),
      ),
    ),
});

type Place = Exchange['trading']['place'];
interface Setup {
  readonly params?: object;
  /** The fate of an order at the exchange. Default: it is accepted. */
  readonly placing?: (request: Parameters<Place>[0], place: Place) => ReturnType<Place>;
}

/** Nine minutes of a strategy that has the first market alone, in two that are quiet. */
async function run(
  definition: typeof wanderer | typeof insister,
  { params = {}, placing = (request, place) => place(request) }: Setup = {},
) {
  const clock = new VirtualClock(Date.UTC(2024, 0, 1));
  const markets = new Map([BTC, ETH].map((market) => [market.id, market]));
  const balances = { usdt: '100000', btc: '10', eth: '10' };
  const host = new SimulatedExchange({
    ...{ clock, markets: [BTC, ETH], accounts: [{ name: 'main', balances }] },
  });
  const exchange = host.account('main')!;
  const { trading: desk } = exchange;
  const trading: Exchange['trading'] = {
    place: (request) => placing(request, (one) => desk.place(one)),
    placeBatch: (request) => desk.placeBatch(request),
    cancel: (reference) => desk.cancel(reference),
    cancelAllAfter: (id) => desk.cancelAllAfter(id),
    order: (reference) => desk.order(reference),
    orders: (query) => desk.orders(query),
  };
  const journal = new KeptJournal();
  const { engine, sources } = composeBot({
    ...{ clock, markets, journal, random: seededRandom(1), logger: silentLogger },
    config: deploymentSchema.parse({
      ...{ name: 'test', venue: { kind: 'simulated' }, strategies: [{ use: 'none' }] },
      markets: [BTC.id, ETH.id],
    }),
    exchange: { ...exchange, trading },
    strategies: [{ name: 'own', definition, params, markets: [BTC] }],
    past: undefined,
  });
  await complete(engine.start(), clock);
  for (const id of markets.keys()) {
    host.anonymous(id).replace({ bids: [[99.5, 10]], asks: [[100.5, 10]] });
  }
  await pass(clock, { durationMs: 9 * MINUTE_MS, until: NEVER });
  const placed = journal.events.filter(
    (event) => event.kind === 'request' && event.operation === 'place',
  );
  const refusals = journal.events.flatMap((event) =>
    event.kind === 'refusal' ? [event.refusal] : [],
  );
  return { state: sources.state, orders: sources.orders, placed: placed.length, refusals };
}

describe('the markets of a strategy', () => {
  it('are all that it trades, whatever market it names', async () => {
    const { placed, orders, refusals } = await run(wanderer);
    expect(placed).toBe(0);
    expect(orders.liveCount).toBe(0);
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['strategyMarket']));
    expect(refusals[0]).toMatchObject({ limit: 'one of btc_usdt', observed: 'eth_usdt' });
  });
});

describe('an exchange that takes no order', () => {
  const prohibited = new ExchangeFailure('rejected', 'prohibited', { code: 3010 });

  it.each([
    ['limit', 27],
    ['postOnly', 107],
  ])('is left in peace after a few %s orders, and trading halts', async (type, most) => {
    const placing = () => throwError(() => prohibited);
    const { placed, state, refusals } = await run(insister, { params: { type }, placing });
    expect(placed).toBe(most);
    expect(state.state).toBe('HALTED');
    expect(state.reason).toContain('orders of btc_usdt fail after 6 pauses');
    const codes = new Set(refusals.map(({ code }) => code));
    expect(codes).toEqual(new Set(['rejects', 'tradingState']));
  });

  it('is asked again until it takes one', async () => {
    let asked = 0;
    const { state, placed } = await run(insister, {
      params: { type: 'limit' },
      placing: (request, place) => (asked++ < 25 ? throwError(() => prohibited) : place(request)),
    });
    expect(state.state).toBe('ACTIVE');
    expect(placed).toBeGreaterThan(30);
  });
});
