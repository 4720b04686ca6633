import { counted } from '../../kernel/index.ts';
import { DEPTH_EVENTS } from '../store/kinds.ts';
import { type Finding, finding } from './report.ts';

/** Follows rows of depth to find when their book is known. */
export class KnownBook {
  #isKnown = false;
  /** Whether a whole book came. */
  #hasBegun = false;
  /** When the first gap came, if it came before any whole book. */
  #gapTime = Number.NaN;
  /** Changes before the first whole book, and when that came. */
  #changes = 0;
  #beginTime = Number.NaN;
  #firstTime = Number.NaN;
  /** The latest stamp so far: stamps of some rows fall back. */
  #lastTime = Number.NEGATIVE_INFINITY;
  #sinceTime = Number.NaN;
  #knownMs = 0;

  get isKnown(): boolean {
    return this.#isKnown;
  }

  observe(event: number, time: number): void {
    if (Number.isNaN(this.#firstTime)) this.#firstTime = time;
    if (time > this.#lastTime) this.#lastTime = time;
    if (event === DEPTH_EVENTS.snapshot) this.#begin(time);
    else if (event === DEPTH_EVENTS.gap) this.#end(time);
    else if (event === DEPTH_EVENTS.change && !this.#hasBegun) this.#changes++;
  }

  /** The finding about the beginning of the rows, and the share of their time with a known book. */
  result(): { readonly unknownBeginning: readonly Finding[]; readonly coverage: number } {
    const spanMs = this.#lastTime - this.#firstTime;
    const openMs = this.#isKnown ? this.#lastTime - this.#sinceTime : 0;
    const share = (this.#knownMs + openMs) / spanMs;
    const coverage = spanMs > 0 ? Math.min(1, share) : Number(this.#isKnown);
    return { unknownBeginning: this.#unknownBeginning(), coverage };
  }

  #begin(time: number): void {
    if (!this.#hasBegun) this.#beginTime = time;
    this.#hasBegun = true;
    if (this.#isKnown) return;
    this.#isKnown = true;
    this.#sinceTime = time;
  }

  #end(time: number): void {
    if (!this.#hasBegun && Number.isNaN(this.#gapTime)) this.#gapTime = time;
    if (this.#isKnown) this.#knownMs += Math.max(0, time - this.#sinceTime);
    this.#isKnown = false;
  }

  #unknownBeginning(): Finding[] {
    const changes = this.#changes;
    const hasGap = !Number.isNaN(this.#gapTime);
    // If changes were left out, the gap reports them.
    if (changes === 0 && (this.#hasBegun || hasGap)) {
      return this.#lateBook(hasGap ? this.#gapTime : this.#beginTime);
    }
    const until = this.#hasBegun
      ? untilText(this.#beginTime)
      : 'to the end, for there is no whole book';
    const all = `${counted(changes, 'change')} of a book that nobody knows`;
    const what = changes === 0 ? '' : `: ${all}`;
    const place = {
      time: this.#firstTime,
      detail: `${until}${what}; no order fills in a backtest`,
    };
    return [{ fault: 'unknown book', count: Math.max(1, changes), places: [place] }];
  }

  /** The time before the first whole book, or gap, where trades alone were recorded. */
  #lateBook(endTime: number): Finding[] {
    if (endTime <= this.#firstTime) return [];
    const detail = `${untilText(endTime)}; no order fills in a backtest`;
    return finding('late book', 1, [{ time: this.#firstTime, detail }]);
  }
}

function untilText(time: number): string {
  return `until ${new Date(time).toISOString()}`;
}
