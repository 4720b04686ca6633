import type { StrategyInstance } from '../../../engine/index.ts';
import type { StrategyConfig } from '../../../strategy/index.ts';
import { unlessShared } from '../../unless-shared.ts';

/** The names by which a run shows its strategies, by their names in the journal. */
export type ShownNames = ReadonlyMap<string, string>;

/**
 * Shows each strategy by the name in its settings, else by that of its definition instead of the
 * path of its module. Where several would share a name the path stays.
 *
 * @param instances the instances of the entries, in the same order.
 */
export function shownNames(
  entries: readonly Pick<StrategyConfig, 'name'>[],
  instances: readonly StrategyInstance[],
): ShownNames {
  const wanted = instances.map(({ definition }, at) => entries[at]?.name ?? definition.name);
  const own = instances.map(({ name }) => name);
  const shown = unlessShared(wanted, own);
  return new Map(own.map((name, at) => [name, shown[at]!]));
}

/** A text of a run, with the strategies' names in it replaced by the shown ones. */
export function renamedIn(text: string, names: ShownNames): string {
  const others = [...names].filter(([name, shown]) => name !== shown).map(([name]) => name);
  if (others.length === 0) return text;
  const longestFirst = others.sort((a, b) => b.length - a.length).map(RegExp.escape);
  // One path may be a part of another.
  const whole = new RegExp(`(?<!\\S)(?:${longestFirst.join('|')})(?![^\\s,;:)])`, 'g');
  return text.replace(whole, (name) => names.get(name)!);
}

/** Reports on strategies, with the shown names. */
export function renamed<T extends { readonly name: string }>(
  reports: readonly T[],
  names: ShownNames,
): T[] {
  return reports.map((report) => ({ ...report, name: names.get(report.name) ?? report.name }));
}
