import { momentText } from '../../moment.ts';

/** A time from when to when, milliseconds since the epoch. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The length of a span, milliseconds. */
export function lengthOf({ fromMs, toMs }: Span): number {
  return toMs - fromMs;
}

/** Both ends of a span, for people. */
export function spanText({ fromMs, toMs }: Span): string {
  return `from ${momentText(fromMs)} to ${momentText(toMs)} UTC`;
}
