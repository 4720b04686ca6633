import type { Gap } from '../../../../history/index.ts';
import { momentText } from '../../moment.ts';
import { HOLES_MAX } from './holes.ts';
import type { Span } from './span.ts';

/** The total length of a recording's gaps within a period. */
export function gapsMs(gaps: readonly Gap[], { fromMs, toMs }: Span): number {
  const inside = gaps.map(({ from, to }) => Math.min(to, toMs) - Math.max(from, fromMs));
  return inside.reduce((sum, ms) => sum + Math.max(0, ms), 0);
}

/** The gaps of a recording that a period touches: whole sentences. */
export function gapFindings(gaps: readonly Gap[], { fromMs, toMs }: Span): string[] {
  const inside = gaps.filter(({ from, to }) => to > fromMs && from < toMs);
  const told = inside.slice(0, HOLES_MAX).map(({ from, to, reason }) => {
    return `Nothing is recorded from ${momentText(from)} to ${momentText(to)} UTC: ${reason}.`;
  });
  const more = inside.length - told.length;
  return more > 0 ? [...told, `Further places: ${more}.`] : told;
}
