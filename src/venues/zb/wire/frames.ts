import type { KeyObject } from 'node:crypto';
import { CHANNELS, ordersMarketOf } from './fields.ts';
import { parseJson } from './json.ts';
import { signatureOf, signedFrameText } from './signing.ts';

/** What a frame asks for. Source: wire facts, WebSocket. */
export type FrameEvent = 'addChannel' | 'removeChannel';

/** The text that keeps a connection alive, and its answer. Source: wire facts, WebSocket. */
export const PING = 'ping';
export const PONG = 'pong';

/**
 * A frame from the exchange as JSON, without loss. Depths are most of the traffic and contain
 * neither identifiers nor sums of money, so that they are not searched for long numbers.
 *
 * @throws {SyntaxError} when the text is not JSON.
 */
export function parseFrame(text: string): unknown {
  return text.includes('_depth"') ? JSON.parse(text) : parseJson(text);
}

export function publicFrame(event: FrameEvent, channel: string): string {
  return JSON.stringify({ event, channel });
}

/** The frame for a market's quick depth of so many levels a side. Source: wire facts, WebSocket. */
export function quickDepthFrame(
  event: FrameEvent,
  { market, length }: { readonly market: string; readonly length: number },
): string {
  return JSON.stringify({ event, channel: CHANNELS.quickDepth(market), length });
}

/** The keys that sign a private frame. */
export interface FrameSigner {
  readonly accessKey: string;
  readonly signingKey: KeyObject;
}

/** A private channel; a channel of orders is for one market. */
export interface PrivateChannel {
  readonly channel: string;
  readonly market?: string;
}

/** The frame for a private channel. */
export function privateFrame(
  event: FrameEvent,
  { channel, market, signer }: PrivateChannel & { readonly signer: FrameSigner },
): string {
  const { accessKey, signingKey } = signer;
  const fields = {
    channel,
    event,
    ...(market === undefined ? {} : { market: ordersMarketOf(market) }),
  };
  const text = signedFrameText({ accesskey: accessKey, ...fields });
  // The signed text is the frame without its last field.
  return `${text.slice(0, -1)},"sign":"${signatureOf(signingKey, text)}"}`;
}
