import type { QuestionSource, QuestionTurn } from '../ports.ts';
import type { RateBudget } from '../sending/rate-budget.ts';

/** One round of reads. */
export interface QuestionRound {
  readonly nowMs: number;
  readonly priority: QuestionTurn['priority'];
  readonly budget: Pick<RateBudget, 'hasRoom'>;
}

interface Entry {
  readonly source: QuestionSource;
  /** Since when its reads have waited for the rate budget. */
  waitingSinceMs: number | undefined;
}

/**
 * Sources of reads that take turns: none keeps another waiting, however much it has to ask.
 * Otherwise retries of failing lookups would keep every market from being read.
 */
export class Questions {
  /** The source served longest ago comes first. */
  readonly #entries: Entry[];

  /** `sources`: the most urgent first. */
  constructor(sources: readonly QuestionSource[]) {
    this.#entries = sources.map((source) => ({ source, waitingSinceMs: undefined }));
  }

  /** When the next read is due; infinite when none is without an event. */
  get nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { source } of this.#entries) nextMs = Math.min(nextMs, source.nextMs);
    return nextMs;
  }

  /**
   * Sends the reads that are due, as far as there is room. Returns whether any must wait for room.
   */
  ask(round: QuestionRound): boolean {
    if (this.nextMs > round.nowMs) return this.#note(round, false);
    const silent = new Set<Entry>();
    for (;;) {
      const entry = this.#entries.find((one) => isDue(one, round) && !silent.has(one));
      if (entry === undefined) return this.#note(round, false);
      if (!round.budget.hasRoom(round.priority)) return this.#note(round, true);
      if (!this.#serve(entry, round)) silent.add(entry);
    }
  }

  #serve(entry: Entry, { priority }: QuestionRound): boolean {
    const { source, waitingSinceMs } = entry;
    entry.waitingSinceMs = undefined;
    if (!source.sendDue({ priority, waitingSinceMs })) return false;
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    this.#entries.push(entry);
    return true;
  }

  /** Notes which sources wait. Returns `waits`. */
  #note(round: QuestionRound, waits: boolean): boolean {
    for (const entry of this.#entries) {
      if (waits && isDue(entry, round)) entry.waitingSinceMs ??= round.nowMs;
      else entry.waitingSinceMs = undefined;
    }
    return waits;
  }
}

function isDue({ source }: Entry, { nowMs }: QuestionRound): boolean {
  return source.nextMs <= nowMs;
}
