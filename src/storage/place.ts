import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The most links in a row that are followed. Source: Linux, path_resolution(7). */
const LINKS_MAX = 40;

/** The one name of a place, whatever symbolic links lead to it, though nothing is there yet. */
export function placeOf(path: string): string {
  let place = resolve(path);
  for (let links = 0; links < LINKS_MAX && !existsSync(place); links++) {
    const next = linkIn(place);
    if (next === undefined) break;
    place = resolve(dirname(inRealFolder(place)), next);
  }
  return existsSync(place) ? realpathSync(place) : inRealFolder(place);
}

/** The folder may be called by a link too, which `..` does not lead back over. */
function inRealFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

/** Where a link leads; undefined: it is none. */
function linkIn(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
