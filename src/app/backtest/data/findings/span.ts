import { momentText } from '../../moment.ts';

/** From when to when, milliseconds since the epoch: what is looked at, or where rows are missing. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Milliseconds. */
export function lengthOf({ fromMs, toMs }: Span): number {
  return toMs - fromMs;
}

/** Both ends, for people. */
export function spanText({ fromMs, toMs }: Span): string {
  return `from ${momentText(fromMs)} to ${momentText(toMs)} UTC`;
}
