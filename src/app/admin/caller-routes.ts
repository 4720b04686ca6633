import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../kernel/index.ts';
import type { OperatedExchange } from './operated.ts';
import { done, type Reply, refused } from './reply.ts';
import { action, type Route } from './route.ts';

const address = z.union([z.ipv4(), z.ipv6()], 'an IP address is wanted');

/** Routes about those who call the exchange: their addresses and keys. */
export function callerRoutes({ served }: OperatedExchange): Route[] {
  const { operator } = served;
  const setDisabled = (accessKey: string, disabled: boolean): Reply =>
    operator.setDisabled(accessKey, disabled)
      ? done({ accessKey, disabled })
      : refused(404, `Cannot find the key ${accessKey}: one of the exchange's keys is wanted`);
  return [
    action({
      path: '/lock',
      // Source: contract, Limits: an address that sent too much is locked for an hour.
      body: z.strictObject({ address, ms: z.int().min(1).max(DAY_MS).default(HOUR_MS) }),
      act({ address, ms }) {
        operator.lock(address, ms);
        return done({ address, lockedMs: ms });
      },
    }),
    action({
      path: '/unlock',
      body: z.strictObject({ address }),
      act: ({ address }) =>
        operator.unlock(address)
          ? done({ address, lockedMs: 0 })
          : refused(409, `Cannot unlock ${address}: it is not locked, a locked address is wanted`),
    }),
    action({
      path: '/keys/:accessKey/disable',
      act: (_body, { accessKey = '' }) => setDisabled(accessKey, true),
    }),
    action({
      path: '/keys/:accessKey/enable',
      act: (_body, { accessKey = '' }) => setDisabled(accessKey, false),
    }),
  ];
}
