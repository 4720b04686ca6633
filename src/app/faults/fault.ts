import { z } from 'zod';
import { CODES } from '../../exchange/index.ts';
import { OPERATION_NAMES } from '../../venues/zb/server/index.ts';

/** Longest time that a fault may last or delay, milliseconds: an hour. */
const LONGEST_MS = 3_600_000;

const milliseconds = z.int().min(1).max(LONGEST_MS);

const howOften = {
  /** How many it hits. Default: 1, or any number if `forMs` is given. */
  count: z.int().min(1).optional(),
  /** How long it lasts, in the time of the callers. */
  forMs: milliseconds.optional(),
  /** Chance of each to be hit, drawn from the seed of the exchange. */
  probability: z.number().gt(0).max(1).default(1),
};

/** `operation`: the last piece of the path, such as `order`. Default: every request. */
const request = { ...howOften, operation: z.enum(OPERATION_NAMES).optional() };

const untaken = z.boolean().default(false);

/**
 * What can go wrong between a client and the exchange. `taken` says whether the request reaches the
 * exchange in spite of it.
 */
export const faultSchema = z.discriminatedUnion('kind', [
  /** The answer comes later. */
  z.strictObject({ kind: z.literal('answerDelayed'), ...request, delayMs: milliseconds }),
  /** The exchange acts, then the connection breaks without an answer. */
  z.strictObject({ kind: z.literal('answerLost'), ...request }),
  /** The answer is cut off in the middle. */
  z.strictObject({ kind: z.literal('answerTruncated'), ...request }),
  /** The connection breaks before the exchange sees the request. */
  z.strictObject({ kind: z.literal('requestDropped'), ...request }),
  /** A request arrives twice, as when a proxy repeats it; the first answer is given. */
  z.strictObject({ kind: z.literal('requestDuplicated'), ...request }),
  /** A proxy's page in place of JSON. */
  z.strictObject({
    kind: z.literal('htmlPage'),
    ...request,
    taken: untaken,
    status: z.int().min(200).max(599).default(200),
  }),
  /** The exchange's own words for overload. Source: wire facts, overloaded servers. */
  z.strictObject({ kind: z.literal('busy'), ...request, taken: untaken }),
  z.strictObject({ kind: z.literal('timedOut'), ...request, taken: z.boolean().default(true) }),
  /** Code 1009. */
  z.strictObject({ kind: z.literal('maintenance'), ...request }),
  /** Any code of the exchange. */
  z.strictObject({
    kind: z.literal('refused'),
    ...request,
    code: z.int().min(1).max(99_999).default(CODES.general),
    message: z.string().default('Error'),
  }),
  /** Every WebSocket ends; with `forMs` new ones too, at once. */
  z.strictObject({ kind: z.literal('socketsDropped'), forMs: milliseconds.optional() }),
  /** WebSockets stand but nothing comes, not even an answer to a ping. */
  z.strictObject({ kind: z.literal('socketsSilent'), forMs: milliseconds }),
  /** Pings and subscriptions are answered, yet no news comes; it is not sent later either. */
  z.strictObject({ kind: z.literal('pushesFrozen'), forMs: milliseconds }),
  /** A push is lost, or comes twice. */
  z.strictObject({ kind: z.literal('pushesLost'), ...howOften }),
  z.strictObject({ kind: z.literal('pushesDuplicated'), ...howOften }),
]);

export type Fault = z.infer<typeof faultSchema>;
export type RequestFault = Extract<Fault, { operation?: unknown }>;
export type PushFault = Exclude<Fault, RequestFault>;

export function isRequestFault(fault: Fault): fault is RequestFault {
  return !/^(?:sockets|pushes)/.test(fault.kind);
}
