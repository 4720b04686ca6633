import { messageOf, stackOf } from '../kernel/index.ts';

/** Tradewind's own folders, the launcher's too: stack frames in them are not the author's. */
const OWN_FOLDERS = ['..', '../../bin/'].map((folder) => new URL(folder, import.meta.url).href);

/** The place in a stack frame: `at run (file:///home/me/my/mean.ts:12:9)`. */
const FRAME = /(file:\/\/\S+?):(\d+):(\d+)\)?$/;

/** How the stack of a file that cannot be read begins: with its path and line. */
const UNREADABLE = /^[^\n]*?([^\n/\\]+):(\d+)\n/;

/**
 * Why a strategy failed, and where in its own file: `x is not defined (mean.ts:12:9)`. Only the
 * file's name, without its folder, so that a journal is the same wherever it is written.
 */
export function failureOf(thrown: unknown): string {
  const place = placeOf(stackOf(thrown));
  return place === undefined ? messageOf(thrown) : `${messageOf(thrown)} (${place})`;
}

function placeOf(stack: string | undefined): string | undefined {
  if (stack === undefined) return undefined;
  const [, file, row] = UNREADABLE.exec(stack) ?? [];
  if (file !== undefined) return `${file}:${row}`;
  for (const line of stack.split('\n')) {
    const [, url = '', row, column] = FRAME.exec(line) ?? [];
    const isOwn = OWN_FOLDERS.some((folder) => url.startsWith(folder));
    // A reloaded file has a query after its name.
    if (url !== '' && !isOwn && !url.includes('/node_modules/'))
      return `${url.split('/').at(-1)!.replace(/\?.*$/, '')}:${row}:${column}`;
  }
  return undefined;
}
