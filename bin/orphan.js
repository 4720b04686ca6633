// npm ends of a signal and hands it to its shell alone, which dies of it or not, and tells nobody: a
// bot that `npx` or `npm start` has started would trade on, seen by no one.
import { readFileSync } from 'node:fs';

/** How soon that is noticed, milliseconds. */
const LOOK_EACH_MS = 500;

/**
 * Under npm, stops once a process is gone that stands between this one and npm, or npm itself, the
 * outermost where one runs another. Who is above that may leave, and where npm did not start it
 * nothing is watched: who starts a bot in the background may leave.
 *
 * @param stop Default: sends this process a SIGTERM.
 */
export function stopWithoutNpm(stop = () => process.kill(process.pid, 'SIGTERM')) {
  if (!process.env.npm_lifecycle_event) return;
  const chain = chainToNpm();
  const timer = setInterval(() => {
    if (process.ppid === chain[0] && chain.every(isBelowTheNext)) return;
    clearInterval(timer);
    console.error('tradewind: what started this command is gone, it ends in order');
    stop();
  }, LOOK_EACH_MS);
  timer.unref();
}

/** The parent, and on Linux those above it up to npm: the first whom npm did not start. */
function chainToNpm() {
  const chain = [process.ppid];
  for (let id = process.ppid; id !== undefined && isStartedByNpm(id); ) {
    id = parentOf(id);
    if (id !== undefined) chain.push(id);
  }
  return chain;
}

function isBelowTheNext(id, at, chain) {
  // What cannot be read now, as where no file may be opened, is no end of npm.
  return at + 1 === chain.length || (parentOf(id) ?? chain[at + 1]) === chain[at + 1];
}

/** Whether its environment says so (proc(5)). */
function isStartedByNpm(id) {
  const variables = readProcess(id, 'environ')?.split('\0') ?? [];
  return variables.some((text) => /^npm_lifecycle_event=./.test(text));
}

/** The parent of another process; undefined where the system does not tell, as Linux does. */
function parentOf(id) {
  // The name in parentheses may hold anything, so what follows the last one counts (proc(5)).
  const [, parent] = /^.*\) \S (\d+)/s.exec(readProcess(id, 'stat') ?? '') ?? [];
  return parent === undefined ? undefined : Number(parent);
}

function readProcess(id, what) {
  try {
    return readFileSync(`/proc/${id}/${what}`, 'utf8');
  } catch {
    return undefined;
  }
}
