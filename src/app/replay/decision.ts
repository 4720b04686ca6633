import type { Intent, TradingEvent } from '../../domain/index.ts';
import type { JournalEntry } from '../../storage/index.ts';

/** What a strategy decided: a wish, or to be over. */
export type Decision =
  | { readonly kind: 'intent'; readonly intent: Intent }
  | { readonly kind: 'over'; readonly status: 'ended' | 'failed'; readonly reason: string };

/** A decision with its time and cause. */
export interface MadeDecision {
  readonly strategy: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly decision: Decision;
  /** The last record that strategies were given before it; undefined before the first. */
  readonly input: JournalEntry | undefined;
  /** Its place in the journal; undefined for a replayed one. */
  readonly sequence?: number;
}

/** The decision in an event of the journal; undefined where the event is none. */
export function decisionOf(
  event: TradingEvent,
): { readonly strategy: string; readonly decision: Decision } | undefined {
  if (event.kind === 'intent') {
    return { strategy: event.strategy, decision: { kind: 'intent', intent: event.intent } };
  }
  if (event.kind !== 'strategy') return undefined;
  const { strategy, status, reason } = event;
  if (status !== 'ended' && status !== 'failed') return undefined;
  return { strategy, decision: { kind: 'over', status, reason } };
}

/** Whether two decisions are the same: keys in any order, an undefined value as an absent one. */
export function isSameDecision(a: Decision, b: Decision): boolean {
  return isSame(a, b);
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [left, right] = [Object.entries(a), Object.entries(b)].map((entries) =>
    entries.filter(([, value]) => value !== undefined),
  ) as [[string, unknown][], [string, unknown][]];
  if (left.length !== right.length) return false;
  const others = b as Readonly<Record<string, unknown>>;
  return left.every(([key, value]) => isSame(value, others[key]));
}
