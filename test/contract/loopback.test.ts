import { firstValueFrom } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/time/system-clock.ts';
import type { Amount, Price } from '../../src/domain/index.ts';
import { CODES, type OrderPush, type PlaceRequest } from '../../src/exchange/index.ts';
import { Decimal, seededRandom, silentLogger } from '../../src/kernel/index.ts';
import { SimulatedExchange } from '../../src/sim/index.ts';
import { connectZb } from '../../src/venues/zb/client/index.ts';
import { serveZb } from '../../src/venues/zb/server/index.ts';
import { accountsFixture, BTC_USDT, keyOf } from './subjects.ts';

// The rest of the suite runs on virtual time without a network. Here the same client and server
// meet over real sockets, undici and ws, on the machine's own time; what is awaited is an event.

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** An exchange on a port of this machine, and `main` and `other` connected to it. */
async function loopback(
  dialect: 'documented' | 'recorded',
  main: Parameters<typeof accountsFixture>[0] = {},
) {
  const sim = new SimulatedExchange({
    ...{ clock: systemClock, markets: [BTC_USDT], accounts: accountsFixture(main) },
    ...{ depthIntervalMs: 0, readLagMs: 0 },
  });
  const keys = ['main', 'other'].map(keyOf);
  const parts = { clock: systemClock, logger: silentLogger };
  const zb = await serveZb({ ...parts, host: sim, keys, dialect, port: 0 });
  closing.push(() => zb.close());
  const { dataUrl, tradeUrl, pushUrl } = zb;
  const connect = (account: string) => {
    const { accessKey, secretKey } = keyOf(account);
    const urls = { dataUrl, tradeUrl, pushUrl };
    const client = connectZb({ ...parts, ...urls, accessKey, secretKey, random: seededRandom(1) });
    closing.push(() => client.close());
    return client;
  };
  const liquidity = sim.anonymous('btc_usdt');
  return { zb, liquidity, main: connect('main'), other: connect('other') };
}

const BID: PlaceRequest = {
  ...{ market: 'btc_usdt', side: 'buy', type: 'limit', clientOrderId: 'Tw12' },
  ...{ price: 30_000 as Price, amount: 1 as Amount },
};

describe.each(['documented', 'recorded'] as const)('over real sockets, %s', (dialect) => {
  it('an order rests, is found by both ids, fills in part and is cancelled', async () => {
    const { main, liquidity, zb } = await loopback(dialect);
    const { exchangeOrderId } = await firstValueFrom(main.trading.place(BID));
    const byId = { market: 'btc_usdt', exchangeOrderId };
    const placed = await firstValueFrom(main.trading.order(byId));
    expect(placed).toMatchObject({ exchangeOrderId, price: 30_000, amount: 1, closed: false });
    liquidity.print({ takerSide: 'sell', price: 30_000, amount: 0.25 });
    const byName = { market: 'btc_usdt', clientOrderId: 'Tw12' };
    const touched = await firstValueFrom(main.trading.order(byName));
    expect(touched).toMatchObject({ exchangeOrderId, filledAmount: 0.25, closed: false });
    const answer = await firstValueFrom(main.trading.cancel(byId));
    expect(answer).toMatchObject({ amount: 1, price: 30_000, filledAmount: 0.25 });
    const query = { market: 'btc_usdt', side: 'buy', page: 1 } as const;
    const orders = await firstValueFrom(main.trading.orders(query));
    expect(orders).toMatchObject([{ exchangeOrderId, filledAmount: 0.25, closed: true }]);
    const { balances } = await firstValueFrom(main.account.account());
    const usdt = balances.find(({ currency }) => currency === 'usdt')!;
    expect([`${usdt.available}`, `${usdt.frozen}`]).toEqual(['992500', '0']);
    expect(zb.counts()).toMatchObject({ requests: 6, refusals: {} });
  });

  it('refusals say what the exchange said', async () => {
    const { main } = await loopback(dialect);
    const refused = async (changes: Partial<PlaceRequest>) =>
      firstValueFrom(main.trading.place({ ...BID, ...changes })).catch((failure) => failure);
    const tooMuch = await refused({ amount: 100 as Amount });
    expect(tooMuch).toMatchObject({ kind: 'rejected', code: CODES.balance });
    const elsewhere = await refused({ market: 'no_market' });
    expect(elsewhere).toMatchObject({ kind: 'rejected' });
  });

  it('money goes to a verified address within the exchange, to no other', async () => {
    const { other: stranger } = await loopback(dialect);
    const address = await firstValueFrom(stranger.funds.depositAddress('btc'));
    const withdrawalAddresses = { btc: [{ address }] };
    const { main, other } = await loopback(dialect, { withdrawalAddresses });
    const request = {
      ...{ currency: 'btc', amount: Decimal.of('2'), fee: Decimal.ZERO, internal: true },
      ...{ address, password: 'funds-password' },
    };
    const unverified = { ...request, address: 'elsewhere' };
    const failure = await firstValueFrom(main.funds.withdraw(unverified)).catch((error) => error);
    expect(failure).toMatchObject({ kind: 'rejected', code: CODES.invalidArguments });
    const { withdrawalId } = await firstValueFrom(main.funds.withdraw(request));
    const { items } = await firstValueFrom(main.funds.withdrawals({ currency: 'btc' }));
    expect(items).toMatchObject([{ id: withdrawalId, status: 'succeeded', address }]);
    const deposits = await firstValueFrom(other.funds.deposits({ currency: 'btc' }));
    expect(deposits.items).toMatchObject([{ internal: true, status: 'succeeded' }]);
    expect(`${deposits.items[0]!.amount}`).toBe('2');
  });

  it('market data and own orders are pushed', async () => {
    const { main, liquidity } = await loopback(dialect);
    liquidity.replace({ bids: [[29_999, 1]], asks: [[30_001, 2]] });
    const depth = await firstValueFrom(main.marketFeed.depth('btc_usdt'));
    expect(depth).toMatchObject({ bids: [[29_999, 1]], asks: [[30_001, 2]] });
    const balance = new Promise((resolve) => main.accountFeed.balances().subscribe(resolve));
    const pushes: OrderPush['order'][] = [];
    const closed = new Promise<void>((resolve) => {
      main.accountFeed.orders('btc_usdt').subscribe(({ order }) => {
        pushes.push(order);
        if (order.closed) resolve();
      });
    });
    // The channels stand once the server has answered what was sent after them on the same socket.
    await firstValueFrom(main.marketFeed.ticker('btc_usdt'));
    const { exchangeOrderId } = await firstValueFrom(main.trading.place(BID));
    await balance;
    await firstValueFrom(main.trading.cancel({ market: 'btc_usdt', exchangeOrderId }));
    await closed;
    expect(pushes.at(-1)).toMatchObject({ exchangeOrderId, side: 'buy', closed: true });
  });
});
