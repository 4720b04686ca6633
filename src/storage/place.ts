import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The most symbolic links followed in a row. Source: Linux, path_resolution(7). */
const LINKS_MAX = 40;

/** The real path behind symbolic links, even if no file is there yet. */
export function placeOf(path: string): string {
  let place = resolve(path);
  for (let links = 0; links < LINKS_MAX && !existsSync(place); links++) {
    const next = linkIn(place);
    if (next === undefined) break;
    place = resolve(dirname(inRealFolder(place)), next);
  }
  return existsSync(place) ? realpathSync(place) : inRealFolder(place);
}

/** The path in the real folder: with a link as folder, `..` would lead elsewhere. */
function inRealFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

/** Where a link leads; undefined if it is none. */
function linkIn(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
