import type { z } from 'zod';

/** Refuses an entry with the name of an earlier one: one of the two would have no effect. */
export function eachOnce<K extends string>(key: K) {
  return (list: readonly Readonly<Record<K, string>>[], issues: Issues): void => {
    const names = list.map((one) => one[key]);
    refuseTwice(names, { at: [], key, issues });
  };
}

type Issues = Pick<z.RefinementCtx, 'addIssue'>;

/** Where a list of names stands; `key`: the field of the name, if entries are more than names. */
interface NamedAt {
  readonly at: readonly PropertyKey[];
  readonly key?: string;
  readonly issues: Issues;
}

/** Refuses a name that the list has already: it adds nothing, so another one was meant. */
export function refuseTwice(names: readonly string[], { at, key, issues }: NamedAt): void {
  names.forEach((name, index) => {
    if (names.indexOf(name) === index) return;
    const message = `it is "${name}", which the list has already, each once is wanted`;
    const path = [...at, index, ...(key === undefined ? [] : [key])];
    issues.addIssue({ code: 'custom', path, message });
  });
}
