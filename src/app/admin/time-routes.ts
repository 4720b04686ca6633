import { z } from 'zod';
import { DAY_MS } from '../../kernel/index.ts';
import type { OperatedExchange } from './operated.ts';
import { done, refused } from './reply.ts';
import { action, type Route } from './route.ts';
import { timeOf } from './state.ts';

/** Longest step at once: a seeded market works for minutes on it. */
const STEP_MAX_MS = 31 * DAY_MS;

/** The route that moves stepped time. */
export function timeRoutes(exchange: OperatedExchange): Route[] {
  return [
    action({
      path: '/time/advance',
      body: z.strictObject({ ms: z.int().min(1).max(STEP_MAX_MS) }),
      async act({ ms }) {
        const { time } = exchange;
        if (time.advance === undefined) {
          return refused(409, 'Cannot advance the time: it is real, --time stepped is wanted');
        }
        await time.advance(ms);
        return done({ time: timeOf(exchange) });
      },
    }),
  ];
}
