import { z } from 'zod';
import { zbConfigSchema } from '../../venues/zb/client/config.ts';
import { exchangeSchema, strangeAccount, withMarkets } from './exchange.ts';

const simulatedSchema = exchangeSchema.extend({
  kind: z
    .literal('simulated')
    .describe(
      'The simulated exchange, inside this process. Settings of `funds`, `margin` and ' +
        'addresses have no effect here; they are for `tradewind exchange`.',
    ),
  transport: z
    .enum(['loopback', 'process'])
    .default('loopback')
    .describe(
      'loopback: through real HTTP and WebSocket; process: by direct calls, as always on virtual time.',
    ),
  account: z
    .string()
    .min(1)
    .optional()
    .describe('Name of the account that trades. Default: the first one.'),
  seed: exchangeSchema.shape.seed
    .unwrap()
    .optional()
    .describe(
      'Seed of the seeded markets and of addresses: the same seed gives the same. ' +
        "Default: the deployment's `seed`, `tradewind` where it has none.",
    ),
});

/** Refuses a simulated venue without accounts, and an account that it does not have. */
function requireAccount(
  { account, accounts }: z.output<typeof simulatedSchema>,
  issues: z.RefinementCtx,
): void {
  if (accounts.length === 0) {
    const message = 'one that trades is wanted';
    issues.addIssue({ code: 'custom', path: ['accounts'], message });
    return;
  }
  const message = account === undefined ? undefined : strangeAccount(account, accounts);
  if (message !== undefined) issues.addIssue({ code: 'custom', path: ['account'], message });
}

/** Where orders go: a venue over the network, or an exchange simulated in this process. */
export const venueConfigSchema = z.discriminatedUnion('kind', [
  zbConfigSchema,
  simulatedSchema.superRefine(requireAccount).transform(withMarkets),
]);
