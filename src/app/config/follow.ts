import { z } from 'zod';

/** A venue whose live prices the simulated exchange follows. */
export const followSchema = z.strictObject({
  dataUrl: z.url().describe("Base address of the venue's market data."),
  pushUrl: z.url().describe("Address of the venue's WebSocket."),
});
