import type { LogTarget } from '../app/index.ts';
import { counted } from './format.ts';
import { Screen } from './screen.ts';
import { canDraw, type Paint, paintFor, plain } from './style.ts';

/** Standard output: log lines, on a terminal above a block that is redrawn in place. */
export interface Output {
  readonly log: LogTarget;
  /** Undefined where nothing can be drawn in place. */
  readonly screen: Screen | undefined;
  readonly paint: Paint;
  /** Call before the last words: from now on writes block until the terminal takes them. */
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

/** A screen that gives the terminal back to the shell when Ctrl-Z stops the process. */
function screenOn(out: NodeJS.WriteStream, write: (text: string) => void): Screen {
  const size = () => ({ columns: out.columns || 80, rows: out.rows || 24 });
  const screen = new Screen({ write, size, isBehind: () => out.writableLength > 0 });
  const stop = (): void => {
    screen.leave();
    process.off('SIGTSTP', stop);
    // Without the listener the system acts as usual: it stops nothing if no shell could resume it.
    process.kill(process.pid, 'SIGTSTP');
    process.on('SIGTSTP', stop);
  };
  process.on('SIGTSTP', stop);
  return screen;
}

/** Most characters that wait for a reader who stands still: more would fill the memory. */
const WAITING_MAX = 4_000_000;

/** Writes log lines. While the buffer is full, lines are left out and counted. */
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

  /** From now on leaves nothing out. */
  settle(): void {
    this.#waitingMax = Number.POSITIVE_INFINITY;
    this.#tellLeftOut();
  }

  #tellLeftOut(): void {
    if (this.#leftOut === 0) return;
    const what = `${counted(this.#leftOut, 'line')} left out while`;
    if (this.#out.isTTY) this.#print(`… ${what} the terminal stood still\n`);
    // A pipe may carry one JSON object per line.
    else process.stderr.write(`tradewind: ${what} nobody read standard output\n`);
    this.#leftOut = 0;
  }
}

/** A method of a terminal that Node's types leave out. */
interface TerminalHandle {
  readonly setBlocking?: (isBlocking: boolean) => unknown;
}

/**
 * Sets whether writes block the process until a terminal takes them, which is Node's default. A
 * terminal that stands still, by Ctrl-S or a broken connection, would then hang a run: no heartbeat
 * would leave, and the watchdog would kill it. Writes to a pipe never block.
 */
function holdUp(stream: NodeJS.WriteStream, isHeldUp: boolean): void {
  if (!stream.isTTY) return;
  const { _handle: handle } = stream as { readonly _handle?: TerminalHandle };
  handle?.setBlocking?.(isHeldUp);
}
