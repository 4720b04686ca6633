import type { LogTarget } from '../app/index.ts';
import { Screen } from './screen.ts';
import { type Paint, paintFor, plain } from './style.ts';

/** Standard output, as a terminal with a block at its end or as a pipe of lines. */
export interface Output {
  readonly log: LogTarget;
  /** Undefined where no person looks. */
  readonly screen: Screen | undefined;
  readonly paint: Paint;
}

export function openOutput(): Output {
  const out = process.stdout;
  const paint = paintFor(out);
  const write = (text: string): void => {
    out.write(text);
  };
  // A dumb terminal knows of no lines but the next: it is written to like a pipe.
  const isTerminal = out.isTTY && process.env.TERM !== 'dumb';
  if (!isTerminal) return { log: { write, isTerminal: false }, screen: undefined, paint };
  const size = () => ({ columns: out.columns || 80, rows: out.rows || 24 });
  const screen = new Screen({ write, size });
  const log = {
    write: (text: string) => screen.print(text),
    isTerminal: true,
    hasColors: paint !== plain,
  };
  return { log, screen, paint };
}
