import { isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import { type MachineSource, watchMachine } from './machine-sources.ts';

/** The folder of this project's own code. */
const OWN = fileURLToPath(new URL('../../../', import.meta.url));
/** The files whose calls lie between a read and its note. */
const WATCHING = ['./machine-sources.ts', './machine-reads.ts'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);
/** Calls to look through: more than lead from the bus through the operators of a strategy. */
const DEPTH = 100;
/** Most looks at callers. Each takes some microseconds, and frequent readers are seen by then. */
const LOOKS_MAX = 1_000;

/** What a strategy does with each source, and what is wanted instead. */
const SAID: Record<MachineSource, string> = {
  date: 'reads the date of the machine, not of the data: use clock.now() of the strategy context',
  chance: 'draws from Math.random, so the next run will differ: use random of the strategy context',
  timer:
    'waits by the time of the machine, not of the data: pass clock of the strategy context, as in ' +
    'timer(1_000, clock)',
};
const OPERATOR_SAID =
  'A timed operator goes by the time of the machine, not of the data: pass clock of the strategy ' +
  'context as its last argument, as in debounceTime(100, clock)';

/**
 * Notes where strategies read the machine's time or randomness. These do not follow the data, which
 * would go unnoticed: `throttleTime` passes one event of a whole backtest, `new Date()` is today.
 */
export class MachineReads {
  readonly #said = new Set<string>();
  #looks = 0;
  #leave = (): void => {};

  /** Begins to watch; strategies are called from here on. */
  begin(): void {
    this.#leave = watchMachine((source) => {
      if (++this.#looks > LOOKS_MAX) this.#leave();
      else this.#look(source);
    });
  }

  end(): void {
    this.#leave();
  }

  /** A sentence for each place that reads. */
  notes(): string[] {
    return Array.from(this.#said, (sentence) => `${sentence}.`);
  }

  #look(source: MachineSource): void {
    const calls = callers();
    const isOperator = calls[0]?.file.includes(join('/node_modules/rxjs/')) ?? false;
    const reader = calls.find(({ file }) => isProject(file));
    if (reader === undefined) return;
    const { file, line } = reader;
    const place = `${relative('', file)}:${line}`;
    if (!file.startsWith(OWN)) {
      this.#said.add(isOperator ? `${place}: ${OPERATOR_SAID}` : `${place} ${SAID[source]}`);
    } else if (isOperator) this.#said.add(OPERATOR_SAID);
  }
}

interface Call {
  readonly file: string;
  readonly line: number;
}

/** The calls that led to a read, the innermost first. */
function callers(): Call[] {
  const calls = getCallSites(DEPTH).map(({ scriptName: name, lineNumber: line }) => {
    return { file: name.startsWith('file:') ? fileURLToPath(name) : name, line };
  });
  return calls.slice(calls.findLastIndex(({ file }) => WATCHING.includes(file)) + 1);
}

/** Whether a file belongs to this project or to its user, and not to a package or to Node. */
function isProject(file: string): boolean {
  return file.startsWith(OWN) || (isAbsolute(file) && !file.includes(join('/node_modules/')));
}
