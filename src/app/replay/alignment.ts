import { timeOf } from '../../domain/index.ts';
import { getOrInsert } from '../../kernel/index.ts';
import { isSameDecision, type MadeDecision } from './decision.ts';

/** Only decisions whose inputs are at most this far apart are paired, milliseconds. */
const APART_MAX_MS = 1_000;

/** Which run a decision comes from. */
type Side = 'recorded' | 'replayed';

/** Where a replay came out different. */
export interface Difference {
  readonly strategy: string;
  /** `changed`: another decision; `missing`: only recorded; `extra`: only replayed. */
  readonly kind: 'changed' | 'missing' | 'extra';
  readonly recorded?: MadeDecision;
  readonly replayed?: MadeDecision;
}

/**
 * Compares the replayed decisions of one strategy with its recorded ones, in order.
 *
 * Where they differ, the nearest equal decision within a second tells whether decisions are missing
 * or extra; if there is none, the two count as one that changed. Holds the decisions of that second
 * only.
 */
export class Alignment {
  readonly #strategy: string;
  readonly #onDifference: (difference: Difference) => void;
  readonly #recorded: MadeDecision[] = [];
  readonly #replayed: MadeDecision[] = [];
  /** Decisions that came out as recorded. */
  same = 0;

  constructor(strategy: string, onDifference: (difference: Difference) => void) {
    this.#strategy = strategy;
    this.#onDifference = onDifference;
  }

  add(side: Side, decision: MadeDecision): void {
    (side === 'recorded' ? this.#recorded : this.#replayed).push(decision);
    this.#settle(causeMs(decision));
  }

  /** Settles all that is left: there will be no more. */
  end(): void {
    this.#settle(Number.POSITIVE_INFINITY);
  }

  #settle(nowMs: number): void {
    for (;;) {
      const [recorded] = this.#recorded;
      const [replayed] = this.#replayed;
      if (recorded === undefined && replayed === undefined) return;
      if (recorded !== undefined && replayed !== undefined && isPair(recorded, replayed)) {
        this.#take(1, 1);
        this.same++;
        continue;
      }
      const heads = [recorded, replayed].filter((head) => head !== undefined);
      const firstMs = Math.min(...heads.map(causeMs));
      if (nowMs - firstMs <= APART_MAX_MS) return;
      this.#tellDifference(recorded, replayed);
    }
  }

  /** Reports a difference of the first two; no decision near them is still to come. */
  #tellDifference(recorded: MadeDecision | undefined, replayed: MadeDecision | undefined): void {
    const missing = replayed && this.#recorded.findIndex((one) => isPair(one, replayed));
    const extra = recorded && this.#replayed.findIndex((one) => isPair(recorded, one));
    if (extra !== undefined && extra > 0 && !(missing! > 0 && missing! < extra)) {
      for (const one of this.#take(0, extra).replayed) this.#tell('extra', { replayed: one });
    } else if (missing !== undefined && missing > 0) {
      for (const one of this.#take(missing, 0).recorded) this.#tell('missing', { recorded: one });
    } else if (recorded !== undefined && replayed !== undefined && isNear(recorded, replayed)) {
      this.#take(1, 1);
      this.#tell('changed', { recorded, replayed });
    } else if (replayed === undefined || (recorded && causeMs(recorded) < causeMs(replayed))) {
      this.#take(1, 0);
      this.#tell('missing', { recorded: recorded! });
    } else {
      this.#take(0, 1);
      this.#tell('extra', { replayed });
    }
  }

  #take(recorded: number, replayed: number) {
    return {
      recorded: this.#recorded.splice(0, recorded),
      replayed: this.#replayed.splice(0, replayed),
    };
  }

  #tell(kind: Difference['kind'], sides: Pick<Difference, 'recorded' | 'replayed'>): void {
    this.#onDifference({ strategy: this.#strategy, kind, ...sides });
  }
}

/** Compares the decisions of all strategies, each with its own. */
export class Alignments {
  readonly #onDifference: (difference: Difference) => void;
  readonly #groupOf: (decision: MadeDecision) => string;
  readonly #ofGroup = new Map<string, Alignment>();
  readonly #counts = { recorded: 0, replayed: 0 };

  /** `groupOf`: the key of decisions whose order counts. Default: the strategy. */
  constructor(
    onDifference: (difference: Difference) => void,
    groupOf = ({ strategy }: MadeDecision): string => strategy,
  ) {
    this.#onDifference = onDifference;
    this.#groupOf = groupOf;
  }

  add(side: Side, decision: MadeDecision): void {
    const begin = () => new Alignment(decision.strategy, this.#onDifference);
    this.#counts[side]++;
    getOrInsert(this.#ofGroup, this.#groupOf(decision), begin).add(side, decision);
  }

  /** Settles all that is left. Counts the decisions, and those that came out as recorded. */
  end(): { readonly recorded: number; readonly replayed: number; readonly same: number } {
    let same = 0;
    for (const alignment of this.#ofGroup.values()) {
      alignment.end();
      same += alignment.same;
    }
    return { ...this.#counts, same };
  }
}

function isNear(a: MadeDecision, b: MadeDecision): boolean {
  return Math.abs(causeMs(a) - causeMs(b)) <= APART_MAX_MS;
}

/** When the input behind a decision was given: a stalled machine may have delayed the decision. */
function causeMs({ time, input }: MadeDecision): number {
  return input === undefined ? time : timeOf(input.event);
}

function isPair(a: MadeDecision, b: MadeDecision): boolean {
  return isNear(a, b) && isSameDecision(a.decision, b.decision);
}
