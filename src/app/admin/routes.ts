import { callerRoutes } from './caller-routes.ts';
import { faultRoutes } from './fault-routes.ts';
import { fundsRoutes } from './funds-routes.ts';
import { marketRoutes } from './market-routes.ts';
import type { OperatedExchange } from './operated.ts';
import { done } from './reply.ts';
import { type Route, seen } from './route.ts';
import { stateOf } from './state.ts';
import { timeRoutes } from './time-routes.ts';

/** Everything that the operator of a served exchange can see and do. */
export function adminRoutes(exchange: OperatedExchange): Route[] {
  return [
    seen('/state', () => done(stateOf(exchange))),
    ...timeRoutes(exchange),
    ...fundsRoutes(exchange),
    ...marketRoutes(exchange),
    ...callerRoutes(exchange),
    ...faultRoutes(exchange),
  ];
}
