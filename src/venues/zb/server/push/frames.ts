import { CODES } from '../../../../exchange/index.ts';
import { SUCCESS_MESSAGE, type WireRefusal } from '../answers.ts';

/** Codes of a frame that names no channel, or no event. Source: wire facts, table of codes. */
export const FRAME_CODES = { emptyChannel: 1007, emptyEvent: 1008 } as const;

/** What a frame from the client says, as far as an answer repeats it. */
export interface FrameHead {
  readonly channel: string;
  /** The client's own number of the frame. Default: "0". */
  readonly no: string;
}

/** The answer to a frame that cannot be served. Source: wire facts, unknown channel. */
export function refusalFrame({ channel, no }: FrameHead, { code, message }: WireRefusal): string {
  return JSON.stringify({ no, code, success: false, channel, message });
}

/** The answer to a private subscription that stands. */
export function acceptedFrame({ channel, no }: FrameHead): string {
  return JSON.stringify({
    no,
    code: CODES.success,
    success: true,
    channel,
    message: SUCCESS_MESSAGE,
  });
}

/** The answer to a ping that came as a subscription. Source: wire facts, Heartbeat. */
export const PONG_FRAME = '{"dataType":"pong","channel":"pong"}';
