import { Observable } from 'rxjs';
import type { Clock, Random } from '../../../kernel/index.ts';
import { HOUR_MS, readMoment } from '../../../kernel/index.ts';
import type { OutageSettings } from '../config.ts';
import type { Span } from '../data/findings/span.ts';
import type { Period } from '../data/period.ts';
import { momentText } from '../moment.ts';

/**
 * The outages of the line to the exchange, stated and drawn, in order of time. Those drawn depend
 * only on the seed and on when trading begins. An outage that would outlast the data ends with
 * them.
 */
export function outageSpans(
  { stated, drawn }: OutageSettings,
  { period, random }: { readonly period: Period; readonly random: Random },
): readonly Span[] {
  const spans = stated.map(({ from, lengthMs }) => {
    const fromMs = readMoment(from)!;
    return { fromMs, toMs: fromMs + lengthMs };
  });
  if (drawn !== undefined) spans.push(...drawnSpans(drawn, { period, random }));
  const { warmFromMs, toMs } = period;
  return joined(spans)
    .filter((span) => span.fromMs < toMs && span.toMs > warmFromMs)
    .map((span) => ({ fromMs: span.fromMs, toMs: Math.min(span.toMs, toMs) }));
}

/** A sentence for each stated outage that has no effect because it lies outside the period. */
export function outageNotes(
  settings: OutageSettings | undefined,
  { warmFromMs, toMs }: Period,
): string[] {
  return (settings?.stated ?? []).flatMap(({ from, lengthMs }, number) => {
    const fromMs = readMoment(from)!;
    if (fromMs < toMs && fromMs + lengthMs > warmFromMs) return [];
    return [
      `The outage of backtest.simulate.outages.stated[${number}] is not simulated: it begins at ${momentText(fromMs)} UTC, outside of the period.`,
    ];
  });
}

function drawnSpans(
  { everyHours, lengthMs }: NonNullable<OutageSettings['drawn']>,
  { period, random }: { readonly period: Period; readonly random: Random },
): Span[] {
  const spans: Span[] = [];
  const draw = (meanMs: number): number => Math.max(1, Math.round(random.exponential(meanMs)));
  for (let nowMs = period.fromMs; ; ) {
    const fromMs = nowMs + draw(everyHours * HOUR_MS);
    nowMs = fromMs + draw(lengthMs);
    if (fromMs >= period.toMs) return spans;
    spans.push({ fromMs, toMs: nowMs });
  }
}

/** The spans in order of time, those that touch or overlap joined. */
function joined(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = whole.at(-1);
    if (last === undefined || span.fromMs > last.toMs) whole.push(span);
    else whole[whole.length - 1] = { ...last, toMs: Math.max(last.toMs, span.toMs) };
  }
  return whole;
}

/** The index of the first span that is not over at a time; `spans.length` where all are over. */
export function firstUnended(spans: readonly Span[], timeMs: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.toMs > timeMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether any span overlaps the time from one moment to another, both included. */
export function isTouched(spans: readonly Span[], from: number, to: number): boolean {
  const span = spans[firstUnended(spans, from)];
  return span !== undefined && span.fromMs <= to;
}

/** Whether the line stands: emits false when a span begins and true when it ends. */
export function standing(spans: readonly Span[], clock: Clock): Observable<boolean> {
  return new Observable((subscriber) => {
    let at = firstUnended(spans, clock.now());
    const follow = (isCut: boolean): void => {
      const span = spans[at];
      if (span === undefined) return;
      const dueMs = isCut ? span.toMs : span.fromMs;
      const change = clock.schedule(() => {
        subscriber.next(isCut);
        if (isCut) at++;
        follow(!isCut);
      }, dueMs - clock.now());
      subscriber.add(change);
    };
    follow(false);
  });
}
