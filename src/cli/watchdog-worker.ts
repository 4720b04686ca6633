import { writeSync } from 'node:fs';
import { type Debugger, Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';
import type { Watch } from './watchdog.ts';

const STDERR = 2;

const { turns, everyMs, tellMs, killMs } = workerData as Watch;
let seen = Atomics.load(turns, 0);
let stillMs = 0;

// Looks are counted, not time: where the whole process was stopped for a while, nothing hangs.
setInterval(() => {
  const now = Atomics.load(turns, 0);
  const before = stillMs;
  stillMs = now === seen ? stillMs + everyMs : 0;
  seen = now;
  if (before < tellMs && stillMs >= tellMs) tellPlace();
  if (stillMs >= killMs) kill();
}, everyMs);

function say(text: string): void {
  writeSync(STDERR, `tradewind: ${text}\n`);
}

function kill(): void {
  say(`killed, since it hung for ${killMs / 1_000} s`);
  process.kill(process.pid, 'SIGKILL');
}

/** Stops the main thread for a moment, to see where it is. */
function tellPlace(): void {
  const session = new Session();
  session.connectToMainThread();
  const files = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url));
  session.once('Debugger.paused', ({ params }) => {
    session.post('Debugger.resume');
    session.disconnect();
    say(
      `hangs${placeOf(params.callFrames, files)}: nothing has moved for ${tellMs / 1_000} s, no signal is ` +
        `heard. Orders go when their timed cancel fires; it is killed after ${killMs / 1_000} s`,
    );
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

/** ` in <file>:<line>:<column>`, of the innermost place in a file. */
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
