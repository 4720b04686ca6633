import { write } from 'node:fs';
import { type Debugger, Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';
import type { Watch } from './watchdog.ts';

const STDERR = 2;
/** Longest wait for the last message to be written, milliseconds. */
const LAST_WORD_MS = 1_000;

const { turns, everyMs, tellMs, killMs, parent } = workerData as Watch;
let seen = Atomics.load(turns, 0);
let stillMs = 0;
/**
 * The standstill that is reported next. It doubles if the process is never killed: what is only
 * slow is reported ever more seldom.
 */
let dueMs = tellMs;

// Counts looks instead of time: a process that was suspended as a whole does not hang.
const looking = setInterval(() => {
  const now = Atomics.load(turns, 0);
  const before = stillMs;
  stillMs = now === seen ? stillMs + everyMs : 0;
  seen = now;
  if (before < dueMs && stillMs >= dueMs) tell();
  if (killMs === 'never') {
    const isLeft = parent !== undefined && process.ppid !== parent;
    if (isLeft && stillMs >= tellMs)
      kill('killed, since it hangs and the process that started it is gone');
  } else if (stillMs >= killMs) kill(`killed, since it hung for ${killMs / 1_000} s`);
}, everyMs);

/** Never blocks or ends this thread: standard error may be full, or its reader gone. */
function say(text: string, then: () => void = () => {}): void {
  write(STDERR, `${text}\n`, then);
}

function kill(why: string): void {
  clearInterval(looking);
  const late = setTimeout(end, LAST_WORD_MS);
  say(`tradewind: ${why}`, () => {
    clearTimeout(late);
    end();
  });
}

/**
 * Kills the process. If it lives on, it is the first process of a container, which no signal from
 * within ends. Source: Linux, pid_namespaces(7).
 */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
  say(
    'tradewind: still running: the first process of a container cannot kill itself; kill it ' +
      'from outside, and start it below an init process from now on (docker run --init)',
  );
}

/** Reports the standstill; pauses the main thread for a moment to see where it is. */
function tell(): void {
  const still = `nothing has moved for ${dueMs / 1_000} s, no signal is heard`;
  const outlook =
    killMs === 'never'
      ? `It waits for as long as that takes; Ctrl-C does nothing, kill -9 ${process.pid} ends it`
      : `Its orders are cancelled when the timed cancel fires; it is killed after ${killMs / 1_000} s`;
  if (killMs === 'never') dueMs *= 2;
  const session = new Session();
  session.connectToMainThread();
  const files = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url));
  session.once('Debugger.paused', ({ params }) => {
    session.post('Debugger.resume');
    session.disconnect();
    // Starts a new line, since a progress bar may be drawn in place.
    const begin = killMs === 'never' ? '\n' : '';
    const hangs = `hangs${placeOf(params.callFrames, files)}`;
    say(`${begin}tradewind: ${hangs}: ${still}. ${outlook}`);
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

/** ` in <file>:<line>:<column>` of the innermost frame that lies in a file. */
function placeOf(
  frames: readonly Debugger.CallFrame[],
  files: ReadonlyMap<string, string>,
): string {
  for (const { location } of frames) {
    const url = files.get(location.scriptId) ?? '';
    if (!url.startsWith('file:')) continue;
    const { lineNumber, columnNumber = 0 } = location;
    return ` in ${fileURLToPath(url)}:${lineNumber + 1}:${columnNumber + 1}`;
  }
  return '';
}
