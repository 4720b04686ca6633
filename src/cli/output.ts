import type { LogTarget } from '../app/index.ts';
import { Screen } from './screen.ts';
import { canDraw, type Paint, paintFor, plain } from './style.ts';

/** Standard output, as a terminal with a block at its end, or as lines. */
export interface Output {
  readonly log: LogTarget;
  /** Undefined where nothing can be drawn in place. */
  readonly screen: Screen | undefined;
  readonly paint: Paint;
}

export function openOutput(): Output {
  const out = process.stdout;
  const paint = paintFor(out);
  const write = (text: string): void => {
    out.write(text);
  };
  const hasColors = paint !== plain;
  if (!canDraw(out)) {
    return { log: { write, isTerminal: out.isTTY === true, hasColors }, screen: undefined, paint };
  }
  const size = () => ({ columns: out.columns || 80, rows: out.rows || 24 });
  const screen = new Screen({ write, size });
  const log = {
    write: (text: string) => screen.print(text),
    isTerminal: true,
    hasColors,
  };
  return { log, screen, paint };
}
