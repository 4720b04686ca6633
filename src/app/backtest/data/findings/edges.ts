import { momentText } from '../../moment.ts';
import type { Span } from './span.ts';

/** Where the data of a market begin later than the run, or end earlier: whole sentences. */
export function edgeFindings(
  has: Span,
  { run, leastMs }: { readonly run: Span; readonly leastMs: number },
): string[] {
  const begins = `The data begin at ${momentText(has.fromMs)} UTC`;
  const ends = `The data end at ${momentText(has.toMs)} UTC`;
  return [
    ...(has.fromMs - run.fromMs >= leastMs
      ? [`${begins}, the run begins at ${momentText(run.fromMs)} UTC.`]
      : []),
    ...(run.toMs - has.toMs >= leastMs
      ? [`${ends}, the run ends at ${momentText(run.toMs)} UTC: the last price stands until then.`]
      : []),
  ];
}
