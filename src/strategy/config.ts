import { z } from 'zod';
import { ADOPTED } from '../ledger/index.ts';

/** One entry of the deployment's `strategies:` list. */
export const strategyConfig = z.strictObject({
  use: z
    .string()
    .min(1)
    .describe('A bundled strategy such as `market-maker`, or the path of a module of your own.'),
  name: z
    .string()
    .min(1)
    // A restart takes orders of that name for those of others.
    .refine((name) => name !== ADOPTED, 'another name is wanted: foreign orders go by that')
    .optional()
    .describe(
      'Name of this instance, unique in the deployment. `adopted` is taken, for foreign orders. ' +
        'Default: the value of `use`.',
    ),
  markets: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Markets that it may trade, such as `btc_usdt`. Default: all of the deployment.'),
  params: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("The strategy's own parameters; its schema checks them when it is loaded."),
});
export type StrategyConfig = z.infer<typeof strategyConfig>;

/** The whole `strategies:` list; no two instances may share a name. */
export const strategiesConfig = z
  .array(strategyConfig)
  .superRefine((entries, issues) => {
    const names = entries.map(instanceName);
    names.forEach((name, index) => {
      if (names.indexOf(name) === index) return;
      issues.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: `Cannot name a strategy: ${JSON.stringify(name)} is taken, a name of its own is wanted`,
      });
    });
  })
  .describe('The strategies that run side by side.');

/** The name of an instance: its `name`, or else what it uses. */
export function instanceName(entry: Pick<StrategyConfig, 'use' | 'name'>): string {
  return entry.name ?? entry.use;
}
