// npm ends of a signal and hands it to its shell alone, which dies of it or not, and tells nobody: a
// bot that `npx` or `npm start` has started would trade on, seen by no one.
import { readFileSync } from 'node:fs';

/** How soon that is noticed, milliseconds. */
const LOOK_EACH_MS = 500;

/**
 * Under npm, sends this process a SIGTERM once the shell that started it is gone, or npm above that.
 * Some shells make way for what they run: npm is the parent then, and who is above npm may leave.
 * Elsewhere nothing is watched: who starts a bot in the background may leave.
 */
export function stopWithoutNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const npm = isCommandShell(parent) ? parentOf(parent) : undefined;
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return;
    clearInterval(timer);
    console.error('tradewind: what started this command is gone, it ends in order');
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EACH_MS);
  timer.unref();
}

/** Whether it is a shell that was handed a command, as npm starts one (proc(5)). */
function isCommandShell(id) {
  return readProcess(id, 'cmdline')?.split('\0')[1] === '-c';
}

/** The parent of another process; undefined where the system does not tell, as Linux does. */
function parentOf(id) {
  // The name in parentheses may hold anything, so what follows the last one counts (proc(5)).
  return /^.*\) \S (\d+)/s.exec(readProcess(id, 'stat'))?.[1];
}

function readProcess(id, what) {
  try {
    return readFileSync(`/proc/${id}/${what}`, 'utf8');
  } catch {
    return undefined;
  }
}
