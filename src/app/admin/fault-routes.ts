import { z } from 'zod';
import { faultSchema } from '../faults/index.ts';
import type { OperatedExchange } from './operated.ts';
import { done, refused } from './reply.ts';
import { action, type Route } from './route.ts';
import { faultOf } from './state.ts';

/** Routes that inject and clear faults between clients and the exchange. */
export function faultRoutes({ network }: OperatedExchange): Route[] {
  const { faults } = network;
  return [
    action({
      path: '/fault',
      body: faultSchema,
      act(fault) {
        if (fault.kind !== 'socketsDropped') return done({ fault: faultOf(faults.inject(fault)) });
        const dropped = network.dropSockets();
        if (fault.forMs === undefined) return done({ dropped });
        return done({ dropped, fault: faultOf(faults.inject(fault)) });
      },
    }),
    action({
      path: '/faults/clear',
      body: z.strictObject({ id: z.int().min(1).optional() }),
      act({ id }) {
        const cleared = faults.clear(id);
        if (cleared > 0 || id === undefined) return done({ cleared });
        return refused(
          404,
          `Cannot clear the fault ${id}: it is over or never was, one at work is wanted`,
        );
      },
    }),
  ];
}
