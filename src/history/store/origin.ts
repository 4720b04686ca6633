import { z } from 'zod';
import { HistoryError } from '../errors.ts';

/** Where rows come from. */
export const originSchema = z.strictObject({
  /** Imported files, a venue that was asked or listened to, or another dataset. */
  kind: z.enum(['files', 'venue', 'dataset']),
  /** Whose files, which host, which dataset; left out where files do not tell. */
  name: z.string().optional(),
});
export type Origin = z.infer<typeof originSchema>;

/** What is done to a dataset, as in "Cannot resample". */
export type Action = 'import' | 'resample' | 'download' | 'record';

/** Something with rows of an origin; datasets of earlier versions did not note it. */
interface Originated {
  readonly origin?: Origin | undefined;
}

/** Rows that are to join a dataset. */
export interface Joiners {
  readonly id: string;
  readonly action: Action;
  readonly sources: readonly Originated[];
  /** Let them join whatever their origin. Default: false. */
  readonly mix?: boolean | undefined;
}

/**
 * Refuses rows of another origin than those before them: in one dataset nobody can tell two venues,
 * or spot and futures, apart again. An origin that was let in before may add more.
 *
 * @throws {HistoryError} naming both origins.
 */
export function refuseMix(before: readonly Originated[], joiners: Joiners): void {
  const { id, action, sources, mix = false } = joiners;
  const known = before.flatMap(({ origin }) => origin ?? []);
  for (const { origin } of mix ? [] : sources) {
    if (origin === undefined) continue;
    const other = known.find((one) => !agree(one, origin));
    if (other !== undefined && !known.some((one) => textOf(one) === textOf(origin))) {
      throw new HistoryError(
        `Cannot ${action} into ${id}: its rows were ${textOf(other)}, these were ` +
          `${textOf(origin)}; another --source (a dataset of their own) or --mix (both in one) ` +
          'is wanted',
      );
    }
    known.push(origin);
  }
}

/** Whether rows may be of one origin: files that do not tell whose they are may be anybody's. */
function agree(a: Origin, b: Origin): boolean {
  const isTold = a.name !== undefined && b.name !== undefined;
  return a.kind === b.kind && (!isTold || a.name === b.name);
}

function textOf({ kind, name }: Origin): string {
  if (kind === 'venue') return `taken from ${name}`;
  if (kind === 'dataset') return `resampled from ${name}`;
  return name === undefined ? 'imported from files' : `imported from files of ${name}`;
}
