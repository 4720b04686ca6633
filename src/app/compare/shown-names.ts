import type { TradingEvent } from '../../domain/index.ts';
import { instanceName } from '../../strategy/index.ts';
import { unlessShared } from '../unless-shared.ts';
import type { RunSource } from './run-source.ts';

/** The names under which a comparison shows strategies, by their names in the journal. */
export type ShownNames = ReadonlyMap<string, string>;

/** What the names of a run are taken from. */
type Naming = Pick<RunSource, 'settings' | 'metrics' | 'definitions'>;

/**
 * The names of both runs' strategies as their reports show them, or would. A strategy keeps its
 * name in the journal if several of a run would share one.
 */
export function shownNames(a: Naming, b: Naming): { a: ShownNames; b: ShownNames } {
  const [ofA, ofB] = [reportedNames(a), reportedNames(b)];
  const known = new Map([...ofB, ...ofA]);
  return { a: named(a, known), b: named(b, known) };
}

/** The event with its strategy's shown name. */
export function renamed(event: TradingEvent, names: ShownNames): TradingEvent {
  if (names.size === 0) return event;
  if (event.kind === 'order') return { ...event, order: ownName(event.order, names) };
  if (event.kind === 'fill') return { ...event, fill: ownName(event.fill, names) };
  if (event.kind === 'lateFee') return { ...event, lateFee: ownName(event.lateFee, names) };
  if (event.kind === 'intent' || event.kind === 'strategy') return ownName(event, names);
  return event;
}

function ownName<T extends { readonly strategy: string }>(part: T, names: ShownNames): T {
  return { ...part, strategy: names.get(part.strategy) ?? part.strategy };
}

/** The settings with the strategies' shown names. */
export function withShownNames(settings: unknown, names: ShownNames): unknown {
  const entries = entriesIn(settings);
  if (entries.length === 0) return settings;
  const strategies = entries.map((entry) => {
    const name = instanceName(entry);
    return { ...entry, name: names.get(name) ?? name };
  });
  return { ...(settings as object), strategies };
}

/** The names in a run's report, else those of its definitions, by the names in its journal. */
function reportedNames({ settings, metrics, definitions }: Naming): ShownNames {
  const entries = entriesIn(settings);
  const shown = metrics?.strategies ?? entries.map(({ use, name }) => name ?? definitions.get(use));
  if (shown.length !== entries.length) return new Map();
  return new Map(
    entries.flatMap((entry, at) => {
      const name = shown[at];
      return name === undefined ? [] : [[instanceName(entry), name] as const];
    }),
  );
}

function named({ settings }: Naming, known: ShownNames): ShownNames {
  const names = instancesOf(settings);
  const wanted = names.map((name) => known.get(name) ?? name);
  const shown = unlessShared(wanted, names);
  const pairs = names.map((name, at) => [name, shown[at]!] as const);
  return new Map(pairs.filter(([name, other]) => name !== other));
}

function instancesOf(settings: unknown): string[] {
  return entriesIn(settings).map(instanceName);
}

interface Entry {
  readonly use: string;
  readonly name?: string;
}

/** The strategies in recorded settings; none if the record was changed into something else. */
function entriesIn(settings: unknown): readonly Entry[] {
  const { strategies } = (settings ?? {}) as { readonly strategies?: unknown };
  return Array.isArray(strategies) && strategies.every(isEntry) ? strategies : [];
}

function isEntry(entry: unknown): entry is Entry {
  return typeof (entry as Partial<Entry> | null)?.use === 'string';
}
