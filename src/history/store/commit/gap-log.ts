import type { Gap } from '../manifest.ts';

/** A gap of recorded depth. */
export interface LoggedGap extends Gap {
  /** Changes of levels that were left out in it just now. */
  readonly leftOut: number;
  /** Changes that were left out in it by earlier imports. */
  readonly leftOutBefore: number;
}

type OpenGap = Pick<LoggedGap, 'from' | 'reason' | 'leftOutBefore'>;

/** Keeps the gaps of depth while it is read, and counts what is left out in each. */
export class GapLog {
  readonly gaps: LoggedGap[] = [];
  #open: OpenGap | undefined;
  #counted = 0;

  /** `open`: a gap that began before. */
  constructor(open: Gap | undefined) {
    if (open !== undefined) this.#open = { ...open, leftOutBefore: open.leftOut ?? 0 };
  }

  /** The book is not known from here on. */
  begin({ from, reason }: Pick<Gap, 'from' | 'reason'>): void {
    this.#open ??= { from, reason, leftOutBefore: 0 };
  }

  /** The book is known from here on. `leftOut`: changes of levels left out so far, in all gaps. */
  end(to: number, leftOut: number): void {
    if (this.#open === undefined) return;
    const { from, reason, leftOutBefore } = this.#open;
    const gap = { from, to: Math.max(from, to), reason, leftOut: leftOut - this.#counted };
    this.gaps.push({ ...gap, leftOutBefore });
    this.#counted = leftOut;
    this.#open = undefined;
  }
}

/** Where gaps of depth join those of a dataset. */
export interface GapsToJoin {
  readonly gaps: readonly LoggedGap[];
  /** The dataset's own gaps from this time to `last` are removed, as the rows around them are. */
  readonly cut: number;
  readonly last: number;
  /** Rows that are removed, also those of gaps. */
  readonly gone: readonly { readonly time: number }[];
  /** The dataset's gap that the first of `gaps` continues. */
  readonly openGap?: Gap | undefined;
}

/** The gaps of a dataset with those that joined it, in order of time. */
export function gapsJoined(
  before: readonly Gap[],
  { gaps, cut, last, gone, openGap }: GapsToJoin,
): readonly Gap[] {
  const isKept = ({ from, to }: Gap): boolean => {
    const isOpen = from === openGap?.from && to === openGap.to;
    return (from < cut || from > last) && !isOpen && !gone.some(({ time }) => time === from);
  };
  const added = gaps.map(({ leftOut, leftOutBefore, ...gap }): Gap => {
    const sum = leftOut + leftOutBefore;
    return sum === 0 ? gap : { ...gap, leftOut: sum };
  });
  return [...before.filter(isKept), ...added].sort((a, b) => a.from - b.from);
}
