import { existsSync } from 'node:fs';
import { JournalReader } from '../../storage/index.ts';
import type { DeploymentConfig } from '../config/deployment.ts';
import { AppError } from '../errors.ts';
import { lastRun } from '../past/last-run.ts';

type VenueConfig = DeploymentConfig['venue'];

/** The part that is read of the settings that a run has recorded. */
interface RecordedSettings {
  readonly venue?: { readonly kind?: string; readonly tradeUrl?: string } | null;
}

const SIMULATED = 'a simulated exchange';

/**
 * Refuses a journal whose runs traded elsewhere: what they held, owed and lost would count here,
 * and a strategy would sell what it never bought. This happens when paper and live share a name.
 *
 * @throws {AppError} `configuration`, naming both places.
 */
export function requireSameVenue(journal: string, venue: VenueConfig): void {
  const former = formerPlace(journal);
  const place = placeOf(venue);
  if (former === undefined || former === place) return;
  const moved = venue.kind === 'zb' ? venue.formerTradeUrl : undefined;
  if (moved !== undefined && former === addressOf(moved)) return;
  const isMove = former !== SIMULATED && place !== SIMULATED;
  throw new AppError(
    'configuration',
    `Cannot start with the journal ${journal}: its last run traded on ${former}, this one would on ` +
      `${place}, where the positions and losses of that run do not exist; a journal of its own is ` +
      'wanted (journal.path, or another name)' +
      (isMove ? ', or venue.formerTradeUrl where it is the same account at a new address' : ''),
  );
}

/** Where the last run of a journal traded; undefined where that is not recorded or illegible. */
function formerPlace(journal: string): string | undefined {
  const reader = readerOf(journal);
  if (reader === undefined) return undefined;
  try {
    const run = lastRun(reader);
    const basis = run === undefined ? undefined : reader.basis(run.id);
    const settings = basis?.config as RecordedSettings | undefined;
    const venue = settings?.venue ?? undefined;
    return venue === undefined ? undefined : placeOf(venue);
  } finally {
    reader.close();
  }
}

/** The journal, opened to read. Undefined if that fails: opening it to write will tell why. */
function readerOf(journal: string): JournalReader | undefined {
  try {
    return existsSync(journal) ? new JournalReader(journal) : undefined;
  } catch {
    return undefined;
  }
}

function placeOf({ kind, tradeUrl }: NonNullable<RecordedSettings['venue']>): string | undefined {
  return kind === 'simulated' || tradeUrl === undefined ? SIMULATED : addressOf(tradeUrl);
}

/** Host and path, as one gateway may lead to several exchanges; undefined for no address. */
function addressOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed === null ? undefined : `${parsed.host}${parsed.pathname.replace(/\/+$/, '')}`;
}
