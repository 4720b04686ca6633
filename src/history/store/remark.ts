/** What whoever works with rows should know of them. */
export interface Remark {
  /** A whole sentence. */
  readonly text: string;
  /** What to do about it, or what it comes to, for whoever works with their dataset. */
  readonly hint?: string | undefined;
}

/** How remarks name rows. */
export interface Naming {
  /** What they are called where nobody works with their dataset. Default: the dataset's name. */
  readonly called?: string | undefined;
}

/** Remarks for people: with what hints at the dataset, for those who may work with it. */
export function remarkTexts(remarks: readonly Remark[], { called }: Naming = {}): string[] {
  return remarks.map(({ text, hint }) =>
    hint === undefined || called !== undefined ? text : `${text}; ${hint}`,
  );
}
