import { type Dirent, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { closest, distance } from 'fastest-levenshtein';

/** Least letters of a beginning that stands for the only known name that starts with it. */
const SHORTENED_LEAST = 3;

/** Names up to this length, as most coins have: with two letters off they are other names. */
const SHORT_MOST = 3;

const MARKET = /^([a-z0-9]+)_([a-z0-9]+)$/;

/** The known name nearest to a mistyped or shortened one; undefined when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const [longer, ...others] = new Set(known.filter((one) => one.startsWith(name)));
  if (longer !== undefined && others.length === 0 && name.length >= SHORTENED_LEAST) return longer;
  const likely = known.filter((one) => !isOtherMarket(name, one));
  if (likely.length === 0) return undefined;
  const candidate = closest(name, likely);
  return isNear(name, candidate) ? candidate : undefined;
}

/** `, did you mean "x"?` or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const candidate = nearest(name, known);
  return candidate === undefined ? '' : `, did you mean "${candidate}"?`;
}

/** Files beside a journal, whose names begin with its name. */
const BESIDE = /(-wal|-shm|\.lock|\.owner|\.departures)$/;

/**
 * The same for a path that does not exist: suggests the nearest file in its folder.
 *
 * `withFolders`: whether a folder will do as well. Default: false.
 */
export function didYouMeanPath(path: string, { withFolders = false } = {}): string {
  const folder = dirname(path);
  const known = entriesIn(folder)
    .filter((entry) => withFolders || !entry.isDirectory())
    .map(({ name }) => name);
  const name = nearest(
    basename(path),
    known.filter((one) => !BESIDE.test(one)),
  );
  return name === undefined ? '' : `, did you mean "${join(folder, name)}"?`;
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isNear(name: string, known: string): boolean {
  if (isSlip(name, known)) return true;
  return name.length > SHORT_MOST && distance(name, known) <= Math.max(2, name.length / 3);
}

/** Whether both names are markets, and too different in their coins for a typing error. */
function isOtherMarket(name: string, known: string): boolean {
  const [coins, others] = [coinsOf(name), coinsOf(known)];
  if (coins.length === 0 || others.length === 0) return false;
  return !coins.every((coin, at) => isSlip(coin, others[at]!));
}

function coinsOf(name: string): string[] {
  return MARKET.exec(name)?.slice(1) ?? [];
}

/** Whether two words differ by one letter, or only in the order of their letters. */
function isSlip(a: string, b: string): boolean {
  return distance(a, b) <= 1 || [...a].sort().join('') === [...b].sort().join('');
}
