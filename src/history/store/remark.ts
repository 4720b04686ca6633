/** What a user of some rows should know. */
export interface Remark {
  /** A whole sentence. */
  readonly text: string;
  /** What to do about it, or its consequence, for users of the dataset. */
  readonly hint?: string | undefined;
}

/** How remarks name rows. */
export interface Naming {
  /** The name of rows whose dataset no user works with. Default: the dataset's name. */
  readonly called?: string | undefined;
}

/** Remarks for people. Hints are for those who work with the dataset. */
export function remarkTexts(remarks: readonly Remark[], { called }: Naming = {}): string[] {
  return remarks.map(({ text, hint }) =>
    hint === undefined || called !== undefined ? text : `${text}; ${hint}`,
  );
}
