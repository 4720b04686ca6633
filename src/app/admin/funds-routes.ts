import { z } from 'zod';
import { SimulationError, type WithdrawalStep } from '../../sim/index.ts';
import type { OperatedExchange } from './operated.ts';
import { done, type Reply, refused } from './reply.ts';
import { action, type Route } from './route.ts';

/** What the operator can do to a withdrawal, and its status afterwards. */
const STEPS: readonly (readonly [action: string, status: WithdrawalStep])[] = [
  ['confirm', 'confirmed'],
  ['succeed', 'succeeded'],
  ['fail', 'failed'],
  ['cancel', 'cancelled'],
];

const depositSchema = z.strictObject({
  account: z.string().min(1),
  currency: z.string().min(1),
  /** A text: binary fractions would not be exact. */
  amount: z.string().regex(/^\d+(?:\.\d+)?$/, 'money as a text, such as "0.5", is wanted'),
  /** Default: the main one. */
  chain: z.string().min(1).optional(),
  /** Sent from within the exchange: arrives at once and has no chain. */
  internal: z.boolean().default(false),
  /** How it ends. Default: as configured; an internal one succeeds. */
  outcome: z.enum(['succeeded', 'failed']).optional(),
});

/** Routes that move money in and out. */
export function fundsRoutes({ host, accounts }: OperatedExchange): Route[] {
  /** Tries every account: ids are unique in the exchange, so nobody has to name the account. */
  const ofAnyone = (act: (account: string) => void): Reply | undefined => {
    let error = 'Cannot find it: the exchange has no account, one is wanted';
    for (const account of accounts) {
      try {
        act(account);
        return undefined;
      } catch (thrown) {
        if (!(thrown instanceof SimulationError)) throw thrown;
        error = thrown.message;
      }
    }
    return refused(409, error);
  };
  const steps = STEPS.map(([name, status]) =>
    action({
      path: `/withdrawals/:id/${name}`,
      act: (_body, { id = '' }) =>
        ofAnyone((account) => host.stepWithdrawal(account, { id, status })) ?? done({ id, status }),
    }),
  );
  return [
    action({
      path: '/deposit',
      body: depositSchema,
      act: ({ account, ...deposit }) => done({ id: host.creditDeposit(account, deposit) }),
    }),
    action({
      path: '/deposits/:id/fail',
      act: (_body, { id = '' }) =>
        ofAnyone((account) => host.failDeposit(account, id)) ?? done({ id, status: 'failed' }),
    }),
    ...steps,
  ];
}
