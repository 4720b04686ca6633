import type { KeyObject } from 'node:crypto';
import { BALANCES_CHANNEL, ORDERS_CHANNEL, ordersMarketOf } from './fields.ts';
import { parseJson } from './json.ts';
import { signatureOf, signedFrameText } from './signing.ts';

/** What a frame asks for. Source: wire facts, WebSocket. */
export type FrameEvent = 'addChannel' | 'removeChannel';

/** The text that keeps a connection alive, and its answer. Source: wire facts, WebSocket. */
export const PING = 'ping';
export const PONG = 'pong';

/**
 * A frame from the exchange as JSON, without loss. Depths are most of the traffic and hold neither
 * identifiers nor sums of money: they are spared the search for long numbers.
 *
 * @throws {SyntaxError} when the text is not JSON.
 */
export function parseFrame(text: string): unknown {
  return text.includes('_depth"') ? JSON.parse(text) : parseJson(text);
}

/** The frame for a public channel. */
export function publicFrame(event: FrameEvent, channel: string): string {
  return JSON.stringify({ event, channel });
}

/** Who signs a private frame. */
export interface FrameSigner {
  readonly accessKey: string;
  readonly signingKey: KeyObject;
}

/** The frame for the own orders of a market. */
export function ordersFrame(event: FrameEvent, signer: FrameSigner, market: string): string {
  return signedFrame(signer, { channel: ORDERS_CHANNEL, event, market: ordersMarketOf(market) });
}

/** The frame for the own balances. */
export function balancesFrame(event: FrameEvent, signer: FrameSigner): string {
  return signedFrame(signer, { channel: BALANCES_CHANNEL, event });
}

function signedFrame(
  { accessKey, signingKey }: FrameSigner,
  fields: Readonly<Record<string, string>>,
): string {
  const text = signedFrameText({ accesskey: accessKey, ...fields });
  // The signed text is the frame but for its last field.
  return `${text.slice(0, -1)},"sign":"${signatureOf(signingKey, text)}"}`;
}
