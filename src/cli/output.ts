import type { LogTarget } from '../app/index.ts';
import { counted } from './format.ts';
import { Screen } from './screen.ts';
import { canDraw, type Paint, paintFor, plain } from './style.ts';

/** Standard output, as a terminal with a block at its end, or as lines. */
export interface Output {
  readonly log: LogTarget;
  /** Undefined where nothing can be drawn in place. */
  readonly screen: Screen | undefined;
  readonly paint: Paint;
  /** For the last words: from now on writes wait until a terminal takes them. */
  readonly settle: () => void;
}

export function openOutput(): Output {
  const out = process.stdout;
  holdUp(out, false);
  const paint = paintFor(out);
  const write = (text: string): void => {
    out.write(text);
  };
  const screen = canDraw(out) ? screenOn(out, write) : undefined;
  const lines = new LogLines(out, screen ? (text) => screen.print(text) : write);
  const log = {
    write: (text: string) => lines.write(text),
    isTerminal: out.isTTY === true,
    hasColors: paint !== plain,
  };
  const settle = (): void => {
    holdUp(out, true);
    lines.settle();
  };
  return { log, screen, paint, settle };
}

/** A screen that leaves the terminal to the shell where Ctrl-Z stops the process. */
function screenOn(out: NodeJS.WriteStream, write: (text: string) => void): Screen {
  const size = () => ({ columns: out.columns || 80, rows: out.rows || 24 });
  const screen = new Screen({ write, size, isBehind: () => out.writableLength > 0 });
  const stop = (): void => {
    screen.leave();
    process.off('SIGTSTP', stop);
    // As without a listener: where no shell is there to go on by, the system stops nothing.
    process.kill(process.pid, 'SIGTSTP');
    process.on('SIGTSTP', stop);
  };
  process.on('SIGTSTP', stop);
  return screen;
}

/** So many characters wait for a reader who stands still: more would fill the memory some day. */
const WAITING_MAX = 4_000_000;

/** Lines of the log; those that a terminal or a pipe has no room for are left out and counted. */
class LogLines {
  readonly #out: NodeJS.WriteStream;
  readonly #print: (text: string) => void;
  #waitingMax = WAITING_MAX;
  #leftOut = 0;

  constructor(out: NodeJS.WriteStream, print: (text: string) => void) {
    this.#out = out;
    this.#print = print;
  }

  write(text: string): void {
    if (this.#out.writableLength > this.#waitingMax) {
      this.#leftOut++;
      return;
    }
    this.#tellLeftOut();
    this.#print(text);
  }

  /** Leaves nothing out any more. */
  settle(): void {
    this.#waitingMax = Number.POSITIVE_INFINITY;
    this.#tellLeftOut();
  }

  #tellLeftOut(): void {
    if (this.#leftOut === 0) return;
    const what = `${counted(this.#leftOut, 'line')} left out while`;
    if (this.#out.isTTY) this.#print(`… ${what} the terminal stood still\n`);
    // A pipe may hold one JSON object a line.
    else process.stderr.write(`tradewind: ${what} nobody read standard output\n`);
    this.#leftOut = 0;
  }
}

/** What Node's types leave out of a terminal. */
interface TerminalHandle {
  readonly setBlocking?: (isBlocking: boolean) => unknown;
}

/**
 * Says whether writes hold the process up until a terminal takes them, which is Node's way. One that
 * stands still, by Ctrl-S or behind a connection that broke, would hang a run: no heartbeat would
 * leave, and the watchdog would kill it. A pipe holds nobody up.
 */
function holdUp(stream: NodeJS.WriteStream, isHeldUp: boolean): void {
  if (!stream.isTTY) return;
  const { _handle: handle } = stream as { readonly _handle?: TerminalHandle };
  handle?.setBlocking?.(isHeldUp);
}
