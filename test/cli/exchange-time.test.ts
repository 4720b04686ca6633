import { describe, expect, it } from 'vitest';
import { ask } from '../app/admin/fixture.ts';
import { start } from './command.ts';
import { exchangeFile, KEYS, steadyDeployment } from './exchange.ts';

/** An exchange of its own process whose operator is this test. */
async function operated(...flags: readonly string[]) {
  const ports = ['--port', '0', '--admin-port', '0'];
  const exchange = start(['exchange', '--config', exchangeFile(), ...ports, ...flags]);
  const [, dataUrl] = await exchange.seen(/"dataUrl":"([^"]+)"/);
  const [, adminUrl] = await exchange.seen(/"adminUrl":"([^"]+)"/);
  const state = async () => (await ask(`${adminUrl}/state`)).body;
  return {
    exchange,
    dataUrl: dataUrl!,
    state,
    openOrders: async (): Promise<readonly object[]> =>
      (await state()).accounts.main.openOrders.btc_usdt ?? [],
    advance: (ms: number) => ask(`${adminUrl}/time/advance`, { body: JSON.stringify({ ms }) }),
  };
}

describe('kill -9 of a bot on an exchange in scaled time', () => {
  it('leaves its orders to the timed cancel, a minute of the exchange later', async () => {
    const { dataUrl, exchange, state, openOrders, advance } = await operated('--time', 'scaled');
    const bot = start(['run', steadyDeployment(dataUrl)], { env: KEYS });
    while ((await openOrders()).length < 2) await new Promise((resolve) => setImmediate(resolve));
    bot.process.kill('SIGKILL');
    await bot.ended;
    expect(await openOrders()).toHaveLength(2);
    const { timedCancelsFired: before } = (await state()).accounts.main;
    await advance(60_000);
    expect(await openOrders()).toEqual([]);
    expect((await state()).accounts.main.timedCancelsFired).toBe(before + 1);
    exchange.process.kill('SIGINT');
    expect(await exchange.ended).toMatchObject({ code: 0 });
  });
});

describe('tradewind exchange, told its time', () => {
  it('says which it is, and moves stepped time only when asked', async () => {
    const { exchange, state, advance } = await operated('--time', 'stepped');
    expect(exchange.text()).toContain('"time":{"mode":"stepped","scale":0}');
    const { nowMs } = (await state()).time;
    expect((await state()).time.nowMs).toBe(nowMs);
    await advance(1_500);
    expect((await state()).time.nowMs).toBe(nowMs + 1_500);
    exchange.process.kill('SIGINT');
    expect(await exchange.ended).toMatchObject({ code: 0 });
  });

  it('runs so many times as fast as told', async () => {
    const { exchange, state } = await operated('--scale', '50');
    expect(exchange.text()).toContain('"time":{"mode":"scaled","scale":50}');
    // A busy machine keeps the clock back for a while: what it aims at is what is measured.
    const aim = async (): Promise<number> => {
      const { nowMs, behindMs } = (await state()).time;
      return nowMs + behindMs;
    };
    const startMs = Date.now();
    const passedMs = -(await aim()) + (await aim());
    const realMs = Date.now() - startMs;
    expect(passedMs).toBeGreaterThan(0);
    expect(passedMs).toBeLessThanOrEqual((realMs + 5) * 50);
    exchange.process.kill('SIGINT');
    expect(await exchange.ended).toMatchObject({ code: 0 });
  });
});
