import { CODES } from '../../../../exchange/index.ts';
import { SUCCESS_MESSAGE } from '../../wire/acknowledged.ts';
import type { WireRefusal } from '../answers.ts';

/** Codes for a frame without a channel or an event. Source: wire facts, table of codes. */
export const FRAME_CODES = { emptyChannel: 1007, emptyEvent: 1008 } as const;

/** Least time between two snapshots of an account, milliseconds: changes in between are joined. */
export const SNAPSHOT_INTERVAL_MS = 100;

/** The fields of a client's frame that an answer repeats. */
export interface FrameHead {
  readonly channel: string;
  /** The client's own number of the frame; empty if it gave none. */
  readonly no: string;
}

/** Stands for a number that the client did not give. Source: wire facts, unknown channel. */
const NO_NUMBER = '0';

/** The answer to a frame that cannot be served. Source: wire facts, unknown channel. */
export function refusalFrame({ channel, no }: FrameHead, { code, message }: WireRefusal): string {
  return JSON.stringify({ no: no || NO_NUMBER, code, success: false, channel, message });
}

/** The answer to an accepted private subscription. */
export function acceptedFrame({ channel, no }: FrameHead): string {
  const code = CODES.success;
  const message = SUCCESS_MESSAGE;
  return JSON.stringify({ no: no || NO_NUMBER, code, success: true, channel, message });
}

/** The answer to a ping that came as a subscription. Source: wire facts, Heartbeat. */
export const PONG_FRAME = '{"dataType":"pong","channel":"pong"}';
