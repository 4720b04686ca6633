import type { z } from 'zod';

/** Refuses what bears the name of another before it: one of the two would count for nothing. */
export function eachOnce<K extends string>(key: K) {
  return (list: readonly Readonly<Record<K, string>>[], issues: z.RefinementCtx): void => {
    const names = list.map((one) => one[key]);
    for (const [at, name] of names.entries()) {
      if (names.indexOf(name) === at) continue;
      const message = `it is "${name}", which the list has already, each once is wanted`;
      issues.addIssue({ code: 'custom', path: [at, key], message });
    }
  };
}
