import { z } from 'zod';
import { CONTRACT_LIMITS } from '../../../exchange/index.ts';
import { HOUR_MS } from '../../../kernel/index.ts';
import { DIALECTS } from './dialect.ts';

/**
 * The permissions of a key, as the configuration names them. Source: contract, Authentication 4.
 */
const permissionsSchema = z.strictObject({
  assets: z.boolean().default(true).describe('Query account information and assets (assetPerm).'),
  orders: z.boolean().default(true).describe('Place, cancel and query orders (entrustPerm).'),
  withdrawals: z
    .boolean()
    .default(false)
    .describe('Deposit and withdrawal addresses and records, withdrawals (moneyPerm).'),
  margin: z.boolean().default(false).describe('Margin financing and borrowing (leverPerm).'),
});

/** One key to an account. */
const keySchema = z.strictObject({
  accessKey: z.string().min(1).describe('The public half, sent with every signed request.'),
  secretKey: z.string().min(1).describe('The secret half; it signs and is never sent.'),
  account: z.string().min(1).default('main').describe('Name of the account that it opens.'),
  permissions: permissionsSchema.prefault({}).describe('What the key may do.'),
  boundAddresses: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('The only addresses that may use the key. Default: any.'),
  disabled: z.boolean().default(false).describe('Answers every request with code 4001.'),
});

/** The exchange's own request limits. */
export const limitsSchema = z.strictObject({
  enforced: z.boolean().default(true).describe('Whether requests beyond the limits are refused.'),
  requestsPerSecond: z
    .int()
    .min(1)
    .default(CONTRACT_LIMITS.requestsPerSecond)
    .describe('Signed requests of a key in any one second; those beyond get code 4002.'),
  requestsPerMinute: z
    .int()
    .min(1)
    .default(CONTRACT_LIMITS.requestsPerMinute)
    .describe('Signed requests of an address in any minute; one more locks it.'),
  candleIntervalMs: z
    .int()
    .min(0)
    .default(CONTRACT_LIMITS.candleIntervalMs)
    .describe('Least milliseconds between two candle requests of an address.'),
  lockMs: z.int().min(0).default(HOUR_MS).describe('How long an address stays locked.'),
});

/** What one WebSocket connection may cost the server. */
export const pushSchema = z.strictObject({
  frameBytesMax: z
    .int()
    .min(256)
    .default(65_536)
    .describe('Longest frame that a client may send, bytes; a longer one ends its connection.'),
  bufferedBytesMax: z
    .int()
    .min(0)
    .default(4 * 1024 * 1024)
    .describe('Bytes that may wait for a slow reader; beyond them its connection is cut.'),
  channelsMax: z
    .int()
    .min(1)
    .default(1_000)
    .describe('Channels that one connection may listen to; one more is refused with code 1001.'),
});

/** How the exchange is served. */
export const serverSchema = z.strictObject({
  port: z.int().min(0).max(65_535).default(8710).describe('TCP port; 0 takes any free one.'),
  address: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  dialect: z
    .enum(DIALECTS)
    .default('documented')
    .describe('Speak as the contract says, or as recordings of the exchange show.'),
  keys: z.array(keySchema).default([]).describe('The keys that open accounts.'),
  limits: limitsSchema.prefault({}).describe('Request limits of keys and addresses.'),
  push: pushSchema.prefault({}).describe('Bounds of a WebSocket connection.'),
});

export type ServerConfig = z.infer<typeof serverSchema>;
export type ServerLimits = z.infer<typeof limitsSchema>;
export type PushBounds = z.infer<typeof pushSchema>;
export type KeyConfig = z.infer<typeof keySchema>;

/** The limits of the contract, enforced. */
export const DEFAULT_LIMITS: ServerLimits = limitsSchema.parse({});

/** The default bounds of a WebSocket connection. */
export const DEFAULT_PUSH_BOUNDS: PushBounds = pushSchema.parse({});
