// npm ends of a signal and hands it to its shell alone, which dies of it or not, and tells nobody: a
// bot that `npx` or `npm start` has started would trade on, seen by no one.
import { readFileSync } from 'node:fs';

/** How soon that is noticed, milliseconds. */
const LOOK_EACH_MS = 500;

/**
 * Under npm, sends this process a SIGTERM once the shell that started it is gone, or npm above that.
 * Elsewhere nothing is watched: who starts a bot in the background may leave.
 */
export function stopWithoutNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const [shell, npm] = [process.ppid, parentOf(process.ppid)];
  const timer = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return;
    clearInterval(timer);
    console.error('tradewind: what started this command is gone, it ends in order');
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EACH_MS);
  timer.unref();
}

/** The parent of another process; undefined where the system does not tell, as Linux does. */
function parentOf(id) {
  try {
    // The name in parentheses may hold anything, so what follows the last one counts (proc(5)).
    const [, parent] = /^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8'));
    return parent;
  } catch {
    return undefined;
  }
}
