import { z } from 'zod';

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

export type PushBounds = z.infer<typeof pushSchema>;

/** The bounds where none are configured. */
export const DEFAULT_PUSH_BOUNDS: PushBounds = pushSchema.parse({});
