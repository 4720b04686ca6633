import type { LogTarget } from '../app/index.ts';
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
  const settle = (): void => holdUp(out, true);
  const paint = paintFor(out);
  const write = (text: string): void => {
    out.write(text);
  };
  const hasColors = paint !== plain;
  if (!canDraw(out)) {
    const log = { write, isTerminal: out.isTTY === true, hasColors };
    return { log, screen: undefined, paint, settle };
  }
  const size = () => ({ columns: out.columns || 80, rows: out.rows || 24 });
  const isBehind = (): boolean => out.writableLength > 0;
  const screen = new Screen({ write, size, isBehind });
  const log = {
    write: (text: string) => screen.print(text),
    isTerminal: true,
    hasColors,
  };
  return { log, screen, paint, settle };
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
