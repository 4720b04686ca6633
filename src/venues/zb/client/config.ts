import { z } from 'zod';
import { VARIABLE_NAME } from '../../../kernel/index.ts';
import { excessIn, isLocal } from './addresses.ts';
import { DEFAULTS } from './defaults.ts';

const REFERENCE = 'a reference { env: NAME } to an environment variable is wanted';

const secret = z.strictObject(
  {
    env: z
      .string()
      .regex(VARIABLE_NAME, 'the name of an environment variable is wanted')
      .describe('Name of the environment variable that holds the key.'),
  },
  {
    error: ({ code, input }) => {
      if (code !== 'invalid_type') return undefined;
      return input === undefined || input === null
        ? `it is missing, ${REFERENCE}`
        : `no key in plain text: ${REFERENCE}`;
    },
  },
);

function address(protocols: readonly [string, string]) {
  const [remote, local] = protocols;
  const wanted = `an address that begins with ${remote}://, or ${local}:// on this very machine, is wanted`;
  const isSealed = (url: string): boolean => {
    const address = URL.parse(url);
    return address?.protocol !== `${local}:` || isLocal(address);
  };
  return z
    .url({ protocol: new RegExp(`^(${protocols.join('|')})$`), error: wanted })
    .refine(isSealed, wanted)
    .superRefine((url, { addIssue }) => {
      const address = URL.parse(url);
      const excess = address === null ? undefined : excessIn(address);
      if (excess !== undefined) addIssue(excess);
    });
}

/**
 * Heartbeats are spaced for this: with a longer wait one lost call would let the timed cancel fire.
 */
const REQUEST_TIMEOUT_MAX_MS = 15_000;

const zbFields = z.strictObject({
  kind: z.literal('zb').describe('Names this venue among the others.'),
  dataUrl: address(['https', 'http']).describe('Base address of public market data.'),
  tradeUrl: address(['https', 'http']).describe('Base address of signed operations.'),
  pushUrl: address(['wss', 'ws']).describe('Address of the WebSocket, path included.'),
  formerTradeUrl: address(['https', 'http'])
    .optional()
    .describe(
      'The previous `tradeUrl`, if the venue has moved and the account is the same: the ' +
        'journal goes on.',
    ),
  accessKey: secret.describe('The access key, by reference to the environment.'),
  secretKey: secret.describe('The secret key, by reference to the environment.'),
  requestTimeoutMs: z
    .int()
    .min(1_000)
    .max(REQUEST_TIMEOUT_MAX_MS)
    .default(DEFAULTS.requestTimeoutMs)
    .describe(
      'Longest time from making a request to the last byte of its answer, milliseconds; 1000 ' +
        'to 15000.',
    ),
  connections: z
    .int()
    .min(1)
    .max(64)
    .default(DEFAULTS.connections)
    .describe('Most sockets per address, and so most requests under way at once.'),
  urgentConnections: z
    .int()
    .min(1)
    .max(64)
    .default(DEFAULTS.urgentConnections)
    .describe('Additional sockets for cancels only, and as many again for heartbeats.'),
  timeOffsetMs: z
    .int()
    .default(DEFAULTS.timeOffsetMs)
    .describe("The exchange's clock minus ours, for the time that requests are stamped with."),
  pingIntervalMs: z
    .int()
    .min(100)
    .default(DEFAULTS.pingIntervalMs)
    .describe('How often the push connection is pinged.'),
  silenceMs: z
    .int()
    .min(1_000)
    .default(DEFAULTS.silenceMs)
    .describe('After this long without any message the push connection counts as dead.'),
  reconnectMinMs: z
    .int()
    .min(10)
    .default(DEFAULTS.reconnectMinMs)
    .describe('The first wait before the push connection is opened again.'),
  reconnectMaxMs: z
    .int()
    .min(10)
    .default(DEFAULTS.reconnectMaxMs)
    .describe(
      'The longest wait before the push connection is opened again. Also how long a private' +
        ' channel may be silent about an account that changed, and how long a refused channel' +
        ' waits before it is requested again.',
    ),
});

/** Pairs of times of which one must exceed the other: a ping needs time to be answered. */
const ORDERED = [
  { short: 'pingIntervalMs', long: 'silenceMs', apartMs: 1 },
  { short: 'reconnectMinMs', long: 'reconnectMaxMs', apartMs: 0 },
] as const;

/** Settings of the venue: where it is, who we are there, and how patient we are. */
export const zbConfigSchema = zbFields.superRefine((config, issues) => {
  for (const { short, long, apartMs } of ORDERED) {
    if (config[long] - config[short] >= apartMs) continue;
    // The issue is reported at the setting of the two that is not the default.
    const [at, other, bound] =
      config[long] === DEFAULTS[long]
        ? [short, long, `most ${config[long] - apartMs}`]
        : [long, short, `least ${config[short] + apartMs}`];
    const wanted = `a number of at ${bound} beside ${other}: ${config[other]} is wanted`;
    issues.addIssue({ code: 'custom', path: [at], message: `it is ${config[at]}, ${wanted}` });
  }
});

export type ZbConfig = z.infer<typeof zbConfigSchema>;
