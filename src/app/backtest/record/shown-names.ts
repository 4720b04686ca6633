import type { StrategyInstance } from '../../../engine/index.ts';
import type { StrategyConfig } from '../../../strategy/index.ts';
import { unlessShared } from '../../unless-shared.ts';

/** What strategies are called where a run shows them, by the names that its journal has. */
export type ShownNames = ReadonlyMap<string, string>;

/**
 * The name that the settings give, else that of the definition; of a module of one's own that is its
 * path otherwise. The path stays where several would share a name.
 *
 * @param instances those of the entries, in their order.
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

/** A text of a run, with the names of its strategies that stand in it as they are shown. */
export function renamedIn(text: string, names: ShownNames): string {
  const others = [...names].filter(([name, shown]) => name !== shown).map(([name]) => name);
  if (others.length === 0) return text;
  const longestFirst = others.sort((a, b) => b.length - a.length).map(RegExp.escape);
  // A path may be a part of another.
  const whole = new RegExp(`(?<!\\S)(?:${longestFirst.join('|')})(?![^\\s,;:)])`, 'g');
  return text.replace(whole, (name) => names.get(name)!);
}

/** Reports of strategies with the names that are shown. */
export function renamed<T extends { readonly name: string }>(
  reports: readonly T[],
  names: ShownNames,
): T[] {
  return reports.map((report) => ({ ...report, name: names.get(report.name) ?? report.name }));
}
