import { firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { MAIN_KEY, OTHER_KEY, operatedExchange, RESTING } from './fixture.ts';

describe('the admin port: time', () => {
  it('steps the clock: the timed cancel fires a minute of the exchange later', async () => {
    const { client, post, get } = await operatedExchange();
    const { trading } = client();
    await firstValueFrom(trading.place(RESTING));
    await firstValueFrom(trading.cancelAllAfter('btc_usdt'));
    await post('/time/advance', { ms: 59_999 });
    const before = await get('/state');
    expect(before.body.accounts.main.openOrders.btc_usdt).toHaveLength(1);
    const { body } = await post('/time/advance', { ms: 1 });
    expect(body.time).toMatchObject({ mode: 'stepped', nowMs: before.body.time.nowMs + 1 });
    const after = await get('/state');
    expect(after.body.accounts.main).toMatchObject({ openOrders: {}, timedCancelsFired: 1 });
  });

  it('refuses to step real time', async () => {
    const { post } = await operatedExchange({ time: 'real' });
    expect(await post('/time/advance', { ms: 1 })).toEqual({
      status: 409,
      body: { error: 'Cannot advance the time: it is real, --time stepped is wanted' },
    });
  });

  it('leaps in scaled time', async () => {
    const { post, get } = await operatedExchange({ time: 'scaled' });
    const { body } = await get('/state');
    const leapt = await post('/time/advance', { ms: 3_600_000 });
    expect(leapt.body.time.nowMs - body.time.nowMs).toBeGreaterThanOrEqual(3_600_000);
  });
});

describe('the admin port: state', () => {
  it('shows time, accounts, keys without secrets, locks, faults and counts', async () => {
    const { client, get } = await operatedExchange();
    await firstValueFrom(client().trading.place(RESTING));
    const { status, body } = await get('/state');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      time: { mode: 'stepped', scale: 0, behindMs: 0 },
      keys: [
        { accessKey: MAIN_KEY.accessKey, account: 'main', disabled: false },
        { accessKey: OTHER_KEY.accessKey, account: 'other', disabled: false },
      ],
      locks: [],
      faults: [],
      webSockets: 0,
    });
    expect(body.accounts.main.openOrders.btc_usdt).toMatchObject([{ price: 100, amount: 0.1 }]);
    expect(body.accounts.other.balances).toContainEqual({
      currency: 'usdt',
      available: '5',
      frozen: '0',
    });
    expect(body.counts.keys[MAIN_KEY.accessKey]?.total).toBe(1);
    expect(JSON.stringify(body)).not.toContain(MAIN_KEY.secretKey);
  });
});

describe('the admin port: those who call', () => {
  it('locks an address, and unlocks it', async () => {
    const { client, post, get } = await operatedExchange();
    const { account } = client();
    expect((await post('/lock', { address: '127.0.0.1', ms: 5_000 })).status).toBe(200);
    await expect(firstValueFrom(account.account())).rejects.toMatchObject({ code: 4001 });
    expect((await get('/state')).body.locks).toMatchObject([{ address: '127.0.0.1' }]);
    await post('/unlock', { address: '127.0.0.1' });
    await firstValueFrom(account.account());
    expect((await post('/unlock', { address: '127.0.0.1' })).status).toBe(409);
    expect((await post('/lock', { address: 'here' })).status).toBe(400);
  });

  it('disables a key and no other, and enables it again', async () => {
    const { client, post } = await operatedExchange();
    const [main, other] = [client(), client(OTHER_KEY)];
    await post(`/keys/${MAIN_KEY.accessKey}/disable`);
    await expect(firstValueFrom(main.account.account())).rejects.toMatchObject({ code: 4001 });
    await firstValueFrom(other.account.account());
    await post(`/keys/${MAIN_KEY.accessKey}/enable`);
    await firstValueFrom(main.account.account());
    expect((await post('/keys/nobody/disable')).status).toBe(404);
  });

  it('keeps rates and reqTime on real time, whatever time the exchange has', async () => {
    const clock = new VirtualClock(Date.now());
    const { client, post } = await operatedExchange({ clock });
    const { account } = client();
    const all = Array.from({ length: 61 }, () =>
      firstValueFrom(account.account()).then(
        () => 'answered',
        ({ code }) => code,
      ),
    );
    expect((await Promise.all(all)).filter((one) => one !== 'answered')).toEqual([4002]);
    await post('/time/advance', { ms: 86_400_000 });
    await expect(firstValueFrom(account.account())).rejects.toMatchObject({ code: 4002 });
    clock.advanceBy(1_000);
    await firstValueFrom(account.account());
  });
});

describe('the admin port: markets', () => {
  it('takes one off the list, and no other that there is not', async () => {
    const { client, post, get } = await operatedExchange();
    const { trading, market } = client();
    await firstValueFrom(trading.place(RESTING));
    const { body } = await post('/markets/btc_usdt/delist');
    expect(body).toEqual({ market: 'btc_usdt', listed: false });
    await expect(firstValueFrom(market.ticker('btc_usdt'))).rejects.toMatchObject({ code: 1001 });
    expect((await get('/state')).body.accounts.main).toMatchObject({ openOrders: {} });
    expect((await post('/markets/doge_usdt/delist')).status).toBe(404);
  });
});

describe('the admin port: faults', () => {
  it('loses the answer of an order that was taken', async () => {
    const { client, post, get } = await operatedExchange();
    await post('/fault', { kind: 'answerLost', operation: 'order' });
    const { trading } = client();
    await expect(firstValueFrom(trading.place(RESTING))).rejects.toMatchObject({ kind: 'unknown' });
    const { body } = await get('/state');
    expect(body.accounts.main.openOrders.btc_usdt).toHaveLength(1);
    expect(body.faults).toEqual([]);
  });

  it('drops a request before the exchange sees it', async () => {
    const { client, post, get } = await operatedExchange();
    await post('/fault', { kind: 'requestDropped', operation: 'order' });
    const { trading } = client();
    await expect(firstValueFrom(trading.place(RESTING))).rejects.toMatchObject({ kind: 'unknown' });
    const { body } = await get('/state');
    expect([body.accounts.main.openOrders, body.counts.requests]).toEqual([{}, 0]);
  });

  it('delivers an order twice', async () => {
    const { client, post, get } = await operatedExchange();
    await post('/fault', { kind: 'requestDuplicated', operation: 'order' });
    await firstValueFrom(client().trading.place(RESTING));
    const { body } = await get('/state');
    expect(body.accounts.main.openOrders.btc_usdt).toHaveLength(2);
  });

  it.each([
    [{ kind: 'htmlPage' }, { kind: 'unknown' }],
    [{ kind: 'busy' }, { kind: 'unknown' }],
    [{ kind: 'timedOut' }, { kind: 'unknown' }],
    [{ kind: 'answerTruncated' }, { kind: 'unknown' }],
    [{ kind: 'maintenance' }, { code: 1009 }],
    [
      { kind: 'refused', code: 1004 },
      { kind: 'rejected', code: 1004 },
    ],
  ])('%j reaches a client as what it is', async (fault, failure) => {
    const { client, post } = await operatedExchange();
    await post('/fault', fault);
    const { trading } = client();
    await expect(firstValueFrom(trading.place(RESTING))).rejects.toMatchObject(failure);
  });
});

describe('the admin port: faults at work', () => {
  it('shows faults at work and clears them', async () => {
    const { get, post } = await operatedExchange();
    const { body } = await post('/fault', { kind: 'busy', count: 3, operation: 'order' });
    const shown = { id: 1, kind: 'busy', operation: 'order', left: 3, hits: 0 };
    expect(body.fault).toMatchObject(shown);
    expect((await get('/state')).body.faults).toMatchObject([shown]);
    expect((await post('/faults/clear', { id: 1 })).body).toEqual({ cleared: 1 });
    expect((await post('/faults/clear', { id: 1 })).status).toBe(404);
    expect((await post('/faults/clear')).body).toEqual({ cleared: 0 });
  });

  it('drops WebSockets', async () => {
    const { client, get, post } = await operatedExchange();
    const { marketFeed } = client();
    const states: boolean[] = [];
    const dropped = new Promise<void>((resolve) => {
      marketFeed.connection().subscribe(({ connected }) => {
        if (states.at(-1) === true && !connected) resolve();
        states.push(connected);
      });
    });
    const first = firstValueFrom(marketFeed.depth('btc_usdt'));
    await first;
    expect((await get('/state')).body.webSockets).toBe(1);
    expect((await post('/fault', { kind: 'socketsDropped' })).body).toEqual({ dropped: 1 });
    await dropped;
  });

  it('tells what a fault may say', async () => {
    const { post } = await operatedExchange();
    expect((await post('/fault', { kind: 'answerDelayed' })).body.error).toMatch(/"delayMs"/);
    expect((await post('/fault', { kind: 'busy', delayMs: 1 })).body.error).toMatch(
      /Cannot use key "delayMs": it is unknown here, it belongs to another kind/,
    );
    const { status, body } = await post('/fault', { kind: 'busy', operation: 'cancelorder' });
    expect(status).toBe(400);
    expect(body.error).toMatch(/"operation".*did you mean "cancelOrder"\?/);
  });
});
