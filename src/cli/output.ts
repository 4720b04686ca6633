import type { LogTarget } from '../app/index.ts';
import { Screen } from './screen.ts';

/** Standard output, as a terminal with a block at its end or as a pipe of lines. */
export interface Output {
  readonly log: LogTarget;
  /** Undefined where no person looks. */
  readonly screen: Screen | undefined;
}

export function openOutput(): Output {
  const out = process.stdout;
  if (!out.isTTY)
    return { log: { write: (text) => out.write(text), isTerminal: false }, screen: undefined };
  const screen = new Screen(out, () => out.columns ?? 80);
  return { log: { write: (text) => screen.print(text), isTerminal: true }, screen };
}
