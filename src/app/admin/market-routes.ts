import { SimulationError } from '../../sim/index.ts';
import type { OperatedExchange } from './operated.ts';
import { done, refused } from './reply.ts';
import { action, type Route } from './route.ts';

export function marketRoutes({ host }: OperatedExchange): Route[] {
  return [
    action({
      path: '/markets/:market/delist',
      act(_body, { market = '' }) {
        try {
          host.delist(market);
          return done({ market, listed: false });
        } catch (thrown) {
          if (!(thrown instanceof SimulationError)) throw thrown;
          return refused(404, thrown.message);
        }
      },
    }),
  ];
}
