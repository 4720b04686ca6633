import { map, of } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/app/time/system-clock.ts';
import { seededRandom, silentLogger } from '../../src/kernel/index.ts';
import { SimulatedExchange, startSyntheticMarket, syntheticSchema } from '../../src/sim/index.ts';
import { serveZb, type ZbServer } from '../../src/venues/zb/server/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import { run } from './command.ts';
import { KEYS, steadyDeployment } from './exchange.ts';

/** Coarsens amounts once they have been read, and refuses every order. */
function withChangedRules(zb: ZbServer): ZbServer {
  let reads = 0;
  return {
    ...zb,
    handle: (request) => {
      const answer = zb.handle(request);
      if (request.target.startsWith('/api/order?')) {
        return of({ status: 200, body: '{"code":3003,"message":"Invalid amount"}' });
      }
      if (!request.target.startsWith('/data/v1/markets') || reads++ === 0) return answer;
      return answer.pipe(
        map(({ body, ...rest }) => ({ ...rest, body: body.replace(/("amountScale":)\d+/, '$12') })),
      );
    },
  };
}

/** The address of an exchange with one market. */
async function servedWith(between: (zb: ZbServer) => ZbServer): Promise<string> {
  const clock = systemClock;
  const market = makeMarket();
  const balances = { usdt: '20000', btc: '0.3' };
  const host = new SimulatedExchange({
    ...{ clock, markets: [market], accounts: [{ name: 'main', balances }] },
  });
  const others = startSyntheticMarket({
    ...{ liquidity: host.anonymous(market.id), clock, random: seededRandom('others') },
    parameters: syntheticSchema.parse({ startPrice: 60_000, historyHours: 0 }),
  });
  const permissions = { assets: true, orders: true, withdrawals: false, margin: false };
  const [accessKey, secretKey] = [KEYS.ZB_ACCESS_KEY, KEYS.ZB_SECRET_KEY];
  const keys = [{ accessKey, secretKey, account: 'main', permissions }];
  const served = await serveZb({ host, clock, logger: silentLogger, port: 0, keys, between });
  onTestFinished(async () => {
    others.unsubscribe();
    await served.close();
  });
  return served.dataUrl;
}

describe('tradewind run on an exchange that changes the rules of a market', () => {
  it('stops in order once that has cost it an order, names them, and ends with 4', async () => {
    const file = steadyDeployment(await servedWith(withChangedRules));
    const { code, stdout } = await run(['run', file, '--for', '30s'], { env: KEYS });
    expect(stdout).toMatch(/changed the rules of btc_usdt: amountScale 4, now 2; a start goes by/);
    expect(code).toBe(4);
  }, 30_000);
});
