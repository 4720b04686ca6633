import { z } from 'zod';
import { eachOnce, simulationSchema } from '../../sim/index.ts';
import { serverSchema } from '../../venues/zb/server/config.ts';
import { followSchema } from './follow.ts';
import { didYouMean } from './suggest.ts';
import { adminSchema, timeSchema } from './time.ts';

/** The default folder of all datasets. */
export const DATA_FOLDER = 'data';

export const recordingSchema = z
  .strictObject({
    file: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Recorded trades, depth or quotes in any format that an import reads. This or `dataset` ' +
          'is wanted.',
      ),
    dataset: z
      .string()
      .min(1)
      .optional()
      .describe(
        'In place of a file: a dataset of trades, depth or quotes, such as binance.btc_usdt.trades.',
      ),
    dataFolder: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The folder of all datasets, relative to where the command is called. Default: ' +
          '`data`.',
      ),
    market: z
      .string()
      .optional()
      .describe('Market to play it in. Default: by the symbols in the recording, or by its name.'),
    speed: z
      .number()
      .positive()
      .default(1)
      .describe('How many times faster than it happened the recording is played.'),
    loop: z.boolean().default(false).describe('Start again from the beginning at the end.'),
  })
  .superRefine(({ file, dataset, dataFolder }, issues) => {
    if (file !== undefined && dataFolder !== undefined) {
      const message =
        'it is the folder of datasets, and a file is played, `dataset` is wanted instead of `file`';
      issues.addIssue({ code: 'custom', path: ['dataFolder'], message });
    }
    if ((file === undefined) !== (dataset === undefined)) return;
    const has = file === undefined ? 'neither file nor dataset' : 'both file and dataset';
    issues.addIssue({ code: 'custom', message: `it has ${has}, one of both is wanted` });
  });
export type RecordingConfig = z.infer<typeof recordingSchema>;

const { markets } = simulationSchema.shape;

/** The simulated exchange and where its prices come from. */
export const exchangeSchema = simulationSchema.extend({
  markets: z
    .array(markets.unwrap().element)
    .superRefine(eachOnce('id'))
    .optional()
    .describe(
      'The markets that are open. Default: `btc_usdt`, seeded at 30000; with `recordings` those ' +
        'recorded, with `follow` none.',
    ),
  recordings: z
    .array(recordingSchema)
    .default([])
    .describe('Recorded markets to play. A market that is not listed gets the scales recorded.'),
  follow: followSchema
    .optional()
    .describe(
      'A venue whose live market data fills the listed markets that have no other source; ' +
        'they get its scales and least amounts.',
    ),
});
type ExchangeSettings = z.infer<typeof exchangeSchema>;
export type ExchangeConfig = Opened<ExchangeSettings>;

type Sources = Pick<ExchangeSettings, 'markets' | 'recordings' | 'follow'>;
type Opened<T extends Sources> = T & { readonly markets: NonNullable<T['markets']> };

/**
 * The settings with the markets that are open: the default, with made-up prices, if none are
 * listed, recorded or followed. The key comes first in any case, because the hash of the settings
 * depends on the order of keys.
 */
export function withMarkets<T extends Sources>({ markets: listed, ...others }: T): Opened<T> {
  const { recordings, follow } = others;
  const isMadeUp = recordings.length === 0 && follow === undefined;
  return { markets: listed ?? (isMadeUp ? markets.parse(undefined) : []), ...others } as Opened<T>;
}

/** A message for an account that the exchange does not have; undefined where it has it. */
export function strangeAccount(
  account: string,
  accounts: readonly { readonly name: string }[],
): string | undefined {
  const names = accounts.map(({ name }) => name);
  if (names.includes(account)) return undefined;
  const wanted = names.length === 0 ? 'that name' : names.join(', ');
  const hint = didYouMean(account, names) || `, one of ${wanted} is wanted`;
  return `it is "${account}", which is none of accounts${hint}`;
}

const servedSchema = exchangeSchema.extend({
  $schema: z.string().optional().describe('The JSON schema for editors; not used by a run.'),
  server: serverSchema.prefault({}).describe('Port, dialect, keys and limits.'),
  time: timeSchema.prefault({}).describe('The time that the exchange lives in.'),
  admin: adminSchema.optional().describe('The port of its operator. Default: there is none.'),
});

/** Refuses access keys that are given twice, and keys of accounts that do not exist. */
function refuseKeys(
  { accounts, server: { keys } }: z.output<typeof servedSchema>,
  issues: z.RefinementCtx,
): void {
  for (const [index, { accessKey, account }] of keys.entries()) {
    const path = ['server', 'keys', index];
    const first = keys.findIndex((one) => one.accessKey === accessKey);
    if (first < index) {
      const message = `it is the key of keys[${first}], another accessKey is wanted`;
      issues.addIssue({ code: 'custom', path, message });
    }
    const message = strangeAccount(account, accounts);
    if (message === undefined) continue;
    issues.addIssue({ code: 'custom', path: [...path, 'account'], message });
  }
}

/** The file of `tradewind exchange --config`: an exchange, and how it is served. */
export const servedExchangeSchema = servedSchema.superRefine(refuseKeys);
export type ServedExchangeSettings = z.infer<typeof servedExchangeSchema>;
export type ServedExchangeConfig = Opened<ServedExchangeSettings>;
